"""Accents: letters with a mark over or behind them, which corpora of school mathematics hardly have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inkscan.latex.tree import ACCENTS, PRIME, Row, Symbol, parts, with_rows
from inkscan.synthesis.substitute import is_letter

PRIMES = 0.5  # of the marks that are primes, where they may be
TWO_PRIMES = 0.2  # of these


def with_accents(row: Row, marks: Sequence[str], rng: np.random.Generator, rate: float) -> Row:
    """The row with a share of its letters marked, a letter alike wherever it stands. Half of the marks are primes, if
    they are among those given; all others are alike."""
    return _row(row, _Marker(marks, rng, rate))


class _Marker:
    """Decides for each letter once."""

    def __init__(self, marks: Sequence[str], rng: np.random.Generator, rate: float) -> None:
        self._accents = [mark for mark in marks if mark != PRIME]
        self._primes = (PRIMES if self._accents else 1.0) if PRIME in marks else 0.0
        self._rng, self._rate = rng, rate
        self._marks: dict[str, tuple[str, ...]] = {}

    def marks_of(self, letter: str) -> tuple[str, ...]:
        """One accent, one or two primes, or nothing."""
        if letter not in self._marks:
            self._marks[letter] = self._drawn() if self._rng.random() < self._rate else ()
        return self._marks[letter]

    def _drawn(self) -> tuple[str, ...]:
        if self._rng.random() < self._primes:
            return (PRIME,) * (2 if self._rng.random() < TWO_PRIMES else 1)
        return (self._accents[int(self._rng.integers(len(self._accents)))],)


def _row(row: Row, marker: _Marker) -> Row:
    return tuple(_symbol(symbol, marker) for symbol in row)


def _symbol(symbol: Symbol, marker: _Marker) -> Symbol:
    if symbol.label in ACCENTS:  # nobody marks a letter twice
        return symbol
    symbol = with_rows(symbol, {name: _row(part, marker) for name, part in parts(symbol)})
    marks = marker.marks_of(symbol.label) if is_letter(symbol.label) else ()
    if not marks or symbol.has_limits:  # limits take the places of scripts
        return symbol
    if PRIME in marks:  # before a power, as people write them
        return replace(symbol, sup=(*(Symbol(mark) for mark in marks), *symbol.sup))
    return replace(symbol, label=marks[0], inside=(Symbol(symbol.label),))
