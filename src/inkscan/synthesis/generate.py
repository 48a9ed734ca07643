"""Generator: samples of ink that nobody wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink.inkml import InkmlDocument, SymbolGroup
from inkscan.ink.inkml_writer import write_inkml
from inkscan.latex.tree import Row
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.expression_grammar import ExpressionGrammar
from inkscan.synthesis.expressions import ExpressionSource
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import can_write, write_sample


@dataclass(frozen=True)
class Generator:
    """Thinks up expressions and writes them; sample i depends on the seed and i alone."""

    expressions: ExpressionSource = field(default_factory=ExpressionGrammar)
    bank: SymbolBank | None = None
    max_symbols: int = 30
    font_share: float = 0.1  # of the expressions written with the font though there is a bank
    one_writer: float = 0.7  # share of the others that keep to one writer of the bank
    care: float = 0.5  # from 0, a scrawl, to 1, a textbook

    def sample(self, rng: np.random.Generator, name: str = "generated") -> Sample:
        """One new sample."""
        row = self.expressions.sample(rng, self.max_symbols)
        return write_sample(row, self.pen(rng), rng, name)

    def samples(self, count: int, seed: int = 0, start: int = 0) -> Iterator[Sample]:
        """Samples number `start` to `start + count` of a seed."""
        for index in range(start, start + count):
            yield self.sample(np.random.default_rng((seed, index)), _name(seed, index))

    def write(self, rows: Sequence[Row], count: int, seed: int = 0) -> Iterator[Sample]:
        """Given expressions one after the other and from the first again, each time by another writer."""
        for index in range(count):
            rng = np.random.default_rng((seed, index))
            yield write_sample(rows[index % len(rows)], self.pen(rng), rng, _name(seed, index))

    def pen(self, rng: np.random.Generator) -> Pen:
        """A pen in the hand of a new writer."""
        hand = Hand.sample(rng, self.care)
        if not self.bank or rng.random() < self.font_share:
            return Pen(hand, self.bank, sparingly=True)
        writer = self.bank.choose_writer(rng) if rng.random() < self.one_writer else None
        return Pen(hand, self.bank, writer)


def _name(seed: int, index: int) -> str:
    return f"generated-{seed}-{index:06d}"


def writable(rows: Iterable[Row], bank: SymbolBank | None) -> list[Row]:
    """The expressions that can be written with the font and a bank."""
    pen = Pen(Hand.sample(np.random.default_rng(0)), bank)
    return [row for row in rows if can_write(row, pen)]


def sample_to_inkml(sample: Sample) -> bytes:
    """The ink as an InkML file with its LaTeX and one trace group a symbol."""
    groups = tuple(
        SymbolGroup(token, strokes)
        for token, strokes in zip(sample.tokens, sample.alignment, strict=True)
        if strokes
    )
    annotations = {"truth": f"${' '.join(sample.tokens)}$", "UI": sample.id}
    return write_inkml(InkmlDocument(sample.ink, annotations, groups=groups))
