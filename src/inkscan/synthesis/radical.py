"""The shape of a radical: a tick at the left, a roof to the right, and a corner between them."""

from __future__ import annotations

import numpy as np

from inkscan.synthesis.font import FloatArray

ROOF = 0.25  # of the height, from the top: what reaches lower belongs to the tick
LEAST_TICK, LEAST_ROOF = 0.02, 0.2  # parts of the width; a sign with less has another shape


def corner_of(points: FloatArray) -> float | None:
    """The x at which the room under a roof begins, from the left end of the sign; None for no radical's shape.

    It begins where no part of the tick reaches, which may lean back under the roof or bulge.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = (high - low).tolist()
    if not (width > 0 and height > 0):
        return None
    corner = float(points[points[:, 1] > low[1] + ROOF * height, 0].max() - low[0])
    is_usual = LEAST_TICK * width < corner < (1 - LEAST_ROOF) * width
    return corner if is_usual else None


def with_corner(x: FloatArray, corner: float, tick: float, roof: float) -> FloatArray:
    """x from the left end of a sign, its tick and its roof scaled each by itself, from the corner."""
    away = x - corner
    moved: FloatArray = np.where(away < 0, away * tick, away * roof)
    return moved
