"""Patterns: what one epoch trains on, a pure function of corpus, recipe, epoch and place.

Nothing here has a state: a run that resumes at a step sees exactly the patterns that it would have seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.latex.tree import Row, to_tokens
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.distort import distort
from inkscan.synthesis.exchange import exchange_symbols
from inkscan.synthesis.expressions import layout_trees
from inkscan.synthesis.generate import Generator, writable
from inkscan.synthesis.layout import write_sample
from inkscan.synthesis.model import ExpressionModel
from inkscan.synthesis.rename import Letters
from inkscan.synthesis.standin import with_stand_ins
from inkscan.synthesis.subexpression import random_piece, subexpressions
from inkscan.training.recipes import Recipe

MAX_COMPOSED = 40  # symbols of a composed expression
COMPOSED_CANDIDATES = 6  # expressions thought up, of which the one of the fitting length is written


class PatternSource:
    """The corpus, or a window of it, with its sub-expressions listed and its symbols in a bank.

    `extra` is a bank of isolated characters. They stand in for the corpus's symbols in a share of the patterns; which
    expressions are composed, and of which letters, the corpus alone says.
    """

    def __init__(
        self, samples: Sequence[Sample], recipe: Recipe, start: int = 0, extra: SymbolBank | None = None
    ) -> None:
        self.samples = samples
        self.recipe = recipe
        self.start = start  # samples of the epoch before these
        rates = recipe.patterns
        self._parts = [subexpressions(sample) for sample in samples] if rates.subexpression else []
        # Without alignment there are no symbols to cut out, and so nothing to exchange or to compose with.
        self._bank = (SymbolBank.harvest(samples) or None) if rates.exchange or rates.recombine else None
        self._generator = _generator(samples, self._bank) if self._bank and rates.recombine else None
        self._letters = Letters.of(self._bank) if self._bank and rates.rename else None
        self._mixed = with_stand_ins(self._bank, extra) if extra and self._bank is not None else None

    def epoch(self, epoch: int) -> list[Sample]:
        """One pattern in the place of each sample."""
        kinds = np.random.default_rng([self.recipe.seed, 1, epoch, self.start]).random((len(self.samples), 2))
        return [self._pattern(i, epoch, kind, which) for i, (kind, which) in enumerate(kinds.tolist())]

    def _pattern(self, i: int, epoch: int, kind: float, which: float) -> Sample:
        """A sample of the corpus or a part of it, exchanged and distorted by the rates, or a composed one."""
        rng = np.random.default_rng([self.recipe.seed, 2, epoch, self.start + i])
        rates = self.recipe.patterns
        mixed = self._mixed is not None and rng.random() < rates.extra
        bank = self._mixed if mixed else self._bank
        sample = self.samples[i]
        if self._generator is not None and kind < rates.recombine:
            generator = replace(self._generator, bank=bank)
            row = _composed(generator, len(sample.tokens), rng)
            if self._letters is not None:
                row = self._letters.renamed(row, rng, rates.rename)
            return write_sample(row, generator.pen(rng), rng, "composed")
        parts = self._parts[i] if self._parts else []
        if parts and kind >= 1 - rates.subexpression:
            sample = parts[int(which * len(parts))]
        elif rates.recombine <= kind < rates.recombine + rates.piece:
            sample = random_piece(sample, rng) or sample
        if bank is not None and rng.random() < rates.exchange:
            sample = exchange_symbols(sample, bank, rng, rates.exchange_rate)
        if rng.random() < rates.distort:
            sample = distort(sample, rng, rates.distortion)
        return sample


def _generator(samples: Sequence[Sample], bank: SymbolBank) -> Generator | None:
    """Composes expressions in the manner of the corpus, written with the corpus's own symbols."""
    rows = writable(layout_trees(samples), bank)
    return Generator(ExpressionModel.fit(rows), bank, max_symbols=MAX_COMPOSED) if rows else None


def _composed(generator: Generator, tokens: int, rng: np.random.Generator) -> Row:
    """A new expression about as long as the one whose place it takes."""
    rows = [generator.expressions.sample(rng, generator.max_symbols) for _ in range(COMPOSED_CANDIDATES)]
    return min(rows, key=lambda row: abs(len(to_tokens(row)) - tokens))
