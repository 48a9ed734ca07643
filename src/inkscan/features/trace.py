"""Online features: the trace as points, thinned or evenly spaced, and the eight features of Eq. (2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.settings import ONLINE_STRIDE, FeatureSettings
from inkscan.ink import Ink

FloatArray = npt.NDArray[np.float64]

MAX_POINTS_PER_STROKE = 512  # even spacing only: a scribble is not allowed to fill the memory
WIDEST = 5.0  # average stroke heights a stroke that an expression may take; CROHME's widest takes 4.1
MOST_DASHES_AND_DOTS = 3  # strokes of a division sign; more of them, all low, are symbols beside a long bar
POSITION_UNIT = 4.0  # even: positions are told in this many stroke heights, which keeps them near one


@dataclass(frozen=True)
class Trace:
    """X^on of Eq. (2) and the length of each stroke in points, in writing order."""

    features: npt.NDArray[np.float32]  # (N, 8)
    stroke_lengths: npt.NDArray[np.int64]  # (M,), sums to N


def trace_features(ink: Ink, settings: FeatureSettings) -> Trace:
    """X^on by the settings' recipe."""
    strokes = [stroke.xy for stroke in ink.strokes]
    if settings.trace == "tap":
        strokes = thin(strokes, settings.thinning)
        mean, sigma = line_moments(strokes)
        points = (np.concatenate(strokes) - mean) / sigma
        step = position = 1.0
    else:
        unit = average_stroke_height(strokes)
        strokes = [space_evenly(stroke, settings.spacing * unit) for stroke in strokes]
        mean, _ = line_moments(strokes)
        points = (np.concatenate(strokes) - mean) / unit
        step, position = settings.spacing, POSITION_UNIT
    lengths = np.array([len(stroke) for stroke in strokes])
    return Trace(eight_features(points, lengths, position=position, step=step), lengths)


def eight_features(
    points: FloatArray, stroke_lengths: npt.NDArray[np.int64], *, position: float = 1.0, step: float = 1.0
) -> npt.NDArray[np.float32]:
    """Eq. (2): position, forward differences over one and two points, and the pen's state.

    Differences cross the borders of strokes; at the end of the trace the index is clamped.
    Positions are divided by `position` and differences by `step`.
    """
    n = len(points)
    last = n - 1
    index = np.arange(n)
    features = np.zeros((n, 8), dtype=np.float32)
    features[:, 0:2] = points / position
    features[:, 2:4] = (points[np.minimum(index + 1, last)] - points) / step
    features[:, 4:6] = (points[np.minimum(index + 2, last)] - points) / step
    pen_up = np.cumsum(stroke_lengths) - 1
    features[:, 6] = 1.0
    features[pen_up, 6:8] = 0.0, 1.0
    return features


def thin(strokes: list[FloatArray], threshold: float) -> list[FloatArray]:
    """Drop points that stand closer than `threshold` times the longer side to the last one kept.

    A stroke keeps its first and its last point; a one-point stroke is doubled.
    """
    points = np.concatenate(strokes)
    distance = threshold * float((points.max(axis=0) - points.min(axis=0)).max())
    return [_thin_stroke(stroke, distance) for stroke in strokes]


def _thin_stroke(stroke: FloatArray, distance: float) -> FloatArray:
    moved = np.any(stroke[1:] != stroke[:-1], axis=1)
    stroke = stroke[np.concatenate([[True], moved])]
    if len(stroke) == 1:
        return np.repeat(stroke, 2, axis=0)
    xs, ys = stroke[:, 0].tolist(), stroke[:, 1].tolist()
    kept = [0]
    x, y = xs[0], ys[0]
    for i in range(1, len(xs) - 1):
        dx, dy = xs[i] - x, ys[i] - y
        if (dx * dx + dy * dy) ** 0.5 >= distance:
            kept.append(i)
            x, y = xs[i], ys[i]
    kept.append(len(xs) - 1)
    return stroke[kept]


def line_moments(strokes: list[FloatArray]) -> tuple[FloatArray, float]:
    """Mean of x and y and the standard deviation of x, as line integrals over the segments inside strokes.

    Ink without length has the mean of its points and a deviation of one; ink without width (a vertical bar)
    takes the deviation of y in place of that of x.
    """
    starts = np.concatenate([stroke[:-1] for stroke in strokes])
    ends = np.concatenate([stroke[1:] for stroke in strokes])
    lengths = np.hypot(*(ends - starts).T)
    total = float(lengths.sum())
    if total == 0.0:
        return np.concatenate(strokes).mean(axis=0), 1.0
    mean = (lengths[:, None] * (starts + ends)).sum(axis=0) / (2 * total)
    a, b = starts - mean, ends - mean
    variance = (lengths[:, None] * (a * a + b * b + a * b)).sum(axis=0) / (3 * total)
    sigma_x, sigma_y = np.sqrt(variance)
    # A nearly vertical line has a sigma_x of rounding noise; dividing by it would blow y up.
    sigma = sigma_x if sigma_x > 1e-3 * sigma_y else sigma_y
    return mean, float(sigma)


def average_stroke_height(strokes: list[FloatArray]) -> float:
    """Mean height of the strokes taller than a tenth of the tallest, as for the image; never zero."""
    widths, heights = np.array([np.ptp(stroke, axis=0) for stroke in strokes]).T
    tallest, widest = float(heights.max()), float(widths.max())
    few = len(strokes) <= MOST_DASHES_AND_DOTS or bool((heights <= 0.25 * widths).all())
    if few and tallest <= 0.1 * widest:  # dashes and dots only: their width says how large they are written
        return widest if widest > 0 else 1.0
    points = np.concatenate(strokes)
    extent = float(np.ptp(points, axis=0).max())  # dots far apart do not say how large they are written
    return max(mean_of_tall(heights), extent / (WIDEST * len(strokes)))


def mean_of_tall(heights: FloatArray) -> float:
    """The mean without dashes and dots: of heights above a tenth of the largest."""
    return float(heights[heights > 0.1 * heights.max()].mean())


def space_evenly(stroke: FloatArray, spacing: float) -> FloatArray:
    """Points at equal distances of about `spacing`, their count a multiple of the encoder's stride."""
    along = np.concatenate([[0.0], np.cumsum(_segments(stroke))])
    at = np.linspace(0.0, along[-1], _even_count(along[-1], spacing))
    return np.stack([np.interp(at, along, stroke[:, 0]), np.interp(at, along, stroke[:, 1])], axis=1)


def point_count(strokes: list[FloatArray], settings: FeatureSettings) -> int:
    """How many points `trace_features` would make."""
    if settings.trace == "tap":
        return sum(map(len, thin(strokes, settings.thinning)))
    spacing = settings.spacing * average_stroke_height(strokes)
    return sum(_even_point_count(stroke, spacing) for stroke in strokes)


def _even_point_count(stroke: FloatArray, spacing: float) -> int:
    return _even_count(float(np.cumsum(_segments(stroke))[-1]) if len(stroke) > 1 else 0.0, spacing)


def _segments(stroke: FloatArray) -> FloatArray:
    segments: FloatArray = np.hypot(*np.diff(stroke, axis=0).T)
    return segments


def _even_count(length: float, spacing: float) -> int:
    cells = max(1, round(length / (spacing * ONLINE_STRIDE)))
    return min(ONLINE_STRIDE * cells, MAX_POINTS_PER_STROKE)


def pooled_stroke_mask(stroke_lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """pmask^on: the share of each cell of ONLINE_STRIDE points that each stroke holds, (M, L); no row is zero."""
    ends = np.cumsum(stroke_lengths)
    starts = ends - stroke_lengths
    cells = -(-int(ends[-1]) // ONLINE_STRIDE)
    left = np.arange(cells) * ONLINE_STRIDE
    overlap = np.minimum(ends[:, None], left + ONLINE_STRIDE) - np.maximum(starts[:, None], left)
    shares: npt.NDArray[np.float32] = (np.maximum(overlap, 0) / ONLINE_STRIDE).astype(np.float32)
    return shares
