"""Patterns: what one epoch trains on, a pure function of corpus, recipe, epoch and place.

Nothing here has a state: a run that resumes at a step sees exactly the patterns that it would have seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.features.trace import average_stroke_height, space_evenly
from inkscan.latex.tree import Row, parse_tokens, to_tokens
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.distort import distort
from inkscan.synthesis.exchange import exchange_symbols
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.layout import write_sample
from inkscan.synthesis.model import ExpressionModel
from inkscan.synthesis.rename import Letters
from inkscan.synthesis.subexpression import subexpressions
from inkscan.training.recipes import Recipe

BATCHES_A_POOL = 6
MAX_COMPOSED = 40  # symbols of a composed expression
COMPOSED_CANDIDATES = 6  # expressions thought up, of which the one of the fitting length is written


@dataclass(frozen=True)
class Pattern:
    """A place in the corpus and, if not its whole expression, which part of it; None is a composed one."""

    sample: int | None
    part: int | None
    points: int  # about
    tokens: int


class PatternSource:
    """The corpus, or a window of it, with its sub-expressions listed and its symbols in a bank."""

    def __init__(self, samples: Sequence[Sample], recipe: Recipe, start: int = 0) -> None:
        self.samples = samples
        self.recipe = recipe
        self.start = start  # samples of the epoch before these
        rates = recipe.patterns
        spacing = recipe.features.spacing
        self._tokens = [len(sample.tokens) for sample in samples]
        self._points = [_point_count(sample, spacing) for sample in samples]
        self._parts = [subexpressions(sample) for sample in samples] if rates.subexpression else []
        self._bank = SymbolBank.harvest(samples) if rates.exchange or rates.recombine else None
        self._generator = _generator(samples, self._bank) if rates.recombine else None
        self._letters = Letters.of(self._bank) if self._bank and rates.rename else None

    def epoch(self, epoch: int) -> list[Pattern]:
        """One pattern a sample, in corpus order."""
        rng = np.random.default_rng([self.recipe.seed, 1, epoch, self.start])
        rates = self.recipe.patterns
        kinds = rng.random((len(self.samples), 2))
        chosen = []
        for i, (kind, which) in enumerate(kinds):
            parts = self._parts[i] if self._parts else []
            if self._generator is not None and kind < rates.recombine:
                chosen.append(Pattern(None, None, self._points[i], self._tokens[i]))
            elif parts and kind >= 1 - rates.subexpression:
                part = int(which * len(parts))
                share = len(parts[part].ink) / len(self.samples[i].ink)
                chosen.append(Pattern(i, part, int(self._points[i] * share), len(parts[part].tokens)))
            else:
                chosen.append(Pattern(i, None, self._points[i], self._tokens[i]))
        return chosen

    def realise(self, pattern: Pattern, epoch: int, place: int) -> Sample:
        """Make a pattern's sample: cut, exchanged and distorted by the rates."""
        rng = np.random.default_rng([self.recipe.seed, 2, epoch, self.start + place])
        rates = self.recipe.patterns
        if pattern.sample is None:
            assert self._generator is not None
            row = _composed(self._generator, pattern.tokens, rng)
            if self._letters is not None:
                row = self._letters.renamed(row, rng, rates.rename)
            return write_sample(row, self._generator.pen(rng), rng, "composed")
        whole, part = self.samples[pattern.sample], pattern.part
        sample = whole if part is None else self._parts[pattern.sample][part]
        if self._bank is not None and rng.random() < rates.exchange:
            sample = exchange_symbols(sample, self._bank, rng, rates.exchange_rate)
        if rng.random() < rates.distort:
            sample = distort(sample, rng, rates.distortion)
        return sample


def _generator(samples: Sequence[Sample], bank: SymbolBank | None) -> Generator:
    """Composes expressions in the manner of the corpus, written with the corpus's own symbols."""
    return Generator(ExpressionModel.fit(_rows(samples)), bank, max_symbols=MAX_COMPOSED)


def _composed(generator: Generator, tokens: int, rng: np.random.Generator) -> Row:
    """A new expression about as long as its batch expects."""
    rows = [generator.expressions.sample(rng, generator.max_symbols) for _ in range(COMPOSED_CANDIDATES)]
    return min(rows, key=lambda row: abs(len(to_tokens(row)) - tokens))


def _rows(samples: Sequence[Sample]) -> Iterator[Row]:
    """The layout trees of the samples that have one."""
    for sample in samples:
        with suppress(LatexError):
            yield parse_tokens(sample.tokens)


def _point_count(sample: Sample, spacing: float) -> int:
    strokes = [stroke.xy for stroke in sample.ink.strokes]
    unit = average_stroke_height(strokes)
    return sum(len(space_evenly(stroke, spacing * unit)) for stroke in strokes)


def batches(patterns: Sequence[Pattern], recipe: Recipe, epoch: int, start: int = 0) -> list[list[int]]:
    """Places of an epoch's patterns, from `start` on, in batches of like length and in random order.

    Patterns of like numbers of points are drawn together first, and among them those of like numbers of tokens:
    the encoder's work goes with the one, the decoder's with the other.
    """
    rng = np.random.default_rng([recipe.seed, 3, epoch, start])
    points = np.array([pattern.points for pattern in patterns]) * rng.uniform(0.9, 1.1, len(patterns))
    tokens = np.array([pattern.tokens for pattern in patterns])
    by_points = np.argsort(points, kind="stable")
    pool = recipe.batch_size * BATCHES_A_POOL
    order = [
        place
        for start in range(0, len(by_points), pool)
        for place in sorted(by_points[start : start + pool].tolist(), key=lambda place: tokens[place])
    ]
    groups: list[list[int]] = []
    group: list[int] = []
    longest = 0.0
    for place in order:
        longest = max(longest, points[place])
        if group and (len(group) == recipe.batch_size or (len(group) + 1) * longest > recipe.max_points):
            groups.append(group)
            group, longest = [], points[place]
        group.append(place)
    groups.append(group)
    return [groups[g] for g in rng.permutation(len(groups)).tolist()]
