"""Symbols found in the ink: groups of strokes, with and without their labels, against the truth's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inkscan.errors import LatexError
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import walk


@dataclass(frozen=True)
class LabelledGroup:
    """A symbol: its token and the strokes that write it."""

    token: str
    strokes: frozenset[int]


@dataclass(frozen=True)
class SymbolCounts:
    """Symbols of the truth and of the prediction, and how many of them agree."""

    truth: int
    predicted: int
    segmented: int  # the same strokes
    recognized: int  # the same strokes and the same token


def symbol_groups(tokens: Sequence[str], alignment: Sequence[Sequence[int]]) -> tuple[LabelledGroup, ...]:
    """The symbols of an aligned truth; empty where the file does not say the strokes of every symbol."""
    try:
        row = parse_tokens(tokens, alignment)
    except LatexError:
        return ()
    groups = tuple(LabelledGroup(symbol.label, frozenset(symbol.strokes)) for symbol in walk(row))
    return groups if all(group.strokes for group in groups) else ()


def count_symbols(truth: Iterable[LabelledGroup], predicted: Iterable[LabelledGroup]) -> SymbolCounts:
    """Each symbol agrees with at most one of the other side; predicted ones without strokes are left out."""
    wanted = Counter(truth)
    given = Counter(group for group in predicted if group.strokes)
    return SymbolCounts(
        truth=wanted.total(),
        predicted=given.total(),
        segmented=(_strokes(wanted) & _strokes(given)).total(),
        recognized=(wanted & given).total(),
    )


def _strokes(groups: Counter[LabelledGroup]) -> Counter[frozenset[int]]:
    return Counter(group.strokes for group in groups.elements())
