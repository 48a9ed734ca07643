"""Language: how likely formulas say what an answer says, apart from the ink.

The readers have learnt what formulas say along with how they look, and much of what they learnt from was made up, so
that rare symbols come often. A language model has read real formulas alone. Where several answers are likely it tells
which of them people write. Accents it does not judge: in one formula of fifty it has hardly met them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from inkscan.errors import DamagedModel
from inkscan.latex.tree import ACCENTS
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.contract import ANSWERS, next_tokens
from inkscan.runtime.models import CLASSIFIER_JSON, LANGUAGE_GRAPH
from inkscan.runtime.network import check_session, open_session, run_graph

A_TOKEN = 0.54  # nats that each token has in favour of it: a sum of log-probabilities is against long answers
TOKENS_AT_ONCE = 8_000

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class LanguageModel:
    """language.onnx, made ready when it is first asked. Calls are independent, so threads may share it."""

    graph: bytes = field(repr=False)
    vocabulary: Vocabulary
    threads: int = 1

    @cached_property
    def session(self) -> Any:
        session = open_session(self.graph, LANGUAGE_GRAPH, self.threads)
        contract = ((ANSWERS,), (next_tokens(len(self.vocabulary)),))
        check_session(session, LANGUAGE_GRAPH, *contract, CLASSIFIER_JSON)
        return session

    def fluency(self, answers: Sequence[Tokens]) -> list[float]:
        """The log-probability of each answer without its accents, its end included, with what is due to its length."""
        answers = [self._without_accents(answer) for answer in answers]
        width = max(map(len, answers)) + 1
        at_once = max(TOKENS_AT_ONCE // width, 1)
        parts = [answers[first : first + at_once] for first in range(0, len(answers), at_once)]
        return [fluency for part in parts for fluency in self._fluency(part)]

    def _fluency(self, answers: Sequence[Tokens]) -> list[float]:
        width = max(map(len, answers)) + 1
        padded = np.full((len(answers), width), self.vocabulary.end, dtype=np.int64)
        for row, answer in zip(padded, answers, strict=True):
            row[: len(answer)] = answer
        (log_probs,) = run_graph(self.session, LANGUAGE_GRAPH, None, {ANSWERS.name: padded})
        if log_probs.shape != (*padded.shape, len(self.vocabulary)) or not np.isfinite(log_probs).all():
            raise DamagedModel(
                f"{LANGUAGE_GRAPH} answers with what are no log-probabilities of each token in each place; "
                "export a sound one"
            )
        said = np.take_along_axis(log_probs, padded[..., None], axis=2)[..., 0]
        return [
            float(row[: len(answer) + 1].sum(dtype=np.float64)) + A_TOKEN * len(answer)
            for row, answer in zip(said, answers, strict=True)
        ]

    @cached_property
    def _accents(self) -> frozenset[int]:
        return frozenset(number for token, number in self.vocabulary.index.items() if token in ACCENTS)

    def _without_accents(self, answer: Tokens) -> Tokens:
        """The answer with x in the place of \\hat { x }."""
        if self._accents.isdisjoint(answer):
            return answer
        brace, end_brace = self.vocabulary.index["{"], self.vocabulary.index["}"]
        kept: list[int] = []
        groups: list[bool] = []  # those that are open, and whether an accent's
        for at, token in enumerate(answer):
            if token in self._accents:
                continue
            if token == brace:
                groups.append(at > 0 and answer[at - 1] in self._accents)
            if token not in (brace, end_brace) or not groups or not groups[-1]:
                kept.append(token)
            if token == end_brace and groups:
                groups.pop()
        return tuple(kept)

    def __reduce__(self) -> tuple[Any, ...]:
        return LanguageModel, (self.graph, self.vocabulary, self.threads)


class Fluency:
    """The answers to one ink, each looked at once."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._known: dict[Tokens, float] = {}

    def of(self, answers: Sequence[Tokens]) -> list[float]:
        """The fluency of each answer."""
        new = sorted(set(answers) - self._known.keys())
        if new:
            self._known |= zip(new, self._model.fluency(new), strict=True)
        return [self._known[answer] for answer in answers]
