"""Reading order: the order of an ink's strokes that their places alone tell, whenever they were written.

Strokes are parted into columns wherever a vertical line passes between them, a column into rows, a row into columns
again. What no line parts, such as a root and what stands under it, gives up its leftmost stroke first. So a fraction
comes as numerator, bar and denominator, and an ink that was written out of order as one that was not.
"""

from __future__ import annotations

from inkscan.ink.boxes import StrokeBox, parted, stroke_boxes
from inkscan.ink.ink import Ink


def in_reading_order(ink: Ink) -> tuple[int, ...]:
    """The numbers of the strokes in reading order; it does not depend on the order that they are given in."""

    def from_left(box: StrokeBox) -> tuple[float, float, float, float, bytes]:
        # Equal boxes would be taken in the given order: the points decide between them.
        return box.left, box.right, box.top, box.bottom, ink.strokes[box.stroke].xy.tobytes()

    order: list[int] = []
    waiting = [sorted(stroke_boxes(ink), key=from_left)]
    while waiting:
        group = waiting.pop()
        groups = _columns(group)
        if len(groups) == 1:
            groups = _rows(group)
        if len(groups) > 1:
            waiting.extend(reversed(groups))
        else:
            order.append(group[0].stroke)
            if len(group) > 1:
                waiting.append(group[1:])
    return tuple(order)


def _columns(boxes: list[StrokeBox]) -> list[list[StrokeBox]]:
    groups = parted([(box.left, box.right) for box in boxes])
    return [[boxes[at] for at in sorted(group)] for group in groups]


def _rows(boxes: list[StrokeBox]) -> list[list[StrokeBox]]:
    groups = parted([(box.top, box.bottom) for box in boxes])
    return [[boxes[at] for at in sorted(group)] for group in groups]
