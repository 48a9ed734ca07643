"""Offline features: the ink as an image, and each stroke's share of the encoder's cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.settings import OFFLINE_STRIDE, FeatureSettings
from inkscan.features.trace import average_stroke_height
from inkscan.ink import Ink

STEPS_AT_ONCE = 1_000_000  # of a pen along a stroke
TOLERANCE = 1e-6  # pixels: rounding must not decide in which of two pixels a point falls


@dataclass(frozen=True)
class Raster:
    """X^off with ink 1 on 0, and pmask^off: strokes over the cells of the encoder's grid."""

    image: npt.NDArray[np.float32]  # (H_in, W_in)
    pooled_masks: npt.NDArray[np.float32]  # (M, H, W), the share of each cell that the stroke inks
    scale: float  # pixels a unit of the ink
    margin: int  # pixels left of the ink and above it


def raster(ink: Ink, settings: FeatureSettings, stride: int = OFFLINE_STRIDE) -> Raster:
    """Draw every stroke with a square pen at the settings' scale."""
    strokes = [stroke.xy for stroke in ink.strokes]
    points = np.concatenate(strokes)
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    average = average_stroke_height(strokes)
    # Small units keep their fraction: cut, an average of 1.9 would be half of what it is.
    scale = settings.image_height / (int(average) if settings.whole_height and average >= 10 else average)
    before, after = settings.image_margins
    room = settings.max_image_side - before - after - 1
    scale = min(scale, room / max(float(size.max()), 1e-12))
    width, height = (int(side + TOLERANCE) + 1 + before + after for side in size * scale)
    rows, columns = -(-height // stride), -(-width // stride)
    image = np.zeros((height, width), dtype=np.float32)
    masks = np.zeros((len(strokes), rows * columns), dtype=np.float32)
    for j, stroke in enumerate(strokes):
        y, x = _pixels((stroke - low) * scale + before, settings.pen)
        image[y, x] = 1.0
        cells = (y // stride) * columns + x // stride
        masks[j] = np.bincount(cells, minlength=rows * columns) / stride**2
    return Raster(image, masks.reshape(-1, rows, columns), scale, before)


def _pixels(stroke: npt.NDArray[np.float64], pen: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The pixels under the pen as it follows the stroke, each once, as rows and columns."""
    before = pen // 2
    left, top = np.floor(stroke.min(axis=0) + TOLERANCE).astype(np.int64) - before
    right, bottom = np.floor(stroke.max(axis=0) + TOLERANCE).astype(np.int64) + pen - before
    centres = np.zeros((bottom - top, right - left), dtype=np.bool_)
    longer = np.abs(np.diff(stroke, axis=0)).max(axis=1)
    steps = np.maximum(np.ceil(longer - TOLERANCE), 1).astype(np.int64)  # one a pixel
    # A scribble may have many millions of steps, so they are taken some segments at a time.
    pauses = np.flatnonzero(np.diff(np.cumsum(steps) // STEPS_AT_ONCE)) + 1
    for piece in np.split(np.arange(len(steps)), pauses):
        segment = np.repeat(piece, steps[piece])
        fraction = (
            np.arange(len(segment)) - np.repeat(np.cumsum(steps[piece]) - steps[piece], steps[piece])
        ) / steps[segment]
        between = stroke[segment] + fraction[:, None] * (stroke[segment + 1] - stroke[segment])
        x, y = (between + TOLERANCE).astype(np.int64).T
        centres[y - top, x - left] = True
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
