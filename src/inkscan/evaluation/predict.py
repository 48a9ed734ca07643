"""Predictions: a recogniser's answers for samples, failures included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from inkscan.data.sample import Sample
from inkscan.errors import InkError
from inkscan.evaluation.symbol_counts import LabelledGroup
from inkscan.ink import Ink

BATCH = 64


class AnySymbol(Protocol):
    @property
    def token(self) -> str: ...
    @property
    def strokes(self) -> Sequence[int]: ...


class AnyRecognition(Protocol):
    @property
    def tokens(self) -> Sequence[str]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def symbols(self) -> Sequence[AnySymbol]: ...


class AnyRecognizer(Protocol):
    """What an evaluation needs of `inkscan.runtime`'s recogniser."""

    def answers(self, inks: Sequence[Ink]) -> Sequence[AnyRecognition | InkError]: ...


@dataclass(frozen=True)
class Prediction:
    """An answer, or the code of the error in its place."""

    tokens: tuple[str, ...] = ()
    confidence: float | None = None
    symbols: tuple[LabelledGroup, ...] = ()
    failure: str = ""


def predict(
    recognizer: AnyRecognizer,
    samples: Sequence[Sample],
    on_done: Callable[[int], None] = lambda count: None,
) -> list[Prediction]:
    """One prediction for each sample, in their order; inks of like size are read together."""
    predictions = [Prediction()] * len(samples)
    by_size = sorted(range(len(samples)), key=lambda i: samples[i].ink.point_count)
    for start in range(0, len(by_size), BATCH):
        chosen = by_size[start : start + BATCH]
        answers = recognizer.answers([samples[i].ink for i in chosen])
        for i, answer in zip(chosen, answers, strict=True):
            predictions[i] = _prediction(answer)
        on_done(len(chosen))
    return predictions


def _prediction(answer: AnyRecognition | InkError) -> Prediction:
    if isinstance(answer, InkError):
        return Prediction(failure=answer.code)
    symbols = (LabelledGroup(symbol.token, frozenset(symbol.strokes)) for symbol in answer.symbols)
    return Prediction(tuple(answer.tokens), float(answer.confidence), tuple(symbols))
