"""Expressions: where the rows of symbols that are to be written come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from inkscan.latex.tree import Row, walk

_TRIES = 30


class ExpressionSource(Protocol):
    """Anything that can think up expressions."""

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        """A new row of at most so many symbols."""


@dataclass(frozen=True)
class GivenRows:
    """Expressions taken at random from given ones, such as those of a corpus."""

    rows: Sequence[Row]

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        for _ in range(_TRIES):
            row = self.rows[int(rng.integers(len(self.rows)))]
            if symbol_count(row) <= max_symbols:
                return row
        return min(self.rows, key=symbol_count)


def symbol_count(row: Row) -> int:
    """How many symbols are to be written."""
    return sum(1 for _ in walk(row))
