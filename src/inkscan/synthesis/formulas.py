"""Formulas: expressions that stand in real books, to be written by hand.

The file is a table of tab-separated values, plain or compressed (`.xz`, `.gz`), with a heading that has at least the
columns `source`, `licence` and `tokens`: canonical tokens with spaces between.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import zlib
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inkscan.errors import BadCorpus, LatexError, SourceNotFound
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import Row

COLUMNS = ("source", "licence", "tokens")
NEAR = 0.25  # a formula is this much shorter or longer than asked for, at most
FEWEST = 100  # formulas of about a length, for one of them to be drawn
EVENNESS = 0.5  # the power of its rarest part's count by which a formula is drawn less often: 0 all alike

_DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error, UnicodeDecodeError, csv.Error)


class Formula(NamedTuple):
    source: str
    licence: str
    tokens: tuple[str, ...]


def read_formulas(path: Path) -> Iterator[Formula]:
    """The formulas of a table, in its order."""
    if not path.is_file():
        raise SourceNotFound(f"there is no table of formulas {path}")
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    try:
        with opener(path, "rt", encoding="utf-8", newline="") as file:  # type: ignore[operator]
            rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            heading = next(rows, [])
            if not set(COLUMNS) <= set(heading):
                raise BadCorpus(f"{path}: the heading of a table of formulas has {', '.join(COLUMNS)}")
            places = [heading.index(name) for name in COLUMNS]
            for number, row in enumerate(rows, start=2):
                if len(row) != len(heading):
                    raise BadCorpus(f"{path}, line {number}: {len(row)} columns, not {len(heading)}")
                source, licence, tokens = (row[place] for place in places)
                if tokens.strip():
                    yield Formula(source, licence, tuple(tokens.split()))
    except _DAMAGE as error:
        raise BadCorpus(f"{path} is no table of formulas: {error}") from error


class FormulaBook:
    """Formulas by length, those with rare symbols or roots with an index drawn more often than they occur."""

    def __init__(self, formulas: Sequence[tuple[str, ...]]) -> None:
        self._formulas = sorted(formulas, key=len)
        self._lengths = np.array([len(tokens) for tokens in self._formulas])
        parts = [_parts(tokens) for tokens in self._formulas]
        counts = Counter(part for found in parts for part in found)
        weights = np.array([min(counts[part] for part in found) for found in parts], np.float64)
        self._steps = np.concatenate([[0.0], np.cumsum(weights**-EVENNESS)])

    @classmethod
    def of(cls, formulas: Sequence[Formula], vocabulary: Container[str]) -> FormulaBook:
        """Those that a vocabulary can write."""
        known = [one.tokens for one in formulas if all(token in vocabulary for token in one.tokens)]
        if not known:
            raise BadCorpus("no formula of the table is written in the vocabulary's tokens alone")
        return cls(known)

    def __len__(self) -> int:
        return len(self._formulas)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each token stands in them."""
        return Counter(token for tokens in self._formulas for token in tokens)

    def draw(self, tokens: int, rng: np.random.Generator) -> Row | None:
        """A formula of about so many tokens; None if there are few, or if it has no layout tree."""
        low = int(np.searchsorted(self._lengths, (1 - NEAR) * tokens))
        high = int(np.searchsorted(self._lengths, (1 + NEAR) * tokens, side="right"))
        if high - low < min(FEWEST, len(self._formulas)):
            return None
        weight = rng.uniform(self._steps[low], self._steps[high])
        at = int(np.clip(np.searchsorted(self._steps, weight, side="right") - 1, low, high - 1))
        try:
            return parse_tokens(self._formulas[at])
        except LatexError:
            return None


def _parts(tokens: Sequence[str]) -> set[str]:
    """The symbols of a formula, and each root together with what it begins with."""
    roots = {f"{token} {after}" for token, after in pairwise(tokens) if token == r"\sqrt"}
    return {*tokens, *roots}
