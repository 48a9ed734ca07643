"""The SCAN paper's Eqs. (26)(27): the search over any model of the next symbol."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

from tests.models.encoder_equations import Array

NextSymbol = Callable[[tuple[int, ...]], Array]  # the symbols so far -> p(y_t), (K,)


class Hypothesis(NamedTuple):
    """A sequence of symbols and its score S_t; least is best."""

    score: float
    y: tuple[int, ...]


def expand(hypothesis: Hypothesis, p_next: NextSymbol) -> list[Hypothesis]:
    """Eq. (27): S_t = S_{t-1} - log p(y_t) for every symbol of the vocabulary."""
    score, y = hypothesis
    return [Hypothesis(score - math.log(p) if p > 0 else math.inf, (*y, k)) for k, p in enumerate(p_next(y))]


def exact_search(p_next: NextSymbol, K: int, eos: int, longest: int) -> Hypothesis:
    """Eq. (26): the likeliest sequence that ends in <eos>, by trying all of up to `longest` symbols."""
    symbols = [k for k in range(K) if k != eos]
    bodies = itertools.chain.from_iterable(itertools.product(symbols, repeat=n) for n in range(longest))
    best = Hypothesis(math.inf, ())
    for body in bodies:
        hypothesis = Hypothesis(0.0, ())
        for symbol in (*body, eos):
            hypothesis = expand(hypothesis, p_next)[symbol]
        best = min(best, hypothesis)
    return best


def beam_search(
    p_next: NextSymbol, eos: int, longest: int, width: int = 10, *, by_length: bool = False
) -> list[Hypothesis]:
    """Sec. 5.2 with Eq. (27): the finished hypotheses, best first.

    Read literally: a finished one keeps its place among the `width` best until better ones push it out.
    `by_length`, not in the paper but in the authors' code, ranks them in the end by score over length.
    """
    kept = [Hypothesis(0.0, ())]
    for _ in range(longest):
        candidates: list[Hypothesis] = []
        for hypothesis in kept:
            finished = hypothesis.y[-1:] == (eos,)
            candidates += [hypothesis] if finished else expand(hypothesis, p_next)
        kept = sorted(candidates)[:width]
    finished_ones = [hypothesis for hypothesis in kept if hypothesis.y[-1] == eos]
    return sorted(finished_ones, key=lambda h: h.score / len(h.y) if by_length else h.score)
