"""Forward ink: straight strokes run from left to right or downwards, whichever end their writer began at.

Bars, minus signs and uprights look alike both ways; left-handed writers often begin at the other end than most. A
stroke that bends or leans tells its direction by its shape and stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inkscan.ink.ink import Ink, Stroke

STRAIGHT = 1.2  # a stroke's length at most, in distances of its ends
UPRIGHT = 1.5  # a stroke goes as many times as far along one axis as along the other, or it leans


def forward(ink: Ink) -> Ink:
    """The ink with its straight strokes forward; the ink itself if they are."""
    strokes = tuple(_turned(stroke) if _is_backward(stroke) else stroke for stroke in ink.strokes)
    is_same = all(new is old for new, old in zip(strokes, ink.strokes, strict=True))
    return ink if is_same else Ink(strokes)


def _is_backward(stroke: Stroke) -> bool:
    across, down = (stroke.xy[-1] - stroke.xy[0]).tolist()
    goes_left = -across > UPRIGHT * abs(down)
    goes_up = -down > UPRIGHT * abs(across)
    return (goes_left or goes_up) and _length(stroke) < STRAIGHT * float(np.hypot(across, down))


def _length(stroke: Stroke) -> float:
    steps = np.diff(stroke.xy, axis=0)
    return float(np.hypot(steps[:, 0], steps[:, 1]).sum())


def _turned(stroke: Stroke) -> Stroke:
    channels = {"time": stroke.time, "pressure": stroke.pressure}
    return replace(
        stroke,
        xy=stroke.xy[::-1],
        **{name: None if channel is None else channel[::-1] for name, channel in channels.items()},
    )
