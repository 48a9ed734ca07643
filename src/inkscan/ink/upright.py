"""Upright ink: a line of writing that slopes is made level, and letters that lean far are set upright.

Most people write level and lean a little to the right, and so does the ink that the networks have seen. That a line
slopes is believed where two things say so: where its strokes stand, and which way its level pieces run. A superscript
at the end, or an index, moves the first alone; a hand that joins its letters upwards the second.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inkscan.ink.boxes import stroke_corners
from inkscan.ink.ink import FloatArray, Ink, Stroke

SLOPE = 0.12  # of the line at least, seven degrees, to be made level
STEEP = 0.7  # what slopes more is no line of writing
LEAN = 0.35  # of letters at least, apart from the usual one
USUAL_LEAN = 0.1  # to the right
APART = 2.0  # sizes of the writing between two strokes that tell how the line runs
PAIRS = 6  # of such strokes at least
FEW = 3  # strokes at most, which tell neither


def upright(ink: Ink) -> Ink:
    """The ink level and upright; the ink itself if it is."""
    if len(ink) <= FEW:
        return ink
    strokes = [stroke.xy for stroke in ink.strokes]
    steps = np.concatenate([np.diff(xy, axis=0) for xy in strokes])
    slope = _slope(strokes, steps)
    level = steps - np.outer(steps[:, 0], [0.0, slope])
    lean = _lean(level)
    if not slope and not lean:
        return ink
    origin = strokes[0][0]
    return Ink(Stroke._checked(_moved(xy - origin, slope, lean) + origin) for xy in strokes)


def _moved(xy: FloatArray, slope: float, lean: float) -> FloatArray:
    y = xy[:, 1] - slope * xy[:, 0]
    return np.stack([xy[:, 0] + lean * y, y], axis=1)


def _slope(strokes: list[FloatArray], steps: FloatArray) -> float:
    """How far the line falls on its way to the right; 0 if it is level, or too short to tell."""
    low, high = stroke_corners(strokes)
    middle, size = (low + high) / 2, float(np.median((high - low).max(axis=1)))
    first, second = np.triu_indices(len(middle), 1)
    way = middle[second] - middle[first]
    far, level = np.abs(way[:, 0]) > APART * size, np.abs(way[:, 0]) > np.abs(way[:, 1])
    way = way[far & level]
    if len(way) < PAIRS:
        return 0.0
    line = _median(way[:, 1] / way[:, 0], np.abs(way[:, 0]))
    pieces = steps[np.abs(steps[:, 0]) > np.abs(steps[:, 1])]
    tilt = _median(pieces[:, 1] / pieces[:, 0], np.abs(pieces[:, 0]))
    slope = min(line, tilt, key=abs) if line * tilt > 0 else 0.0
    return slope if SLOPE < abs(slope) < STEEP else 0.0


def _lean(steps: FloatArray) -> float:
    """By how much letters lean more to the right than usual; 0 if they hardly do, or this way and that, as x does."""
    rising = steps[np.abs(steps[:, 1]) > np.abs(steps[:, 0])]
    leans, weights = -rising[:, 0] / rising[:, 1], np.abs(rising[:, 1])
    low, middle, high = (_quantile(leans, weights, share) for share in (0.25, 0.5, 0.75))
    lean = middle - USUAL_LEAN
    return lean if abs(lean) > LEAN and (low > USUAL_LEAN or high < 0) else 0.0


def _median(values: npt.NDArray[np.floating], weights: npt.NDArray[np.floating]) -> float:
    return _quantile(values, weights, 0.5)


def _quantile(values: npt.NDArray[np.floating], weights: npt.NDArray[np.floating], share: float) -> float:
    """The value with this share of the weight below it; 0 of nothing."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] * share)])
