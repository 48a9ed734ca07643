"""Mended order: an ink as it was written, but for one run of strokes that came late and is put back in its place.

From one stroke to the next the pen travels, and passes strokes that come between the two in reading order. Who goes
back to insert a sign makes two long ways of it. Moving that one run to where the ways are shortest gives the order in
which the ink would have been written at once, which reading order only resembles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inkscan.ink.boxes import stroke_boxes, writing_size
from inkscan.ink.ink import FloatArray, Ink

RUN = 6  # strokes of a run at most
WORTH = 4.0  # of way that a move saves at least, in sizes of the writing and strokes passed by
SLACK = 1e-6  # of way: savings as near as that are alike, and the first one counts
EACH = 0.1  # of way that the move of each stroke costs: the shorter of two runs is moved


def in_mended_order(ink: Ink, reading: Sequence[int]) -> tuple[int, ...]:
    """The numbers of the strokes in mended order, given those in reading order; as written where no move saves much."""
    count = len(ink)
    ways = _ways(ink, reading)
    outside = count  # before the first stroke and after the last one, at no cost
    best, order = WORTH, np.arange(count)
    for length in range(1, min(RUN, count - 1) + 1):
        firsts = np.arange(count - length + 1)
        lasts = firsts + length - 1
        before, after = (firsts - 1) % (count + 1), lasts + 1
        saved = ways[before, firsts] + ways[lasts, after] - ways[before, after] - EACH * length
        for first in firsts[saved > WORTH].tolist():
            run, rest = np.arange(first, first + length), np.r_[0:first, first + length : count]
            left, right = np.r_[outside, rest], np.r_[rest, outside]
            added = ways[left, run[0]] + ways[run[-1], right] - ways[left, right]
            added[first] = np.inf  # where it is
            place = int((added <= added.min() + SLACK).argmax())
            if (gain := float(saved[first] - added[place])) > best + SLACK:
                best, order = gain, np.r_[rest[:place], run, rest[place:]]
    return tuple(order.tolist())


def _ways(ink: Ink, reading: Sequence[int]) -> FloatArray:
    """From each stroke to each, and to and from outside: (M + 1, M + 1)."""
    starts, ends = (np.array([stroke.xy[at] for stroke in ink.strokes]) for at in (0, -1))
    dx, dy = (starts[None, :, axis] - ends[:, None, axis] for axis in (0, 1))
    size = writing_size(stroke_boxes(ink)) or 1.0
    places = np.argsort(reading)
    passed = np.abs(places[None, :] - places[:, None] - 1)
    return np.pad(np.hypot(dx, dy) / size + passed, (0, 1))
