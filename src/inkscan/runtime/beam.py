"""Beam search over inks and hypotheses at once, in NumPy; one or several networks vote on each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.latex.grammar import State
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.network import Arrays, Encoded, Float32, Int64, Network
from inkscan.runtime.search import SearchSettings

Float64 = npt.NDArray[np.float64]
Alphas = tuple[tuple[Float32, ...], ...]  # network -> view

END = 0


@dataclass(frozen=True)
class Hypothesis:
    """A finished expression of one ink; the end token is left out of `tokens` but counts in `score`."""

    tokens: tuple[int, ...]
    log_probs: tuple[float, ...]  # of each token, and of the end token last
    score: float  # their sum, divided by length ** length_power


@dataclass(frozen=True)
class Found:
    """The finished hypotheses of one ink, best first, and where the best one looked."""

    hypotheses: tuple[Hypothesis, ...]
    alphas: Alphas  # each (C, H, W)


@dataclass(frozen=True)
class _Step:
    """One step's hypotheses, kept to read finished ones backwards."""

    parent: list[int]  # the row of the step before
    token: list[int]  # the token that led here
    log_prob: list[float]
    alphas: Alphas  # each (P, H, W)


@dataclass(frozen=True)
class _Finished:
    score: float
    log_prob: float
    step: int
    row: int


@dataclass
class _Ink:
    """What the search knows of one ink; its live hypotheses are rows that follow one another."""

    limit: int  # of tokens, the end token included
    slots: int  # hypotheses that may live; a finished one takes its slot with it
    finished: list[_Finished]
    bar: float = -np.inf  # a live hypothesis below it is dropped


class BeamSearch:
    """One search over the inks of a batch that all networks have encoded."""

    def __init__(
        self,
        networks: Sequence[Network],
        encoded: Sequence[Encoded],
        constraint: Constraint,
        settings: SearchSettings,
    ) -> None:
        self.networks = networks
        self.memories = [e.memories for e in encoded]
        self.states: list[Arrays] = [e.state for e in encoded]
        self.constraint = constraint
        self.settings = settings
        self.steps: list[_Step] = []

    def run(self, limits: Sequence[int], start: int) -> list[Found]:
        """The answers of each ink; `limits` are in tokens, the end token included."""
        count = len(limits)
        self.inks = [_Ink(limit, self.settings.beam, []) for limit in limits]
        ink = list(range(count))
        token, parent, log_prob = [start] * count, [0] * count, [0.0] * count
        score: Float64 = np.zeros(count)
        grammar: list[State] = [self.constraint.start] * count
        while ink:
            votes, alphas = self._vote(token, ink)
            self.steps.append(_Step(parent, token, log_prob, alphas))
            done = len(self.steps) - 1
            votes += self.constraint.penalties(grammar, [self.inks[i].limit - done for i in ink])
            parent, token = self._choose(score[:, None] + votes, votes, ink)
            rows = np.array(parent, dtype=np.intp)
            chosen = votes[rows, token]
            score, log_prob = score[rows] + chosen, chosen.tolist()
            ink = [ink[p] for p in parent]
            grammar = [self.constraint.advance(grammar[p], t) for p, t in zip(parent, token, strict=True)]
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

    def _choose(self, totals: Float64, votes: Float64, ink: list[int]) -> tuple[list[int], list[int]]:
        """The best continuations of each ink as rows and tokens; those that end are put away."""
        rows: list[int] = []
        tokens: list[int] = []
        vocabulary = totals.shape[1]
        first = 0
        while first < len(ink):
            last = first + 1
            while last < len(ink) and ink[last] == ink[first]:
                last += 1
            one, block = self.inks[ink[first]], totals[first:last].reshape(-1)
            best = (
                block.argpartition(-one.slots)[-one.slots :]
                if one.slots < len(block)
                else np.arange(len(block))
            )
            scores = block[best]
            order = scores.argsort()[::-1]
            live: list[tuple[float, int, int]] = []
            bar = float(scores[order[0]]) - self.settings.margin
            for at, score in zip(best[order].tolist(), scores[order].tolist(), strict=True):
                if score < bar or score == -np.inf:
                    break
                row, token = first + at // vocabulary, at % vocabulary
                if token == END:
                    self._finish(one, row, score, float(votes[row, END]))
                else:
                    live.append((score, row, token))
            for score, row, token in live[: one.slots]:
                if score >= one.bar:
                    rows.append(row)
                    tokens.append(token)
            first = last
        return rows, tokens

    def _finish(self, one: _Ink, row: int, score: float, log_prob: float) -> None:
        length = len(self.steps)
        normalised = score / length**self.settings.length_power
        one.finished.append(_Finished(normalised, log_prob, length - 1, row))
        one.slots -= 1
        if self.settings.length_power == 0:  # else a longer one may still overtake
            one.bar = max(one.bar, score - self.settings.spread)

    def _found(self, one: _Ink) -> Found:
        ranked = sorted(one.finished, key=lambda finished: -finished.score)
        paths = [self._path(finished) for finished in ranked]
        hypotheses = []
        for finished, path in zip(ranked, paths, strict=True):
            walked = list(zip(self.steps[1:], path[1:], strict=False))
            log_probs = (*(step.log_prob[row] for step, row in walked), finished.log_prob)
            hypotheses.append(
                Hypothesis(tuple(step.token[row] for step, row in walked), log_probs, finished.score)
            )
        return Found(tuple(hypotheses), self._alphas(paths[0][:-1]))

    def _path(self, finished: _Finished) -> list[int]:
        """The row of every step up to the one in which a hypothesis ended."""
        path = [finished.row]
        for step in reversed(self.steps[1 : finished.step + 1]):
            path.append(step.parent[path[-1]])
        path.reverse()
        return path

    def _alphas(self, path: list[int]) -> Alphas:
        """The attentions along a path."""
        walked = list(zip(self.steps, path, strict=False))
        return tuple(
            tuple(np.stack([step.alphas[n][v][row] for step, row in walked]) for v in range(len(views)))
            for n, views in enumerate(self.steps[0].alphas)
        )
