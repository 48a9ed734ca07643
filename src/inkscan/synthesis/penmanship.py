"""Penmanship: what the moving hand does to ink that is already laid out."""

from __future__ import annotations

import numpy as np

from inkscan.synthesis.block import Block
from inkscan.synthesis.font import FloatArray
from inkscan.synthesis.hand import Hand

_WAVE_LENGTH = 9.0  # of the line of writing, in x-heights
_TREMOR_STEP = 5  # pen points between two independent tremors


def put_down(block: Block, hand: Hand, rng: np.random.Generator) -> tuple[list[FloatArray], list[int]]:
    """The strokes in writing order in the ink's coordinates, and the number of the piece that owns each."""
    counts = [len(piece.points) for piece in block.pieces]
    points = np.concatenate([piece.points for piece in block.pieces])
    places = np.array([(piece.x, piece.y) for piece in block.pieces])
    sizes = np.array([piece.size for piece in block.pieces])
    points += np.repeat(places, counts, axis=0)
    points += _tremor(len(points), hand.tremor, rng) * np.repeat(sizes, counts)[:, None]
    points[:, 1] += _line(points[:, 0], hand, rng)
    points = np.round((points - points.min(axis=0)) * hand.unit, 1)
    strokes: list[FloatArray] = []
    owners: list[int] = []
    late: list[float] = []
    start = 0
    for index, (piece, count) in enumerate(zip(block.pieces, counts, strict=True)):
        ends = piece.ends
        waits = len(ends) > 1 and rng.random() < hand.late_marks
        for first, stop in zip((0, *ends[:-1]), ends, strict=True):
            strokes.append(points[start + first : start + stop])
            owners.append(piece.number)
            late.append(index + (1.5 + 2 * rng.random() if waits and stop == count else 0.0))
        start += count
    if hand.hooks > 0:
        strokes = [_hooked(stroke, hand, rng) for stroke in strokes]
    order = sorted(range(len(strokes)), key=late.__getitem__)
    return [strokes[i] for i in order], [owners[i] for i in order]


def _tremor(count: int, amount: float, rng: np.random.Generator) -> FloatArray:
    """Noise that changes slowly along the pen's way."""
    knots = count // _TREMOR_STEP + 2
    noise = rng.standard_normal((2, knots)) * amount
    at = np.arange(count) / _TREMOR_STEP
    grid = np.arange(knots)
    return np.stack([np.interp(at, grid, noise[0]), np.interp(at, grid, noise[1])], axis=1)


def _line(x: FloatArray, hand: Hand, rng: np.random.Generator) -> FloatArray:
    """How far the line of writing has left the horizontal."""
    phase = 2 * np.pi * rng.random()
    return -hand.slope * x + hand.wave * np.sin(
        x * (2 * np.pi / _WAVE_LENGTH * (0.6 + 0.5 * rng.random())) + phase
    )


def _hooked(stroke: FloatArray, hand: Hand, rng: np.random.Generator) -> FloatArray:
    """A stroke whose end may carry the small hook of a pen that lifts while it already moves on."""
    if rng.random() >= hand.hooks or len(stroke) < 4:
        return stroke
    away = (0.3 + 0.7 * rng.random()) * 0.1 * hand.unit
    angle = (0.75 * rng.random() - 0.35) * np.pi
    step = np.round(np.array([np.cos(angle), np.sin(angle)]) * away, 1)
    return np.concatenate([stroke, stroke[-1:] + step * 0.6, stroke[-1:] + step])
