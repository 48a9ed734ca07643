"""ExpressionModel: new expressions in the manner of a corpus, from counts over its layout trees."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from inkscan.errors import BadCorpus
from inkscan.latex.symbols import CLOSING, OPENING
from inkscan.latex.tree import Row, Symbol, parts
from inkscan.synthesis.brackets import partners
from inkscan.synthesis.expressions import symbol_count

NO_LABEL = ""  # before the first symbol and after the last
_PARTS = ("sub", "sup", "above", "below", "inside")
_TRIES = 40


@dataclass(frozen=True, slots=True)
class _Choice:
    """Things seen at one place, to be drawn in proportion to how often they were seen."""

    things: tuple[Hashable, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(cls, counts: Counter[Hashable]) -> _Choice:
        return cls(tuple(counts), tuple(accumulate(counts.values())))

    def draw(self, rng: np.random.Generator) -> Hashable:
        return self.things[bisect_right(self.steps, rng.random() * self.steps[-1])]


@dataclass(frozen=True)
class ExpressionModel:
    """What follows what in which kind of row, and which rows are attached to which symbol."""

    following: dict[Hashable, _Choice]  # by (place, last two labels), (place, last label), (last label)
    attached: dict[Hashable, _Choice]  # by (place, label), (label): the parts that are there
    pairs: frozenset[tuple[str, str]]  # of brackets that open and close together, such as those of `[0, 1)`
    plain: Symbol  # the commonest one that nothing is attached to and that needs no other

    @classmethod
    def fit(cls, rows: Iterable[Row]) -> ExpressionModel:
        following: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
        attached: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
        pairs: set[tuple[str, str]] = set()
        leaves: Counter[str] = Counter()
        stack = [("top", row) for row in rows]
        if not stack:
            raise BadCorpus("a model of expressions needs at least one expression")
        while stack:
            place, row = stack.pop()
            leaves.update(symbol.label for symbol in row if not any(parts(symbol)))
            pairs |= {(row[at].label, row[to].label) for at, to in partners(row).items() if at < to}
            before, last = NO_LABEL, NO_LABEL
            for symbol in (*row, None):
                label = symbol.label if symbol else NO_LABEL
                for key in _contexts(place, before, last):
                    following[key][label] += 1
                before, last = last, label
                if symbol:
                    there = tuple(part for part in _PARTS if getattr(symbol, part))
                    attached[place, label][there] += 1
                    attached[label,][there] += 1
                    stack.extend((f"{_kind(label)}{part}", getattr(symbol, part)) for part in there)
        return cls(
            {key: _Choice.of(counts) for key, counts in following.items()},
            {key: _Choice.of(counts) for key, counts in attached.items()},
            frozenset(pairs),
            Symbol(
                max(leaves, key=lambda label: (label not in OPENING and label not in CLOSING, leaves[label]))
            ),
        )

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        """A new row of at most so many symbols, brackets closed."""
        best: Row = ()
        for _ in range(_TRIES):
            row = self._row("top", rng, max_symbols, 0)
            if row is not None and 1 < symbol_count(row) <= max_symbols:
                return row
            if row and (not best or symbol_count(row) < symbol_count(best)):
                best = row
        return best[:1] if best and symbol_count(best[:1]) <= max_symbols else (self.plain,)

    def _row(self, place: str, rng: np.random.Generator, budget: int, depth: int) -> Row | None:
        """None if the row does not come to a natural end within the budget."""
        row: list[Symbol] = []
        open_ones: list[str] = []
        before, last = NO_LABEL, NO_LABEL
        used = 0
        while used <= budget:
            label = self._next(place, before, last, open_ones, rng)
            if label is None:
                return None
            if label == NO_LABEL:
                bars = sum(symbol.label == "|" for symbol in row)
                return tuple(row) if bars % 2 == 0 else None
            if label in OPENING:
                open_ones.append(label)
            elif label in CLOSING:
                open_ones.pop()
            symbol = self._symbol(place, label, rng, budget - used - 1, depth)
            if symbol is None:
                return None
            row.append(symbol)
            used += symbol_count((symbol,))
            before, last = last, label
        return None

    def _next(
        self, place: str, before: str, last: str, open_ones: list[str], rng: np.random.Generator
    ) -> str | None:
        for key in _contexts(place, before, last):
            choice = self.following.get(key)
            if choice is None or (len(key) == 3 and rng.random() * (choice.steps[-1] + 6) < 6):
                continue  # the fewer such pairs were seen, the less they are trusted
            for _ in range(4):
                label = str(choice.draw(rng))
                if label == NO_LABEL and (open_ones or not last):
                    continue
                if label in CLOSING and (not open_ones or (open_ones[-1], label) not in self.pairs):
                    continue
                return label
        return None

    def _symbol(
        self, place: str, label: str, rng: np.random.Generator, budget: int, depth: int
    ) -> Symbol | None:
        choice = self.attached.get((place, label)) or self.attached[label,]
        there = choice.draw(rng)
        rows: dict[str, Row] = {}
        if isinstance(there, tuple):
            for part in there:
                row = self._row(f"{_kind(label)}{part}", rng, budget, depth + 1) if depth < 5 else None
                if not row:
                    return None
                rows[str(part)] = row
                budget -= symbol_count(row)
        return Symbol(label, (), *(rows.get(part, ()) for part in _PARTS))


def _kind(label: str) -> str:
    """Scripts of letters are alike; those of big operators and functions are their own."""
    return label if label.startswith("\\") else ""


def _contexts(place: str, before: str, last: str) -> tuple[tuple[str, ...], ...]:
    return (place, before, last), (place, last), (last,)
