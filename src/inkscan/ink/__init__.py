"""Ink and the file formats it comes in."""

from inkscan.ink.ink import Box, Ink, Stroke

__all__ = ["Box", "Ink", "Stroke"]
