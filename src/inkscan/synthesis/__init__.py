"""Ink made by the project itself: a stroke font, a layout engine and symbols of real writers recombined."""
