"""Ink and the file formats it comes in."""

from inkscan.ink import formats, svg  # by which an Ink is read, saved and drawn
from inkscan.ink.ink import Box, Ink, Stroke

__all__ = ["Box", "Ink", "Stroke", "formats", "svg"]
