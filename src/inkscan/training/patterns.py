"""Patterns: what one epoch trains on, a pure function of corpus, recipe, epoch and place.

In the place of each sample of the corpus stands one pattern. First an *origin* is drawn, by shares that sum to one at
most: a part of the sample, a newly composed expression, or, for the rest, the sample itself. Then *steps* change it,
each at its own rate. Nothing here has a state: a run that resumes sees exactly the patterns that it would have seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.latex.alphabet import ALPHABET, COMPOSED
from inkscan.latex.tree import ACCENTS, PRIME, Row, Symbol, to_tokens
from inkscan.synthesis.accents import with_accents
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.distort import distort
from inkscan.synthesis.exchange import exchange_symbols
from inkscan.synthesis.expression_model import ExpressionModel
from inkscan.synthesis.expressions import layout_trees
from inkscan.synthesis.formulas import FormulaBook
from inkscan.synthesis.generate import Generator, writable
from inkscan.synthesis.layout import can_write, write_sample
from inkscan.synthesis.order import reordered
from inkscan.synthesis.pen_habits import with_pen_habit
from inkscan.synthesis.standin import with_stand_ins
from inkscan.synthesis.subexpression import random_piece, subexpressions
from inkscan.synthesis.substitute import Substitutes
from inkscan.training.recipes import Patterns, Recipe

MAX_COMPOSED = 40  # symbols of a composed expression
COMPOSED_CANDIDATES = 6  # expressions thought up, of which the one of the fitting length is written

Rng = np.random.Generator


@dataclass(frozen=True)
class Material:
    """What a run writes with beside its corpus: isolated characters, formulas."""

    bank: SymbolBank | None = None
    book: FormulaBook | None = None


class PatternSource:
    """The corpus, or a window of it, with its sub-expressions listed and its symbols in a bank.

    Characters of the extra material stand in for the corpus's symbols in a share of the patterns.
    """

    def __init__(
        self, samples: Sequence[Sample], recipe: Recipe, start: int = 0, extra: Material | None = None
    ) -> None:
        self.samples = samples
        self.recipe = recipe
        self.start = start  # samples of the epoch before these
        extra = extra or Material()
        rates = recipe.patterns
        self._parts = [subexpressions(sample) for sample in samples] if rates.subexpression else []
        # Without alignment there are no symbols to cut out, and so nothing to exchange or to compose with.
        self._bank = (
            (SymbolBank.harvest(samples) or None) if rates.exchange or rates.recombine or rates.lone else None
        )
        self._generator = _generator(samples, self._bank) if self._bank and rates.recombine else None
        self._mixed = with_stand_ins(self._bank, extra.bank) if extra.bank and self._bank else None
        self._book = extra.book
        # Formulas are written in all known symbols.
        known = self._mixed if extra.book and self._mixed else self._bank
        self._substitutes = None
        if known and rates.rename:
            counts = Counter(token for sample in samples for token in sample.tokens)
            self._substitutes = Substitutes.of(known, counts + extra.book.counts if extra.book else counts)
        self._accents = tuple(sorted({*ACCENTS, PRIME} & extra.book.counts.keys())) if extra.book else ()
        alone = extra.bank or self._bank
        self._lone = tuple(label for label in alone.entries if stands_alone(label)) if alone else ()

    def epoch(self, epoch: int, places: Iterable[int] | None = None) -> list[Sample]:
        """One pattern in the place of each sample, or of those at the given places."""
        return [self._pattern(i, epoch) for i in (range(len(self.samples)) if places is None else places)]

    def _pattern(self, i: int, epoch: int) -> Sample:
        """A pattern depends on its place in the whole corpus, not on who asks and what else is asked for."""
        rng = np.random.default_rng([self.recipe.seed, 2, epoch, self.start + i])
        rates = self.recipe.patterns
        mixed = self._mixed is not None and rng.random() < rates.extra
        bank = self._mixed if mixed else self._bank
        origin = self._draw_origin(rng)
        made = origin.make(self, i, rng, bank) if origin else None
        sample = made or self.samples[i]
        by_own_pen = bool(made and origin and origin.by_own_pen)
        for name, step in STEPS.items():
            rate = getattr(rates, name)
            if step.is_drawn(rate, bank, by_own_pen) and rng.random() < rate:
                sample = step.change(sample, rates, bank, rng)
        return sample

    def _draw_origin(self, rng: Rng) -> Origin | None:
        """One of the origins by their shares; None for the sample itself."""
        left = rng.random()
        for name, origin in ORIGINS.items():
            left -= getattr(self.recipe.patterns, name)
            if left < 0:
                return origin
        return None

    def _part(self, i: int, rng: Rng, bank: SymbolBank | None) -> Sample | None:
        """A sub-expression of the sample."""
        parts = self._parts[i]
        return parts[int(rng.random() * len(parts))] if parts else None

    def _piece(self, i: int, rng: Rng, bank: SymbolBank | None) -> Sample | None:
        """A few symbols of one row of the sample."""
        return random_piece(self.samples[i], rng)

    def _compose(self, i: int, rng: Rng, bank: SymbolBank | None) -> Sample | None:
        """A formula of a book or a newly composed expression, about as long as the one whose place it takes."""
        if self._generator is None:
            return None
        generator = replace(self._generator, bank=bank)
        tokens = len(self.samples[i].tokens)
        pen = generator.pen(rng)
        row = None
        if self._book is not None and rng.random() < self.recipe.patterns.formula:
            row = self._book.draw(tokens, rng)
            row = row if row and can_write(row, pen) else None
        row = row or _composed(generator, tokens, rng)
        if self._substitutes is not None:
            other = self._substitutes.exchanged(row, rng, self.recipe.patterns.rename)
            row = other if can_write(other, pen) else row
        if self._accents and self.recipe.patterns.accent:
            marked = with_accents(row, self._accents, rng, self.recipe.patterns.accent)
            row = marked if can_write(marked, pen) else row
        return write_sample(row, pen, rng, "composed")

    def _single(self, i: int, rng: Rng, bank: SymbolBank | None) -> Sample | None:
        """One symbol alone, all labels of the banks alike."""
        if not self._lone:
            return None
        label = self._lone[int(rng.integers(len(self._lone)))]
        pen = Generator(bank=self._mixed or self._bank, font_share=0.0).pen(rng)
        return write_sample((Symbol(label),), pen, rng, "lone")


@dataclass(frozen=True)
class Origin:
    """Where a pattern comes from, if not from the corpus as it is; None where this sample has nothing of the kind."""

    make: Callable[[PatternSource, int, Rng, SymbolBank | None], Sample | None]
    by_own_pen: bool = False  # newly written, so it needs neither exchange nor distortion


@dataclass(frozen=True)
class PatternStep:
    """A change of a pattern. At rate 0 nothing is drawn, so that a new one leaves the patterns of older runs alone."""

    change: Callable[[Sample, Patterns, SymbolBank | None, Rng], Sample]
    newly_written: bool = True  # whether patterns by a pen of their own are changed too
    needs_bank: bool = False
    drawn_at_zero: bool = False  # as the first ones were: their runs resume only with the same draws

    def is_drawn(self, rate: float, bank: SymbolBank | None, by_own_pen: bool) -> bool:
        """Whether chance is asked at all."""
        return (
            (rate > 0 or self.drawn_at_zero)
            and (bank is not None or not self.needs_bank)
            and (self.newly_written or not by_own_pen)
        )


def _exchanged(sample: Sample, rates: Patterns, bank: SymbolBank | None, rng: Rng) -> Sample:
    return exchange_symbols(sample, bank, rng, rates.exchange_rate) if bank is not None else sample


def _distorted(sample: Sample, rates: Patterns, bank: SymbolBank | None, rng: Rng) -> Sample:
    return distort(sample, rng, rates.distortion)


def _by_another_pen(sample: Sample, rates: Patterns, bank: SymbolBank | None, rng: Rng) -> Sample:
    return with_pen_habit(sample, rates.pens.draw(rng), rng)


def _in_another_order(sample: Sample, rates: Patterns, bank: SymbolBank | None, rng: Rng) -> Sample:
    return reordered(sample, rates.orders.draw(rng), rng)


# Both by the names of their rates in the recipe, in the order in which chance is asked.
ORIGINS: dict[str, Origin] = {
    "recombine": Origin(PatternSource._compose, by_own_pen=True),
    "piece": Origin(PatternSource._piece),
    "subexpression": Origin(PatternSource._part),
    "lone": Origin(PatternSource._single, by_own_pen=True),
}
STEPS: dict[str, PatternStep] = {
    "exchange": PatternStep(_exchanged, newly_written=False, needs_bank=True, drawn_at_zero=True),
    "distort": PatternStep(_distorted, newly_written=False, drawn_at_zero=True),
    "pen": PatternStep(_by_another_pen),
    "reorder": PatternStep(_in_another_order, drawn_at_zero=True),
}


def stands_alone(label: str) -> bool:
    """Whether a symbol is written without an argument."""
    entry = ALPHABET.get(label)
    return entry is not None and entry.kind not in COMPOSED


def _generator(samples: Sequence[Sample], bank: SymbolBank) -> Generator | None:
    """Composes expressions in the manner of the corpus, written with the corpus's own symbols."""
    rows = writable(layout_trees(samples), bank)
    return Generator(ExpressionModel.fit(rows), bank, max_symbols=MAX_COMPOSED) if rows else None


def _composed(generator: Generator, tokens: int, rng: Rng) -> Row:
    """A new expression about as long as asked for."""
    rows = [generator.expressions.sample(rng, generator.max_symbols) for _ in range(COMPOSED_CANDIDATES)]
    return min(rows, key=lambda row: abs(len(to_tokens(row)) - tokens))
