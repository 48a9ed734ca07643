"""Offline features: the ink as an image, and each stroke's share of the encoder's cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.settings import OFFLINE_STRIDE, FeatureSettings
from inkscan.features.trace import average_stroke_height, mean_of_tall
from inkscan.ink import Ink

STEPS_AT_ONCE = 200_000  # of a pen along strokes
TOLERANCE = 1e-6  # rounding must not decide in which of two pixels a point falls

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Raster:
    """X^off with ink 1 on 0, and pmask^off: strokes over the cells of the encoder's grid."""

    image: npt.NDArray[np.float32]  # (H_in, W_in)
    pooled_masks: npt.NDArray[np.float32]  # (M, H, W), the share of each cell that the stroke inks
    scale: float  # pixels a unit of the ink
    margin: int  # pixels left of the ink and above it


def raster(ink: Ink, settings: FeatureSettings) -> Raster:
    """Draw every stroke with a square pen at the settings' scale."""
    strokes = [stroke.xy for stroke in ink.strokes]
    points = np.concatenate(strokes)
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    scale = settings.image_height / _unit(strokes, settings)
    before, after = settings.image_margins
    room = settings.max_image_side - before - after - 1
    scale = min(scale, room / max(float(size.max()), 1e-12))
    start = _fraction(low * scale) if settings.whole_height else np.zeros(2)
    width, height = (int(side + TOLERANCE) + 1 + before + after for side in size * scale + start)
    rows, columns = -(-height // OFFLINE_STRIDE), -(-width // OFFLINE_STRIDE)
    placed = (points - low) * scale + start + before
    owner = np.repeat(np.arange(len(strokes)), [len(stroke) for stroke in strokes])
    shape = (len(strokes), height, width)
    owner, y, x = np.unravel_index(_inked(placed, owner, shape, settings.pen), shape)
    image = np.zeros((height, width), dtype=np.float32)
    image[y, x] = 1.0
    cells = (owner * rows + y // OFFLINE_STRIDE) * columns + x // OFFLINE_STRIDE
    counts = np.bincount(cells, minlength=len(strokes) * rows * columns)
    masks = (counts / OFFLINE_STRIDE**2).astype(np.float32).reshape(-1, rows, columns)
    return Raster(image, masks, scale, before)


def _unit(strokes: list[npt.NDArray[np.float64]], settings: FeatureSettings) -> float:
    """Ink units that are drawn `image_height` pixels high."""
    if not settings.whole_height:
        return average_stroke_height(strokes)
    heights = np.array([np.ptp(stroke[:, 1]) for stroke in strokes])
    if not heights.any():
        return average_stroke_height(strokes)
    average = mean_of_tall(heights)
    # The released images cut it to whole units; for ink in small units (HAMEX), to thousandths.
    for parts in (1, 1000):
        if average * parts >= 10:
            return int(average * parts + TOLERANCE) / parts
    return average


def _fraction(place: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Where in its pixel a place lies. The released images round places down before they move the ink."""
    fraction: npt.NDArray[np.float64] = place - np.floor(place + TOLERANCE)
    return fraction


def _inked(points: npt.NDArray[np.float64], owner: Int64, shape: tuple[int, int, int], pen: int) -> Int64:
    """The pixels under the pen as it follows each stroke, once a stroke: flat places in strokes, rows and columns."""
    ways = np.zeros_like(points)  # a stroke's last point leads nowhere
    ways[:-1] = np.where((owner[1:] == owner[:-1])[:, None], np.diff(points, axis=0), 0.0)
    steps = np.maximum(np.ceil(np.abs(ways).max(axis=1) - TOLERANCE), 1).astype(np.int64)  # one a pixel
    nib = np.arange(pen) - pen // 2
    found: list[Int64] = []
    # A scribble may have many millions of steps, so they are taken some segments at a time.
    pauses = np.flatnonzero(np.diff(np.cumsum(steps) // STEPS_AT_ONCE)) + 1
    for piece in np.split(np.arange(len(steps)), pauses):
        count = steps[piece]
        walked = np.repeat(piece, count)
        fraction = (np.arange(len(walked)) - np.repeat(np.cumsum(count) - count, count)) / steps[walked]
        centres = (points[walked] + fraction[:, None] * ways[walked] + TOLERANCE).astype(np.int64)
        y, x = (centres[:, axis, None, None] for axis in (1, 0))
        place = (owner[walked][:, None, None], y + nib[:, None], x + nib)
        found.append(_distinct(np.ravel_multi_index(np.broadcast_arrays(*place), shape)))
    return found[0] if len(found) == 1 else _distinct(np.concatenate(found))


def _distinct(places: Int64) -> Int64:
    """Each once, in order; four times as fast as np.unique, which hashes integers."""
    ordered = np.sort(places, axis=None)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]
