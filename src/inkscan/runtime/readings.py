"""Readings: one ink in up to three orders, whose answers `runtime.voting` chooses among.

Who goes back to insert a sign writes out of order, who is left-handed may draw bars from their right end. A model
that was trained on both orders reads such ink as it was written and as its places alone tell, and, where the two
disagree, with what came late put back. Where the first two orders hardly differ and the first answer is sure, more
readings would cost more than they tell. In every order the ink is held level and upright.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inkscan.features import InkFeatures
from inkscan.ink import Ink
from inkscan.ink.forward import forward
from inkscan.ink.mended_order import in_mended_order
from inkscan.ink.reading_order import in_reading_order
from inkscan.ink.upright import upright
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.calibration import Agreement
from inkscan.runtime.interpretation import Interpreter, Looked
from inkscan.runtime.recognition import Recognition, RecognizedSymbol

NEAR = 1  # places that a stroke may come late: who writes + may begin with either stroke
SURE = -0.15  # nats a token: an answer as likely is sure
TWICE_STROKES = 250  # of an ink at most, to be read a second time
MENDED_STROKES = 40  # to be read a third time

StrokeOrder = tuple[int, ...]  # strokes by their numbers as written


@dataclass(frozen=True)
class Reading:
    """An ink as it is given to the networks."""

    ink: Ink
    order: StrokeOrder | None  # None if it is as it was written
    features: Sequence[InkFeatures]  # one for each network

    @property
    def cost(self) -> int:
        """Points, or eighths of pixels, whichever are more."""
        points = max((len(f.trace.features) for f in self.features if f.trace is not None), default=0)
        pixels = max((f.raster.image.size for f in self.features if f.raster is not None), default=0)
        return max(points, pixels // 8)


@dataclass(frozen=True)
class Read:
    """What a search found in one reading, and where its answer looked."""

    reading: Reading
    found: Found
    looked: Looked
    interpreter: Interpreter  # of the model that read it
    # Where another hypothesis looked; None for one whose symbols stand otherwise than it says.
    look: Callable[[Hypothesis], Looked | None] = field(compare=False, repr=False)
    agreement: Agreement | None = None  # of all that were asked, once there was a vote

    @property
    def answer(self) -> tuple[int, ...]:
        return self.found.best.tokens

    @property
    def is_settled(self) -> bool:
        """Whether the answer needs no second reading."""
        return is_sure(self.found) and not self.looked.unread


@dataclass(frozen=True)
class ReadingPlan:
    """How an ink is held, and in which orders it is read, one after the other."""

    written: Ink
    ink: Ink  # level and upright
    reading: StrokeOrder | None  # None if it is to be read as written alone

    @classmethod
    def of(cls, written: Ink) -> ReadingPlan:
        if len(written) > TWICE_STROKES:
            return cls.once(written)
        ink = upright(written)
        return cls(written, ink, in_reading_order(ink))

    @classmethod
    def once(cls, ink: Ink) -> ReadingPlan:
        """As it was written, and no more."""
        return cls(ink, ink, None)

    @property
    def at_once(self) -> list[StrokeOrder | None]:
        """As written and, where that is far from it, in reading order."""
        return [None] if self.reading is None or is_near(self.reading) else [None, self.reading]

    def next(self, read: Sequence[Read]) -> StrokeOrder | None:
        """The order to read in after these readings, None if they suffice."""
        if self.reading is None or len(read) > 2:
            return None
        as_numbered = tuple(range(len(self.ink)))
        if len(read) == 1:
            is_known = self.reading == as_numbered and forward(self.ink) is self.ink
            return None if is_known or read[0].is_settled else self.reading
        if is_near(self.reading) or read[0].answer == read[1].answer or len(self.ink) > MENDED_STROKES:
            return None
        mended = in_mended_order(self.ink, self.reading)
        return None if mended in (as_numbered, self.reading) else mended


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
    log_probs = found.best.log_probs
    return sum(log_probs) >= SURE * len(log_probs)


def as_written(answer: Recognition, ink: Ink, order: StrokeOrder | None) -> Recognition:
    """The answer to a reading as one to the ink itself: its strokes have their own numbers and places again."""
    numbers = order or tuple(range(len(ink)))
    place = np.argsort(np.asarray(numbers))

    def written(strokes: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(numbers[stroke] for stroke in strokes))

    def at_its_place(symbol: RecognizedSymbol) -> RecognizedSymbol:
        strokes = written(symbol.strokes)
        return replace(symbol, strokes=strokes, box=ink.box(strokes) if strokes else None)

    return replace(
        answer,
        ink=ink,
        symbols=tuple(at_its_place(symbol) for symbol in answer.symbols),
        unread=written(answer.unread),
        alignment=answer.alignment[:, place],
    )
