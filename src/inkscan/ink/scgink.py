"""SCGINK: `SCG_INK`, the number of strokes, then for each the number of its points and the points."""

from __future__ import annotations

import numpy as np

from inkscan.errors import BadCoordinate, InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_BYTES, MAX_POINTS, MAX_STROKES, Ink, Stroke

MAGIC = b"SCG_INK"


def read_scgink(data: bytes) -> Ink:
    """Read an SCGINK file."""
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"more than {MAX_BYTES} bytes, the limit of one ink")
    magic, *words = data.split() or [b""]
    if magic != MAGIC:
        raise MalformedInk("an SCGINK file begins with SCG_INK")
    if len(words) > 2 * MAX_POINTS + MAX_STROKES + 1:
        raise InkTooLarge(f"more than {MAX_POINTS} points")
    try:
        numbers = np.array(words, dtype=np.float64)
    except ValueError as error:
        raise MalformedInk(f"SCGINK holds numbers only: {error}") from error
    return _ink(numbers)


def _ink(numbers: np.ndarray) -> Ink:
    if not np.isfinite(numbers).all():
        raise BadCoordinate("coordinates must be finite")
    count = int(numbers[0]) if len(numbers) else 0
    if count > MAX_STROKES:
        raise InkTooLarge(f"{count} strokes; the limit is {MAX_STROKES}")
    strokes: list[Stroke] = []
    at = 1
    for _ in range(count):
        end = at + 1 + 2 * int(numbers[at]) if at < len(numbers) else at
        if not at + 1 < end <= len(numbers):
            raise MalformedInk(
                f"the file is cut short, or the point count of stroke {len(strokes) + 1} is wrong"
            )
        strokes.append(Stroke(numbers[at + 1 : end].reshape(-1, 2)))
        at = end
    if at < len(numbers):
        raise MalformedInk("there are more points than the counts say")
    return Ink(tuple(strokes))


def write_scgink(ink: Ink) -> bytes:
    """The ink as SCGINK; time, pressure and names have no place in it."""
    lines = [MAGIC.decode(), str(len(ink))]
    for stroke in ink.strokes:
        lines.append(str(len(stroke)))
        lines += [f"{x!r} {y!r}" for x, y in stroke.xy.tolist()]
    return "\n".join(lines).encode() + b"\n"
