"""Readings: one ink in two orders, as it was written and as its places alone tell, and the better answer of the two.

Who goes back to insert a sign writes out of order; a model that was trained on both orders reads such ink in the
second. Where the two orders hardly differ and the first answer is sure, the second reading would cost more than it
tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inkscan.features import InkFeatures
from inkscan.ink import Ink
from inkscan.ink.reading_order import in_reading_order
from inkscan.runtime.beam import Found
from inkscan.runtime.recognition import Recognition

NEAR = 1  # places that a stroke may come late: who writes + may begin with either stroke
SURE = -0.15  # nats a token: an answer as likely is sure


@dataclass(frozen=True)
class Reading:
    """An ink as it is given to the networks."""

    ink: Ink
    order: tuple[int, ...] | None  # the strokes' numbers as written; None if they are in that order
    features: Sequence[InkFeatures]  # one for each network

    @property
    def cost(self) -> int:
        """Points, or eighths of pixels, whichever are more."""
        points = max((len(f.trace.features) for f in self.features if f.trace is not None), default=0)
        pixels = max((f.raster.image.size for f in self.features if f.raster is not None), default=0)
        return max(points, pixels // 8)


def other_order(ink: Ink) -> tuple[int, ...] | None:
    """The reading order of the strokes, None if they were written in it."""
    order = in_reading_order(ink)
    return None if order == tuple(range(len(ink))) else order


def is_near(order: Sequence[int]) -> bool:
    """Whether strokes were written nearly in this order: none behind others that stand more than a place after it."""
    furthest = 0
    for place in np.argsort(order).tolist():  # of each stroke as written
        if furthest - place > NEAR:
            return False
        furthest = max(furthest, place)
    return True


def is_sure(found: Found) -> bool:
    """Whether the answer is likely enough to need no second reading."""
    log_probs = found.hypotheses[0].log_probs
    return sum(log_probs) >= SURE * len(log_probs)


def merged(best: Found, other: Found) -> Found:
    """The hypotheses of two readings, each expression once; the answer and where it looked are the best's."""
    answer, *others = best.hypotheses
    known = {hypothesis.tokens for hypothesis in best.hypotheses}
    others += [hypothesis for hypothesis in other.hypotheses if hypothesis.tokens not in known]
    ranked = sorted(others, key=lambda hypothesis: -hypothesis.score)
    return replace(best, hypotheses=(answer, *ranked))


def numbered_as_written(answer: Recognition, ink: Ink, order: Sequence[int]) -> Recognition:
    """The answer to a reordered ink as one to the ink itself: its strokes have their own numbers again."""
    place = np.argsort(np.asarray(order))

    def written(strokes: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(order[stroke] for stroke in strokes))

    return replace(
        answer,
        ink=ink,
        symbols=tuple(replace(symbol, strokes=written(symbol.strokes)) for symbol in answer.symbols),
        unread=written(answer.unread),
        alignment=answer.alignment[:, place],
        read_in=tuple(order),
    )
