"""Handwritten mathematics in as pen strokes, LaTeX out, by the Stroke Constrained Attention Network."""

__version__ = "0.1.0"
