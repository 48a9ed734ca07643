"""Expressions: where the rows of symbols that are to be written come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Protocol

import numpy as np

from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import Row, walk


class ExpressionSource(Protocol):
    """Anything that can think up expressions."""

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        """A new row of at most so many symbols."""


def layout_trees(samples: Iterable[Sample]) -> Iterator[Row]:
    """The trees of a corpus; expressions that have none tell nothing about layout."""
    for sample in samples:
        with suppress(LatexError):
            yield parse_tokens(sample.tokens)


def symbol_count(row: Row) -> int:
    """How many symbols are to be written."""
    return sum(1 for _ in walk(row))
