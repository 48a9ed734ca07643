"""Shapes: what the symbols of an answer look like, as a classifier of single symbols sees them.

The search knows what an expression says and reads the pen's way; the classifier knows neither, only pictures. Where
several answers are likely it tells which of them the ink looks like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_

import numpy as np
import numpy.typing as npt

from inkscan.features.symbol_pictures import StrokeGroup
from inkscan.ink import Ink
from inkscan.runtime.classifier import Classifier
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.network import Float32
from inkscan.runtime.segmentation import is_written

FLOOR = -10.0  # nats: no single symbol speaks louder against an answer
WITHOUT_STROKES = -2.0  # nats, of a symbol that no stroke is left for


@dataclass(frozen=True)
class SegmentedAnswer:
    """An answer and the strokes of each of its tokens, as the ink has them."""

    tokens: tuple[str, ...]
    strokes: tuple[StrokeGroup, ...]

    def symbols(self) -> Counter[tuple[str, StrokeGroup]]:
        written = zip(self.tokens, self.strokes, is_written(self.tokens), strict=True)
        return Counter((token, group) for token, group, has_ink in written if has_ink)


class Shapes:
    """One ink, of whose strokes each group is looked at once."""

    def __init__(self, classifier: Classifier, ink: Ink, constraint: Constraint) -> None:
        self._classifier = classifier
        self._ink = ink
        self._constraint = constraint
        self._number = classifier.info.vocabulary.index
        self._seen: dict[StrokeGroup, Float32] = {}

    def weigh(self, answers: Sequence[SegmentedAnswer]) -> list[float]:
        """Log-probabilities of the symbols of each answer, without those that all of them have alike."""
        symbols = [answer.symbols() for answer in answers]
        shared = reduce(and_, symbols)
        different = [one - shared for one in symbols]
        self._look_at({group for one in different for _, group in one if group})
        return [sum(count * self._says(*symbol) for symbol, count in one.items()) for one in different]

    @cached_property
    def _possible(self) -> npt.NDArray[np.bool_]:
        """Which classes an answer may have; what is no symbol always may be none."""
        tokens = self._classifier.info.vocabulary.tokens
        return np.array([*map(self._constraint.allows, tokens), True])

    def _look_at(self, groups: set[StrokeGroup]) -> None:
        new = sorted(groups - self._seen.keys())
        if new:
            scores = np.where(self._possible, self._classifier.scores(self._ink, new), -np.inf)
            self._seen |= zip(new, scores - np.logaddexp.reduce(scores, axis=1, keepdims=True), strict=True)

    def _says(self, token: str, group: StrokeGroup) -> float:
        if not group:
            return WITHOUT_STROKES
        return max(float(self._seen[group][self._number[token]]), FLOOR)
