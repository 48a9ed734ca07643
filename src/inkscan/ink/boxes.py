"""Boxes: where each stroke of an ink is, how large the writing is, and where a straight line passes between strokes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from inkscan.ink.ink import Box, FloatArray, Ink

CUT = 0.1  # of a stroke's extent at each end that a parting line may cut off


@dataclass(frozen=True)
class StrokeBox(Box):
    """The smallest upright rectangle around a stroke."""

    stroke: int

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
    lows, highs = stroke_corners([stroke.xy for stroke in ink.strokes])
    corners = zip(*lows.T.tolist(), *highs.T.tolist(), strict=True)
    return [
        StrokeBox(left, top, right, bottom, number)
        for number, (left, top, right, bottom) in enumerate(corners)
    ]


def stroke_corners(strokes: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest coordinates of each stroke, both (M, 2)."""
    points = np.concatenate(strokes)
    firsts = np.cumsum([0, *(len(stroke) for stroke in strokes[:-1])])
    return np.minimum.reduceat(points, firsts), np.maximum.reduceat(points, firsts)


def writing_size(boxes: Iterable[StrokeBox]) -> float:
    """The median of the strokes' longer sides, which neither dots nor long bars move."""
    return float(np.median([box.size for box in boxes]))


def parted(extents: Sequence[tuple[float, float]]) -> list[list[int]]:
    """The places of extents (low, high) in groups between which a line passes, from low to high."""
    cuts = [CUT * (high - low) for low, high in extents]
    lows = [low + cut for (low, _), cut in zip(extents, cuts, strict=True)]
    groups: list[list[int]] = []
    reach = float("-inf")
    for at in sorted(range(len(extents)), key=lows.__getitem__):
        if lows[at] > reach:
            groups.append([])
        groups[-1].append(at)
        reach = max(reach, extents[at][1] - cuts[at])
    return groups
