"""Sub-expressions: the parts of a written expression that are expressions themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import Row, parts, to_aligned_tokens, walk

_RELATIONS = r"= < > \leq \geq \neq \approx \equiv \rightarrow \in \subset ,"
_OPERATORS = r"+ - / \times \div \pm \mp \cdot"
JOINTS = frozenset((_RELATIONS + " " + _OPERATORS).split())
_CLOSING = {"(": ")", "[": "]", r"\{": r"\}"}


def subexpressions(sample: Sample, min_symbols: int = 2) -> list[Sample]:
    """Every sub-row of a sample with its own strokes: attached rows, bracketed rows, and runs of terms.

    A run of terms starts and ends at the binary operators and relations of its row. Rows in which a
    symbol has no strokes, or shares one with a symbol outside, are left out; so is the whole expression.
    """
    try:
        top = parse_tokens(sample.tokens, sample.alignment)
    except LatexError:
        return []
    owners = sample.stroke_owners()
    found: list[Sample] = []
    for row in _sub_rows(top):
        cut = _cut(sample, row, owners, min_symbols, f"{sample.id}/{len(found)}")
        if cut is not None:
            found.append(cut)
    return found


def random_piece(sample: Sample, rng: np.random.Generator) -> Sample | None:
    """Some symbols of one row that follow one another, often a single one; None where they cannot be cut out.

    Formulas are written symbol by symbol, so the unfinished and the lone must be read too: `x =`, `+`, `) ^ 2`.
    """
    try:
        top = parse_tokens(sample.tokens, sample.alignment)
    except LatexError:
        return None
    rows = [top, *(row for symbol in walk(top) for _, row in parts(symbol) if row)]
    row = rows[int(rng.random() * len(rows))]
    start = int(rng.random() * len(row))
    run = row[start : start + int(rng.geometric(0.4))]
    return _cut(sample, run, sample.stroke_owners(), 1, f"{sample.id}/piece")


def _sub_rows(top: Row) -> Iterator[Row]:
    yield from _runs(top)
    for symbol in walk(top):
        for _, row in parts(symbol):
            yield row
            yield from _runs(row)


def _runs(row: Row) -> Iterator[Row]:
    """Runs of terms and insides of brackets within a row, without the row itself."""
    terms, brackets = _terms(row)
    last = len(terms) - 1
    for first, (start, _) in enumerate(terms):
        for final in range(first, last + 1):
            if (first, final) != (0, last):
                yield row[start : terms[final][1]]
    for start, stop in brackets:
        inner = row[start:stop]
        yield inner
        yield from _runs(inner)


def _terms(row: Row) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Spans between the operators outside all brackets, and spans inside the outermost brackets."""
    terms: list[tuple[int, int]] = []
    brackets: list[tuple[int, int]] = []
    open_ones: list[tuple[str, int]] = []
    start = 0
    for index, symbol in enumerate(row):
        if symbol.label in _CLOSING:
            open_ones.append((_CLOSING[symbol.label], index))
        elif open_ones and symbol.label == open_ones[-1][0]:
            _, opened = open_ones.pop()
            if not open_ones and index > opened + 1:
                brackets.append((opened + 1, index))
        elif not open_ones and symbol.label in JOINTS and index > start:
            terms.append((start, index))
            start = index + 1
    if start < len(row):
        terms.append((start, len(row)))
    return terms, brackets


def _cut(sample: Sample, row: Row, owners: dict[int, int], min_symbols: int, name: str) -> Sample | None:
    symbols = list(walk(row))
    if len(symbols) < min_symbols or not all(symbol.strokes for symbol in symbols):
        return None
    inside: dict[int, int] = {}
    for symbol in symbols:
        for stroke in symbol.strokes:
            inside[stroke] = inside.get(stroke, 0) + 1
    if any(owners[stroke] != count for stroke, count in inside.items()):
        return None
    order = sorted(inside)
    number = {stroke: new for new, stroke in enumerate(order)}
    written = to_aligned_tokens(row)
    return Sample(
        id=name,
        ink=sample.ink.only(order),
        tokens=written.tokens,
        alignment=tuple(tuple(number[stroke] for stroke in strokes) for strokes in written.alignment),
        source=sample.source,
    )
