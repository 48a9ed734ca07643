"""Offline features: the ink as an image, and each stroke's share of the encoder's cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.settings import OFFLINE_STRIDE, FeatureSettings
from inkscan.features.trace import average_stroke_height, mean_of_tall
from inkscan.ink import Ink

STEPS_AT_ONCE = 1_000_000  # of a pen along a stroke
TOLERANCE = 1e-6  # rounding must not decide in which of two pixels a point falls


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
    image = np.zeros((height, width), dtype=np.float32)
    masks = np.zeros((len(strokes), rows * columns), dtype=np.float32)
    for j, stroke in enumerate(strokes):
        y, x = _pixels((stroke - low) * scale + start + before, settings.pen)
        image[y, x] = 1.0
        cells = (y // OFFLINE_STRIDE) * columns + x // OFFLINE_STRIDE
        masks[j] = np.bincount(cells, minlength=rows * columns) / OFFLINE_STRIDE**2
    return Raster(image, masks.reshape(-1, rows, columns), scale, before)


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


def _pixels(stroke: npt.NDArray[np.float64], pen: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The pixels under the pen as it follows the stroke, each once, as rows and columns."""
    before = pen // 2
    left, top = np.floor(stroke.min(axis=0) + TOLERANCE).astype(np.int64) - before
    right, bottom = np.floor(stroke.max(axis=0) + TOLERANCE).astype(np.int64) + pen - before
    centres = np.zeros((bottom - top, right - left), dtype=np.bool_)
    longer = np.abs(np.diff(stroke, axis=0)).max(axis=1)
    steps = np.maximum(np.ceil(longer - TOLERANCE), 1).astype(np.int64)  # one a pixel
    starts, ways = stroke[:-1].T, np.diff(stroke, axis=0).T
    # A scribble may have many millions of steps, so they are taken some segments at a time.
    pauses = np.flatnonzero(np.diff(np.cumsum(steps) // STEPS_AT_ONCE)) + 1
    for piece in np.split(np.arange(len(steps)), pauses):
        count = steps[piece]
        done = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        fraction = done / np.repeat(count, count)
        x, y = (
            (np.repeat(start[piece], count) + fraction * np.repeat(way[piece], count) + TOLERANCE).astype(
                np.int64
            )
            for start, way in zip(starts, ways, strict=True)
        )
        centres.reshape(-1)[(y - top) * centres.shape[1] + (x - left)] = True
    x, y = (stroke[-1] + TOLERANCE).astype(np.int64)
    centres[y - top, x - left] = True
    inked = np.zeros_like(centres)
    rows, columns = (side - pen + 1 for side in centres.shape)
    middle = centres[before : before + rows, before : before + columns]
    for dy in range(pen):
        for dx in range(pen):
            inked[dy : dy + rows, dx : dx + columns] |= middle
    y, x = np.nonzero(inked)
    return y + top, x + left
