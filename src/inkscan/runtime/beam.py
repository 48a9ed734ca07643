"""Beam search over inks and hypotheses at once, in NumPy; one or several networks vote on each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf, isnan

import numpy as np
import numpy.typing as npt

from inkscan.errors import Cancelled, DamagedModel
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.constraint import Constraint, Prefix
from inkscan.runtime.judge import Judge
from inkscan.runtime.network import Arrays, Encoded, Float32, Int64, Network
from inkscan.runtime.search import Bounds, SearchSettings

Float64 = npt.NDArray[np.float64]
Alphas = tuple[tuple[Float32, ...], ...]  # network -> view

_WINDOW = 24  # steps in which a hypothesis that has read less than one new stroke goes round in circles
_GROWTH = 1.5  # an answer is seldom longer than this many times the first one that was finished
_IMPOSSIBLE = -1e30  # a total below it has a token that the grammar does not permit


@dataclass(frozen=True)
class Hypothesis:
    """A finished expression of one ink; the end token is left out of `tokens` but counts in `score`."""

    tokens: tuple[int, ...]
    log_probs: tuple[float, ...]  # of each token, and of the end token last
    score: float  # their sum less what the judge counts against it, divided by length ** length_power
    alphas: Alphas = field(default=(), compare=False, repr=False)  # where it looked, each (C, H, W)


@dataclass(frozen=True)
class Found:
    """The finished hypotheses of one ink, best first."""

    hypotheses: tuple[Hypothesis, ...]

    @property
    def best(self) -> Hypothesis:
        return self.hypotheses[0]


@dataclass(frozen=True)
class _Step:
    """One step's hypotheses, kept to read finished ones backwards."""

    parent: list[int]  # the row of the step before
    token: list[int]  # the token that led here
    log_prob: list[float]
    alphas: Alphas  # each (P, H, W)


@dataclass(frozen=True)
class _Finished:
    total: float  # the sum of its log-probabilities
    log_prob: float  # of the end token
    step: int
    row: int


@dataclass
class _SearchedInk:
    """What the search knows of one ink; its live hypotheses are rows that follow one another."""

    limit: int  # of tokens, the end token included
    slots: int  # hypotheses that may live; a finished one takes its slot with it
    finished: list[_Finished] = field(default_factory=list)
    bar: float = -np.inf  # a live hypothesis below it is dropped


class BeamSearch:
    """One search over the inks of a batch that all networks have encoded."""

    def __init__(
        self,
        networks: Sequence[Network],
        encoded: Sequence[Encoded],
        vocabulary: Vocabulary,
        constraint: Constraint,
        judge: Judge,
        settings: SearchSettings,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.networks = networks
        self.memories = [e.memories for e in encoded]
        self.states: list[Arrays] = [e.state for e in encoded]
        self.vocabulary = vocabulary
        self.constraint = constraint
        self.judge = judge
        self.settings = settings
        self.cancelled = cancelled
        self.steps: list[_Step] = []

    def run(self, bounds: Sequence[Bounds]) -> list[Found]:
        """The answers of each ink within its bounds."""
        count = len(bounds)
        self.inks = [_SearchedInk(one.tokens, one.hypotheses) for one in bounds]
        ink = list(range(count))
        token, parent, log_prob = [self.vocabulary.start] * count, [0] * count, [0.0] * count
        score: Float64 = np.zeros(count)
        prefix = [self.constraint.start] * count
        while ink:
            if self.cancelled is not None and self.cancelled():
                raise Cancelled("nobody waits for this recognition any more")
            votes, alphas = self._vote(token, ink)
            self.steps.append(_Step(parent, token, log_prob, alphas))
            done = len(self.steps) - 1
            if len(self.steps) % _WINDOW == 0:
                self._stop_runaways(votes, ink, prefix)
            votes += self.constraint.penalties(prefix, [self.inks[i].limit - done for i in ink])
            parent, token = self._choose(score[:, None] + votes, votes, ink)
            rows = np.array(parent, dtype=np.intp)
            chosen = votes[rows, token]
            score, log_prob = score[rows] + chosen, chosen.tolist()
            ink = [ink[p] for p in parent]
            prefix = [self.constraint.advance(prefix[p], t) for p, t in zip(parent, token, strict=True)]
            if parent != list(range(len(votes))):
                self.states = [{name: a.take(rows, axis=0) for name, a in s.items()} for s in self.states]
        return [self._found(one) for one in self.inks]

    def _vote(self, token: list[int], ink: list[int]) -> tuple[Float64, Alphas]:
        """Log-probabilities (P, K) and attentions of the next step; leaves the new states behind."""
        tokens = np.array(token, dtype=np.int64)
        which: Int64 = np.array(ink if len(self.inks) > 1 else ink[:1], dtype=np.int64)
        results = [
            network.step(tokens, which, state, memories)
            for network, state, memories in zip(self.networks, self.states, self.memories, strict=True)
        ]
        self.states = [result.state for result in results]
        votes = [result.log_probs.astype(np.float64) for result in results]
        mean = votes[0] if len(votes) == 1 else np.logaddexp.reduce(votes, axis=0) - np.log(len(votes))
        return mean, tuple(result.alphas for result in results)

    def _stop_runaways(self, votes: Float64, ink: list[int], prefix: list[Prefix]) -> None:
        """Drop hypotheses that go round in circles; an ink that has no others must bring them to an end."""
        for number, group in groupby(range(len(ink)), key=ink.__getitem__):
            rows = list(group)
            circling = [row for row in rows if self._newly_read(row) < 1]
            if len(circling) < len(rows):
                votes[circling] = -np.inf
            else:
                closing = max(prefix[row].tokens_to_finish for row in rows)
                self.inks[number].limit = len(self.steps) - 1 + closing

    def _newly_read(self, row: int) -> float:
        """How many strokes (or cells of the first view) a hypothesis has looked at first in the last steps."""
        path = self._path(len(self.steps) - 1, row)
        looked = np.stack([step.alphas[0][0][at] for step, at in zip(self.steps, path, strict=True)])
        before, now = looked[:-_WINDOW].sum(axis=0), looked.sum(axis=0)
        return float((np.minimum(now, 1) - np.minimum(before, 1)).sum())

    def _choose(self, totals: Float64, votes: Float64, ink: list[int]) -> tuple[list[int], list[int]]:
        """The best continuations of each ink as rows and tokens; those that end are put away."""
        rows: list[int] = []
        tokens: list[int] = []
        width, end = totals.shape[1], self.vocabulary.end
        first = 0
        for number, group in groupby(ink):
            one, last = self.inks[number], first + sum(1 for _ in group)
            live = []
            for at, score in _best(totals[first:last].ravel(), one.slots, self.settings.margin):
                row, token = first + at // width, at % width
                if token == end:
                    self._finish(one, row, score, float(votes[row, end]))
                else:
                    live.append((score, row, token))
            for score, row, token in live[: one.slots]:
                if score >= one.bar:
                    rows.append(row)
                    tokens.append(token)
            first = last
        return rows, tokens

    def _finish(self, one: _SearchedInk, row: int, score: float, log_prob: float) -> None:
        one.finished.append(_Finished(score, log_prob, len(self.steps) - 1, row))
        one.slots -= 1
        # A live one below the bar, even if it grew `_GROWTH` times as long at no further loss, would be no alternative.
        one.bar = max(one.bar, (score - self.settings.spread) * _GROWTH**self.settings.length_power)

    def _found(self, one: _SearchedInk) -> Found:
        return Found(tuple(sorted(map(self._hypothesis, one.finished), key=lambda read: -read.score)))

    def _hypothesis(self, finished: _Finished) -> Hypothesis:
        path = self._path(finished.step, finished.row)
        walked = list(zip(self.steps[1 : len(path)], path[1:], strict=True))
        tokens = tuple(step.token[row] for step, row in walked)
        log_probs = (*(step.log_prob[row] for step, row in walked), finished.log_prob)
        against = self.judge.against(tokens, self.settings)
        score = (finished.total - against) / len(path) ** self.settings.length_power
        return Hypothesis(tokens, log_probs, score, self._alphas(path[:-1]))

    def _path(self, last: int, row: int) -> list[int]:
        """The rows of a hypothesis in every step up to the last."""
        path = [row]
        for step in reversed(self.steps[1 : last + 1]):
            path.append(step.parent[path[-1]])
        path.reverse()
        return path

    def _alphas(self, path: list[int]) -> Alphas:
        """The attentions along a path."""
        walked = list(zip(self.steps[: len(path)], path, strict=True))
        return tuple(
            tuple(np.stack([step.alphas[n][v][row] for step, row in walked]) for v in range(len(views)))
            for n, views in enumerate(self.steps[0].alphas)
        )


def _best(totals: Float64, count: int, margin: float) -> Iterator[tuple[int, float]]:
    """Where the largest totals are and what they are, best first: at most `count`, none far behind the first."""
    best = totals.item(totals.argmax())
    if isnan(best) or best == -inf:
        raise DamagedModel(
            "the model answers with no probabilities (NaN, or none above zero); export a sound checkpoint"
        )
    near = (totals >= max(best - margin, _IMPOSSIBLE)).nonzero()[0]
    scores = totals[near]
    order = (-scores).argsort()[:count]
    return zip(near[order].tolist(), scores[order].tolist(), strict=True)
