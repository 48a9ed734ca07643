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

END = 0


@dataclass(frozen=True)
class Hypothesis:
    """A finished expression of one ink; the end token is left out of `tokens` but counts in `score`."""

    tokens: tuple[int, ...]
    log_probs: tuple[float, ...]  # of each token, and of the end token last
    score: float  # their sum, divided by length ** length_power
    alphas: tuple[tuple[Float32, ...], ...]  # network -> view -> (C, H, W)


@dataclass(frozen=True)
class _Step:
    """One step's hypotheses, kept to read finished ones backwards."""

    parent: Int64  # the row of the step before
    token: Int64  # the token that led here
    log_prob: Float64
    alphas: list[tuple[Float32, ...]]  # network -> view -> (P, H, W)


@dataclass(frozen=True)
class _Finished:
    score: float
    log_prob: float
    step: int
    row: int


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
        self.constraint = constraint
        self.settings = settings
        inks = len(encoded[0].state["h"])
        self.slots = np.full(inks, settings.beam)
        self.bar = np.full(inks, -np.inf)  # a live hypothesis below it is dropped
        self.finished: list[list[_Finished]] = [[] for _ in range(inks)]
        self.steps: list[_Step] = []
        self.ink: Int64 = np.arange(inks)
        self.score: Float64 = np.zeros(inks)
        self.states: list[State] = [constraint.start] * inks
        self.network_states: list[Arrays] = [e.state for e in encoded]

    def run(self, limits: Int64, start: int) -> list[list[Hypothesis]]:
        """The finished hypotheses of each ink, best first; `limits` are in tokens, the end token included."""
        token = np.full(len(self.ink), start, dtype=np.int64)
        parent, log_prob = np.zeros_like(token), np.zeros(len(token))
        while len(self.ink):
            log_probs, alphas = self._vote(token)
            self.steps.append(_Step(parent, token, log_prob, alphas))
            budgets = limits[self.ink] - (len(self.steps) - 1)
            log_probs[~self.constraint.masks(self.states, budgets.tolist())] = -np.inf
            parent, token = self._choose(log_probs)
            log_prob = log_probs[parent, token]
            self._continue_with(parent, token, log_prob)
        return [self._hypotheses(ink) for ink in range(len(self.finished))]

    def _vote(self, token: Int64) -> tuple[Float64, list[tuple[Float32, ...]]]:
        """Log-probabilities (P, K) and attentions of the next step; leaves the new states behind."""
        ink = self.ink if len(self.finished) > 1 else np.zeros(1, dtype=np.int64)
        results = [
            network.step(token, ink, state, memories)
            for network, state, memories in zip(
                self.networks, self.network_states, self.memories, strict=True
            )
        ]
        self.network_states = [result.state for result in results]
        votes = [result.log_probs.astype(np.float64) for result in results]
        mean = votes[0] if len(votes) == 1 else np.logaddexp.reduce(votes, axis=0) - np.log(len(votes))
        return mean, [result.alphas for result in results]

    def _choose(self, log_probs: Float64) -> tuple[Int64, Int64]:
        """The best continuations of each ink as (row, token); those that end are put away as finished."""
        total = self.score[:, None] + log_probs
        width = min(self.settings.beam, total.shape[1])
        tokens = np.argpartition(total, -width, axis=1)[:, -width:]
        rows = np.repeat(np.arange(len(total)), width)
        tokens = tokens.reshape(-1)
        scores = total[rows, tokens]
        inks = self.ink[rows]
        order = np.lexsort((-scores, inks))
        rows, tokens, scores, inks = rows[order], tokens[order], scores[order], inks[order]
        first = np.flatnonzero(np.diff(inks, prepend=-1))
        counts = np.diff(first, append=len(inks))
        rank = np.arange(len(inks)) - np.repeat(first, counts)
        best = np.repeat(scores[first], counts)
        bar = np.maximum(best - self.settings.margin, self.bar[inks])
        kept = (rank < self.slots[inks]) & (scores >= bar) & np.isfinite(scores)
        ends = kept & (tokens == END)
        for at in np.flatnonzero(ends).tolist():
            self._finish(int(inks[at]), int(rows[at]), float(scores[at]), float(log_probs[rows[at], END]))
        live = kept & ~ends & (scores >= self.bar[inks]) & (self.slots[inks] > 0)
        return rows[live], tokens[live]

    def _finish(self, ink: int, row: int, score: float, log_prob: float) -> None:
        length = len(self.steps)
        normalised = score / length**self.settings.length_power
        self.finished[ink].append(_Finished(normalised, log_prob, length - 1, row))
        self.slots[ink] -= 1
        if self.settings.length_power == 0:  # else a longer one may still overtake
            self.bar[ink] = max(self.bar[ink], score - self.settings.margin)

    def _continue_with(self, parent: Int64, token: Int64, log_prob: Float64) -> None:
        self.score = self.score[parent] + log_prob
        self.ink = self.ink[parent]
        self.network_states = [
            {name: a[parent] for name, a in state.items()} for state in self.network_states
        ]
        advance, states = self.constraint.advance, self.states
        self.states = [advance(states[p], t) for p, t in zip(parent.tolist(), token.tolist(), strict=True)]

    def _hypotheses(self, ink: int) -> list[Hypothesis]:
        ranked = sorted(self.finished[ink], key=lambda finished: -finished.score)
        return [self._hypothesis(finished) for finished in ranked]

    def _hypothesis(self, finished: _Finished) -> Hypothesis:
        path = [finished.row]
        for step in reversed(self.steps[1 : finished.step + 1]):
            path.append(int(step.parent[path[-1]]))
        path.reverse()  # the row of every step, the first included
        steps = self.steps[: len(path)]
        walked = list(zip(steps, path, strict=True))
        return Hypothesis(
            tokens=tuple(int(step.token[row]) for step, row in walked[1:]),
            log_probs=(*(float(step.log_prob[row]) for step, row in walked[1:]), finished.log_prob),
            score=finished.score,
            alphas=tuple(
                tuple(
                    np.stack([step.alphas[network][view][row] for step, row in walked[:-1]])
                    for view in range(len(steps[0].alphas[network]))
                )
                for network in range(len(self.networks))
            ),
        )
