"""Reading order: the order of an ink's strokes that their places alone tell, whenever they were written.

Strokes are parted into columns wherever a vertical line passes between them, a column into rows, a row into columns
again. What no line parts, such as a root and what stands under it, gives up its leftmost stroke first. So a fraction
comes as numerator, bar and denominator, and an ink that was written out of order as one that was not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inkscan.ink.ink import Ink, Stroke

OVERLAP = 0.1  # of a stroke's extent at each end that a parting line may cut off

Boxes = npt.NDArray[np.float64]  # (M, 2, 2): axis, then low and high


def in_reading_order(ink: Ink) -> tuple[int, ...]:
    """The numbers of the strokes in reading order; it does not depend on the order that they are given in."""
    boxes = np.array([_box(stroke) for stroke in ink.strokes])
    # Equal boxes would be taken in the given order: the points decide between them.
    first = sorted(range(len(boxes)), key=lambda i: (*boxes[i].ravel().tolist(), ink.strokes[i].xy.tobytes()))
    return tuple(_ordered(boxes, first))


def _box(stroke: Stroke) -> list[list[float]]:
    low, high = stroke.xy.min(axis=0), stroke.xy.max(axis=0)
    return [[float(low[axis]), float(high[axis])] for axis in (0, 1)]


def _ordered(boxes: Boxes, strokes: list[int]) -> list[int]:
    """Strokes, sorted by their left edge, in reading order."""
    order: list[int] = []
    waiting = [strokes]
    while waiting:
        group = waiting.pop()
        parted = len(group) > 1 and (_parted(boxes, group, 0) or _parted(boxes, group, 1))
        if parted:
            waiting.extend(reversed(parted))
        else:
            order.append(group[0])
            if len(group) > 1:
                waiting.append(group[1:])
    return order


def _parted(boxes: Boxes, strokes: Sequence[int], axis: int) -> list[list[int]] | None:
    """The strokes in the groups that lines across an axis part, or None if there is only one."""
    extents = boxes[list(strokes), axis]
    cut = OVERLAP * (extents[:, 1] - extents[:, 0])
    lows, highs = (extents[:, 0] + cut).tolist(), (extents[:, 1] - cut).tolist()
    groups: list[list[int]] = []
    reach = float("-inf")
    for at in sorted(range(len(strokes)), key=lows.__getitem__):
        if lows[at] > reach:
            groups.append([])
        groups[-1].append(at)
        reach = max(reach, highs[at])
    if len(groups) == 1:
        return None
    return [[strokes[at] for at in sorted(group)] for group in groups]
