"""The symbol layout tree: symbols on a baseline, each with rows of symbols attached around it.

Canonical tokens are one writing of the tree, so the two convert into each other without loss:

    row     := symbol*
    symbol  := base [ \\limits ] [ _ { row } ] [ ^ { row } ]
    base    := \\frac { row } { row } | \\sqrt [ row ] { row } | \\sqrt { row } | \\hat { row } | x

No row in braces is empty. `to_tokens` writes a tree, `parser.parse_tokens` reads one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inkscan.errors import LatexSyntax, LatexTooDeep
from inkscan.latex.alphabet import SymbolKind, labels

MAX_DEPTH = 64  # rows within rows; CROHME has 5

STACKS = labels(SymbolKind.STACK)  # two arguments, drawn one over the other
ACCENTS = labels(
    SymbolKind.ACCENT, SymbolKind.OVER, SymbolKind.UNDER, SymbolKind.BOX
)  # one argument, drawn over, under or around it
STRUCTURE = labels(SymbolKind.STRUCTURE)  # tokens that no stroke writes
FOREIGN = ("\\begin", "\\end", "\\\\", "&", "#", "%")  # arrays and macros have no place in the tree

_OVERSETS = {"\\overset": "above", "\\stackrel": "above", "\\underset": "below"}
INFIX_STACKS = {"\\over": "\\frac", "\\choose": "\\binom"}
UNWRITABLE = frozenset({*_OVERSETS, *INFIX_STACKS, "'"})  # read, never written
PRIME = "\\prime"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One written symbol, the strokes that draw it, and the rows attached to it.

    A fraction bar has `above` and `below`; a radical has `inside` and, for its index, `above`;
    an accent has `inside`; an operator with `\\limits` has `above` and `below`; everything else
    has `sup` and `sub`.
    """

    label: str
    strokes: tuple[int, ...] = ()
    sub: Row = ()
    sup: Row = ()
    above: Row = ()
    below: Row = ()
    inside: Row = ()

    @property
    def has_limits(self) -> bool:
        """Whether `above` and `below` are limits rather than arguments."""
        return self.label not in STACKS and self.label != "\\sqrt" and bool(self.above or self.below)


Row = tuple[Symbol, ...]


@dataclass(frozen=True)
class AlignedTokens:
    """Canonical tokens and, for each, the strokes that write it (none for structure)."""

    tokens: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]


def to_tokens(row: Row) -> tuple[str, ...]:
    """The canonical tokens of a tree."""
    return to_aligned_tokens(row).tokens


def to_aligned_tokens(row: Row) -> AlignedTokens:
    """The canonical tokens of a tree and the strokes of each token."""
    tokens: list[str] = []
    alignment: list[tuple[int, ...]] = []
    for token, strokes in _written(row, 0):
        tokens.append(token)
        alignment.append(strokes)
    return AlignedTokens(tuple(tokens), tuple(alignment))


def walk(row: Row) -> Iterator[Symbol]:
    """All symbols of a tree in the order of its tokens' bases: a symbol, then what is attached to it."""
    stack = list(reversed(row))
    while stack:
        symbol = stack.pop()
        yield symbol
        for _, part in reversed(parts(symbol)):
            stack.extend(reversed(part))


def parts(symbol: Symbol) -> tuple[tuple[str, Row], ...]:
    """The rows attached to a symbol by the name of their place, in the order in which tokens write them."""
    places = ("inside", "below", "above") if symbol.has_limits else ("above", "below", "inside", "sub", "sup")
    return tuple((place, row) for place in places if (row := getattr(symbol, place)))


def with_rows(symbol: Symbol, rows: Mapping[str, Row], strokes: tuple[int, ...] | None = None) -> Symbol:
    """The symbol with these rows, by the name of their place, and no others."""
    return Symbol(
        symbol.label,
        symbol.strokes if strokes is None else strokes,
        sub=rows.get("sub", ()),
        sup=rows.get("sup", ()),
        above=rows.get("above", ()),
        below=rows.get("below", ()),
        inside=rows.get("inside", ()),
    )


def depth(row: Row) -> int:
    """How many rows lie within one another; 0 for an empty tree."""
    level, deepest = [row], 0
    while any(level):
        deepest += 1
        level = [part for one in level for symbol in one for _, part in parts(symbol)]
    return deepest


def _written(row: Row, level: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    if level > MAX_DEPTH:
        raise LatexTooDeep(f"more than {MAX_DEPTH} groups within one another")
    for symbol in row:
        yield symbol.label, symbol.strokes
        if symbol.label in STACKS:
            yield from _group(symbol.above, level)
            yield from _group(symbol.below, level)
        elif symbol.label == "\\sqrt":
            if any(part.label == "]" for part in symbol.above):
                raise LatexSyntax("the index of a root cannot hold a ']'")
            if symbol.above:
                yield from _group(symbol.above, level, "[", "]")
            yield from _group(symbol.inside, level)
        elif symbol.label in ACCENTS:
            yield from _group(symbol.inside, level)
        elif symbol.inside:
            raise LatexSyntax(f"'{symbol.label}' cannot hold symbols inside it")
        sub, sup = symbol.sub, symbol.sup
        if symbol.has_limits:
            if sub or sup:
                raise LatexSyntax(f"'{symbol.label}' has both limits and scripts, which tokens cannot write")
            yield "\\limits", ()
            sub, sup = symbol.below, symbol.above
        for mark, script in (("_", sub), ("^", sup)):
            if script:
                yield mark, ()
                yield from _group(script, level)


def _group(
    row: Row, level: int, opening: str = "{", closing: str = "}"
) -> Iterator[tuple[str, tuple[int, ...]]]:
    if not row:
        raise LatexSyntax("an argument is empty")
    yield opening, ()
    yield from _written(row, level + 1)
    yield closing, ()
