"""Boxes: where each stroke of an ink is, and how large the writing is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

import numpy as np

from inkscan.ink import Ink


@dataclass(frozen=True)
class StrokeBox:
    """The smallest upright rectangle around a stroke."""

    stroke: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def size(self) -> float:
        return max(self.width, self.height)

    def distance(self, other: StrokeBox) -> float:
        """0 where the two touch or overlap."""
        across = max(other.left - self.right, self.left - other.right, 0.0)
        down = max(other.top - self.bottom, self.top - other.bottom, 0.0)
        return hypot(across, down)


def stroke_boxes(ink: Ink) -> list[StrokeBox]:
    """The box of each stroke, by its number."""
    return [
        StrokeBox(number, *stroke.xy.min(axis=0).tolist(), *stroke.xy.max(axis=0).tolist())
        for number, stroke in enumerate(ink.strokes)
    ]


def writing_size(boxes: Iterable[StrokeBox]) -> float:
    """The median of the strokes' longer sides, which neither dots nor long bars move."""
    return float(np.median([box.size for box in boxes]))
