"""Unread strokes: those that no symbol of the answer explains.

Segmentation gives every stroke to the symbol that looked at it most. A stroke that the network did not read at all
goes to some symbol that glanced at it, and lies apart from that symbol's own strokes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inkscan.ink import Ink
from inkscan.ink.boxes import StrokeBox, stroke_boxes, writing_size
from inkscan.latex.symbols import DOTS, FUNCTIONS

# How far a stroke may be from its symbol's others, in sizes of the writing; by CROHME's training ink, whose symbols
# are nearly all (99 %) closer together.
_WHOLE = 0.3
_DOT = 0.2  # of the size that a quarter of the strokes have at least: what is smaller is a dot
_IN_PARTS = {
    **dict.fromkeys(("=", "\\leq", "\\geq", "\\pm", "\\mp", "\\div", "\\neq", "\\equiv", "\\approx"), 0.8),
    **dict.fromkeys(("\\sqrt", "\\frac", "\\sum", "\\simeq", "\\cong", "\\subseteq", "\\supseteq"), 0.8),
    **dict.fromkeys(
        ("i", "j", "!", "?", ";", ":", "%", '"', "\\Xi", "\\Rightarrow", "\\Leftrightarrow"), 1.3
    ),
    **dict.fromkeys(FUNCTIONS, 1.4),
    **dict.fromkeys((*DOTS, "\\therefore", "\\because"), 2.5),
}


class Writing:
    """Where the strokes of an ink are, and how large it is written."""

    def __init__(self, ink: Ink) -> None:
        self.boxes = stroke_boxes(ink)
        self.size = writing_size(_without_dots(self.boxes))

    def read_strokes(
        self,
        tokens: Sequence[str],
        groups: Sequence[tuple[int, ...]],
        alignment: npt.NDArray[np.floating],
    ) -> tuple[tuple[int, ...], ...]:
        """The groups without the strokes that lie apart from the part of their symbol that was looked at most."""
        read = []
        for token, strokes, looked in zip(tokens, groups, alignment, strict=True):
            if len(strokes) > 1:
                reach = _IN_PARTS.get(token, _WHOLE) * self.size
                parts = _parts([self.boxes[stroke] for stroke in strokes], reach)
                if len(parts) > 1:
                    strokes = max(parts, key=lambda part: float(looked[list(part)].sum()))
            read.append(strokes)
        return tuple(read)


def _without_dots(boxes: Sequence[StrokeBox]) -> Sequence[StrokeBox]:
    """Beside a row of dots two letters are few, and yet they tell how large the writing is."""
    large = sorted(box.size for box in boxes)[3 * len(boxes) // 4]
    return [box for box in boxes if box.size > _DOT * large] or boxes


def _parts(boxes: Sequence[StrokeBox], reach: float) -> list[tuple[int, ...]]:
    """Strokes in groups that hang together by steps of at most `reach`."""
    parts: list[list[StrokeBox]] = []
    for box in boxes:
        near = [part for part in parts if any(box.distance(other) <= reach for other in part)]
        parts = [part for part in parts if part not in near]
        parts.append([box, *(other for part in near for other in part)])
    return [tuple(sorted(box.stroke for box in part)) for part in parts]
