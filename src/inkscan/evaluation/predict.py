"""Predictions: a recogniser's answers for samples, failures included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from inkscan.data.sample import Sample
from inkscan.errors import InkscanError
from inkscan.ink import Ink
from inkscan.metrics.segmentation import LabelledGroup

BATCH = 32


class RecognizedSymbol(Protocol):
    @property
    def token(self) -> str: ...
    @property
    def strokes(self) -> Sequence[int]: ...


class Recognition(Protocol):
    @property
    def tokens(self) -> Sequence[str]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def symbols(self) -> Sequence[RecognizedSymbol]: ...


class Recognizer(Protocol):
    """What an evaluation needs of `inkscan.runtime`'s recogniser."""

    def many(self, inks: Sequence[Ink]) -> Sequence[Recognition]: ...


@dataclass(frozen=True)
class Prediction:
    """An answer, or the code of the error in its place."""

    tokens: tuple[str, ...] = ()
    confidence: float | None = None
    symbols: tuple[LabelledGroup, ...] = ()
    failure: str = ""


def predict(
    recognizer: Recognizer,
    samples: Sequence[Sample],
    on_done: Callable[[int], None] = lambda count: None,
) -> list[Prediction]:
    """One prediction for each sample, in their order; inks of like size are read together."""
    predictions = [Prediction()] * len(samples)
    by_size = sorted(range(len(samples)), key=lambda i: samples[i].ink.point_count)
    for start in range(0, len(by_size), BATCH):
        chosen = by_size[start : start + BATCH]
        answers = _answers(recognizer, [samples[i].ink for i in chosen])
        for i, answer in zip(chosen, answers, strict=True):
            predictions[i] = answer
        on_done(len(chosen))
    return predictions


def _answers(recognizer: Recognizer, inks: Sequence[Ink]) -> list[Prediction]:
    """An ink that cannot be answered takes none of its neighbours with it."""
    try:
        return [_prediction(recognition) for recognition in recognizer.many(inks)]
    except InkscanError as error:
        if len(inks) == 1:
            return [Prediction(failure=error.code)]
        return [answer for ink in inks for answer in _answers(recognizer, [ink])]


def _prediction(recognition: Recognition) -> Prediction:
    symbols = (LabelledGroup(symbol.token, frozenset(symbol.strokes)) for symbol in recognition.symbols)
    return Prediction(tuple(recognition.tokens), float(recognition.confidence), tuple(symbols))
