"""The alphabet: every symbol that inkscan knows, one row of `alphabet.txt` each.

What LaTeX, MathML, the vocabularies, the layout of written formulas, AsciiMath, Typst, JIIX and the page know about a
symbol is read from its row; a new symbol is a new row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

_HEADING = re.compile(r"\[(\w+)\]")
_COLUMN = re.compile(r"\s{2,}")
_NOTHING = "~"
ARGUMENT = "%"  # its place in what AsciiMath and Typst write for a mark over, under or around it


class SymbolKind(StrEnum):
    """What a symbol does on its row."""

    STRUCTURE = "structure"  # a token that no stroke writes
    STACK = "stack"  # two arguments, drawn one over the other
    ROOT = "root"
    ACCENT = "accent"  # a small mark over its argument
    OVER = "over"  # a mark over its argument, as wide as that
    UNDER = "under"
    BOX = "box"
    DIGIT = "digit"
    LETTER = "letter"
    GREEK = "greek"
    ORDINARY = "ordinary"  # stands for something, as a letter does
    LARGE = "large"  # scripts are drawn above and below
    INTEGRAL = "integral"  # large, with its scripts beside it
    OPERATOR = "operator"
    RELATION = "relation"
    OPENING = "opening"
    CLOSING = "closing"
    BAR = "bar"  # opens and closes
    DOTS = "dots"
    PUNCTUATION = "punctuation"
    POSTFIX = "postfix"
    MARK = "mark"  # has no space around it
    FUNCTION = "function"
    LIMIT = "limit"  # a function whose subscript is drawn below


COMPOSED = frozenset(
    (
        SymbolKind.STRUCTURE,
        SymbolKind.STACK,
        SymbolKind.ROOT,
        SymbolKind.ACCENT,
        SymbolKind.OVER,
        SymbolKind.UNDER,
        SymbolKind.BOX,
    )
)  # do not stand for themselves: they have arguments, or are no ink


class Group(StrEnum):
    """Which vocabulary knows a symbol."""

    CROHME = "crohme"
    WIDE = "wide"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """One symbol; `alphabet.txt` says what its columns are."""

    label: str
    kind: SymbolKind
    character: str
    stands: str
    asciimath: str
    typst: str
    also: tuple[str, ...]
    looks_like: tuple[str, ...]
    group: Group


def _read(lines: Iterable[str]) -> Iterator[Entry]:
    group = Group.OTHER
    for line in lines:
        if heading := _HEADING.fullmatch(line):
            group = Group(heading[1])
        elif line and not line.startswith("#"):
            cells = ("" if cell == _NOTHING else cell for cell in _COLUMN.split(line))
            label, kind, character, stands, asciimath, typst, also, looks_like = cells
            yield Entry(
                label,
                SymbolKind(kind),
                character,
                stands,
                asciimath or character,
                typst or character,
                tuple(also.split()),
                tuple(looks_like.split()),
                group,
            )


ALPHABET = {
    entry.label: entry
    for entry in _read(files("inkscan.latex").joinpath("alphabet.txt").read_text("utf-8").splitlines())
}
CASES_ALIKE = tuple(
    (label, label.upper())
    for label, entry in ALPHABET.items()
    if label.islower() and label.upper() in entry.looks_like
)


def labels(*kinds: SymbolKind) -> frozenset[str]:
    """The labels of some kinds."""
    return frozenset(entry.label for entry in ALPHABET.values() if entry.kind in kinds)


def characters(*kinds: SymbolKind) -> dict[str, str]:
    """The character of each label of some kinds, in the alphabet's order."""
    return {entry.label: entry.character for entry in ALPHABET.values() if entry.kind in kinds}
