"""Layout: writes a tree of symbols as ink, so that every stroke's symbol is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inkscan.data.sample import Sample
from inkscan.errors import NoStrokes
from inkscan.ink import Ink, Stroke
from inkscan.latex.tree import Row, Symbol, to_aligned_tokens, walk
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.penmanship import put_down
from inkscan.synthesis.scribe import PlacedRow, Scribe


@dataclass(frozen=True)
class Written:
    """An ink and the tree it was written from, each symbol with its strokes."""

    ink: Ink
    row: Row


def can_write(row: Row, pen: Pen) -> bool:
    """Whether a pen knows every symbol of a tree, and the layout where to put it."""
    return all(pen.can_draw(symbol.label) for symbol in walk(row))


def write_row(row: Row, pen: Pen, rng: np.random.Generator) -> Written:
    """Write a tree of symbols; any strokes that it names are replaced."""
    if not row:
        raise NoStrokes("an empty expression has no ink")
    scribe = Scribe(pen, rng)
    block, placed = scribe.row(row, 1.0)
    strokes, owners = put_down(block, pen.hand, rng)
    owned: list[list[int]] = [[] for _ in range(scribe.count)]
    for stroke, owner in enumerate(owners):
        owned[owner].append(stroke)
    return Written(Ink(tuple(map(Stroke, strokes))), _with_strokes(placed, owned))


def write_sample(
    row: Row, pen: Pen, rng: np.random.Generator, name: str, source: str = "generated"
) -> Sample:
    """Write a tree of symbols as a labelled sample."""
    written = write_row(row, pen, rng)
    truth = to_aligned_tokens(written.row)
    return Sample(name, written.ink, truth.tokens, truth.alignment, source)


def _with_strokes(row: PlacedRow, owned: list[list[int]]) -> Row:
    return tuple(
        Symbol(
            placed.symbol.label,
            tuple(owned[placed.piece]),
            sub=_with_strokes(placed.sub, owned),
            sup=_with_strokes(placed.sup, owned),
            above=_with_strokes(placed.above, owned),
            below=_with_strokes(placed.below, owned),
            inside=_with_strokes(placed.inside, owned),
        )
        for placed in row
    )
