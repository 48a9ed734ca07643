"""Online features: the trace as points, thinned or evenly spaced, and the eight features of Eq. (2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.settings import ONLINE_STRIDE, FeatureSettings
from inkscan.ink import Ink
from inkscan.ink.boxes import stroke_corners

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MAX_POINTS_PER_STROKE = 512  # even spacing only: a scribble is not allowed to fill the memory
WIDEST = 5.0  # average stroke heights a stroke that an expression may take; CROHME's widest takes 4.1
MOST_DASHES_AND_DOTS = 3  # strokes of a division sign; more of them, all low, are symbols beside a long bar
POSITION_UNIT = 4.0  # even: positions are told in this many stroke heights, which keeps them near one


@dataclass(frozen=True)
class Trace:
    """X^on of Eq. (2) and the length of each stroke in points, in writing order."""

    features: npt.NDArray[np.float32]  # (N, 8)
    stroke_lengths: IntArray  # (M,), sums to N


def trace_features(ink: Ink, settings: FeatureSettings) -> Trace:
    """X^on by the settings' recipe."""
    strokes = [stroke.xy for stroke in ink.strokes]
    if settings.trace == "tap":
        points, lengths = _joined(thin(strokes, settings.thinning))
        mean, unit = line_moments(points, lengths)
        step = position = 1.0
    else:
        unit = average_stroke_height(strokes)
        points, lengths = space_evenly(strokes, settings.spacing * unit)
        mean, _ = line_moments(points, lengths)
        step, position = settings.spacing, POSITION_UNIT
    return Trace(eight_features((points - mean) / unit, lengths, position=position, step=step), lengths)


def eight_features(
    points: FloatArray, stroke_lengths: IntArray, *, position: float = 1.0, step: float = 1.0
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


def line_moments(points: FloatArray, stroke_lengths: IntArray) -> tuple[FloatArray, float]:
    """Mean of x and y and the standard deviation of x, as line integrals over the segments inside strokes.

    Ink without length has the mean of its points and a deviation of one; ink without width (a vertical bar)
    takes the deviation of y in place of that of x.
    """
    starts, ends = points[:-1], points[1:]
    lengths = np.hypot(*(ends - starts).T)
    lengths[np.cumsum(stroke_lengths)[:-1] - 1] = 0.0  # jumps between strokes
    total = float(lengths.sum())
    if total == 0.0:
        return points.mean(axis=0), 1.0
    mean = (lengths[:, None] * (starts + ends)).sum(axis=0) / (2 * total)
    a, b = starts - mean, ends - mean
    variance = (lengths[:, None] * (a * a + b * b + a * b)).sum(axis=0) / (3 * total)
    sigma_x, sigma_y = np.sqrt(variance)
    # A nearly vertical line has a sigma_x of rounding noise; dividing by it would blow y up.
    sigma = sigma_x if sigma_x > 1e-3 * sigma_y else sigma_y
    return mean, float(sigma)


def average_stroke_height(strokes: list[FloatArray]) -> float:
    """Mean height of the strokes taller than a tenth of the tallest, as for the image; never zero."""
    lows, highs = stroke_corners(strokes)
    widths, heights = (highs - lows).T
    tallest, widest = float(heights.max()), float(widths.max())
    few = len(strokes) <= MOST_DASHES_AND_DOTS or bool((heights <= 0.25 * widths).all())
    low = few and tallest <= 0.1 * widest  # dashes and dots only: their width says how large they are written
    extent = float((highs.max(axis=0) - lows.min(axis=0)).max())
    # Dots far apart do not say how large they are written.
    unit = max(widest if low else mean_of_tall(heights), extent / (WIDEST * len(strokes)))
    return unit if unit > 0 else 1.0


def mean_of_tall(heights: FloatArray) -> float:
    """The mean without dashes and dots: of heights above a tenth of the largest."""
    return float(heights[heights > 0.1 * heights.max()].mean())


def space_evenly(strokes: list[FloatArray], spacing: float) -> tuple[FloatArray, IntArray]:
    """Points at equal distances of about `spacing`, and each stroke's count, a multiple of the encoder's stride."""
    points, lengths = _joined(strokes)
    along, begins, ends = _arc_lengths(points, lengths, gap=spacing)
    counts = _even_counts(ends - begins, spacing)
    firsts = np.cumsum(counts) - counts
    number = np.arange(counts.sum()) - np.repeat(firsts, counts)
    steps = (ends - begins) / (counts - 1)
    at = np.minimum(np.repeat(begins, counts) + number * np.repeat(steps, counts), np.repeat(ends, counts))
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1), counts


def point_count(strokes: list[FloatArray], settings: FeatureSettings) -> int:
    """How many points `trace_features` would make."""
    if settings.trace == "tap":
        return sum(map(len, thin(strokes, settings.thinning)))
    spacing = settings.spacing * average_stroke_height(strokes)
    _, begins, ends = _arc_lengths(*_joined(strokes), gap=spacing)
    return int(_even_counts(ends - begins, spacing).sum())


def _joined(strokes: list[FloatArray]) -> tuple[FloatArray, IntArray]:
    """All points, and how many each stroke has."""
    return np.concatenate(strokes), np.array([len(stroke) for stroke in strokes])


def _arc_lengths(points: FloatArray, lengths: IntArray, gap: float) -> tuple[FloatArray, ...]:
    """How far along the pen's way each point is, with a gap between strokes; and where each stroke begins and ends."""
    lasts = np.cumsum(lengths) - 1
    segments = np.hypot(*np.diff(points, axis=0).T)
    segments[lasts[:-1]] = gap
    along = np.concatenate([[0.0], np.cumsum(segments)])
    return along, along[lasts - lengths + 1], along[lasts]


def _even_counts(lengths: FloatArray, spacing: float) -> IntArray:
    cells = np.maximum(np.rint(lengths / (spacing * ONLINE_STRIDE)), 1)
    counts: IntArray = np.minimum(ONLINE_STRIDE * cells, MAX_POINTS_PER_STROKE).astype(np.int64)
    return counts


def pooled_stroke_mask(stroke_lengths: IntArray) -> npt.NDArray[np.float32]:
    """pmask^on: the share of each cell of ONLINE_STRIDE points that each stroke holds, (M, L); no row is zero."""
    ends = np.cumsum(stroke_lengths)
    starts = ends - stroke_lengths
    cells = -(-int(ends[-1]) // ONLINE_STRIDE)
    left = np.arange(cells) * ONLINE_STRIDE
    overlap = np.minimum(ends[:, None], left + ONLINE_STRIDE) - np.maximum(starts[:, None], left)
    shares: npt.NDArray[np.float32] = (np.maximum(overlap, 0) / ONLINE_STRIDE).astype(np.float32)
    return shares
