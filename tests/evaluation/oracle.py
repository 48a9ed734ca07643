"""A recogniser that knows the truth and makes the mistakes it is told to make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inkscan.data.sample import Sample
from inkscan.errors import InkError, InkTooLarge
from inkscan.evaluation.symbol_counts import symbol_groups
from inkscan.ink import Ink
from inkscan.runtime.classifier import Classifier
from inkscan.runtime.search import SearchSettings


@dataclass(frozen=True)
class OracleSymbol:
    token: str
    strokes: tuple[int, ...]
    confidence: float = 1.0


@dataclass(frozen=True)
class OracleRecognition:
    tokens: tuple[str, ...]
    confidence: float
    symbols: tuple[OracleSymbol, ...]


class Oracle:
    """`wrong` gives other tokens for a sample's id; inks of `failing` samples are refused."""

    def __init__(
        self,
        samples: Sequence[Sample],
        wrong: Mapping[str, tuple[str, ...]],
        failing: frozenset[str] = frozenset(),
    ) -> None:
        self.members, self.second = (), None  # it has learnt from nothing
        self.classifier: Classifier | None = None
        self.known = {sample.ink: sample for sample in samples}
        self.wrong = wrong
        self.failing = failing
        self.name = "oracle"
        self.advised = ""
        self.settings = SearchSettings(beam=3, length_power=0.7)

    def answers(self, inks: Sequence[Ink]) -> list[OracleRecognition | InkError]:
        return [self._one(self.known[ink]) for ink in inks]

    def _one(self, sample: Sample) -> OracleRecognition | InkError:
        if sample.id in self.failing:
            return InkTooLarge("planted")
        tokens = self.wrong.get(sample.id, sample.tokens)
        groups = symbol_groups(tokens, sample.alignment) if len(tokens) == len(sample.tokens) else ()
        symbols = tuple(OracleSymbol(group.token, tuple(sorted(group.strokes))) for group in groups)
        return OracleRecognition(tokens, 0.25 if sample.id in self.wrong else 0.95, symbols)


def made_samples(count: int) -> list[Sample]:
    """`x ^ { 2 }`, three strokes each, no ink like another."""
    tokens, alignment = ("x", "^", "{", "2", "}"), ((0, 1), (), (), (2,), ())
    strokes = [[(0, 0), (10, 10)], [(10, 0), (0, 10)], [(12, -5), (16, -2), (12, 0), (16, 0)]]
    return [
        Sample(
            f"sample{i}",
            Ink.from_points([[(x, y + i) for x, y in stroke] for stroke in strokes]),
            tokens,
            alignment,
            source="odd" if i % 2 else "even",
        )
        for i in range(count)
    ]
