"""The symbol layout tree: symbols on a baseline, each with rows of symbols attached around it.

Canonical tokens are one writing of the tree, so the two convert into each other without loss:

    row     := symbol*
    symbol  := base [ \\limits ] [ _ { row } ] [ ^ { row } ]
    base    := \\frac { row } { row } | \\sqrt [ row ] { row } | \\sqrt { row } | \\hat { row } | x

No row in braces is empty. `parse_tokens` reads more than that: bare arguments (`x ^ 2`), redundant
groups, scripts in either order, empty scripts, `'`, `\\over`, `\\overset`; `to_tokens` always writes the
canonical form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inkscan.errors import LatexSyntax, LatexTooDeep, UnknownToken
from inkscan.latex.alphabet import Kind, labels

MAX_DEPTH = 64  # rows within rows; CROHME has 5

STACKS = labels(Kind.STACK)  # two arguments, drawn one over the other
ACCENTS = labels(Kind.ACCENT, Kind.OVER, Kind.UNDER, Kind.BOX)  # one argument, drawn over, under or around it
STRUCTURE = labels(Kind.STRUCTURE)  # tokens that no stroke writes
FOREIGN = ("\\begin", "\\end", "\\\\", "&", "#", "%")  # arrays and macros have no place in the tree

_OVERSETS = {"\\overset": "above", "\\stackrel": "above", "\\underset": "below"}
_INFIX_STACKS = {"\\over": "\\frac", "\\choose": "\\binom"}
UNWRITABLE = frozenset({*_OVERSETS, *_INFIX_STACKS, "'"})  # read, never written
_PRIME = "\\prime"


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


def parse_tokens(tokens: Sequence[str], alignment: Sequence[Sequence[int]] | None = None) -> Row:
    """The layout tree of a token sequence; errors carry the index of the offending token."""
    if alignment is not None and len(alignment) != len(tokens):
        raise LatexSyntax(f"{len(tokens)} tokens but the alignment has {len(alignment)} rows")
    return Parser(tokens, alignment).parse()


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


class Parser:
    """Recursive descent over tokens; the recursion is bounded by MAX_DEPTH."""

    def __init__(self, tokens: Sequence[str], alignment: Sequence[Sequence[int]] | None) -> None:
        self.tokens = tokens
        self.alignment = alignment
        self.at = 0

    def parse(self) -> Row:
        row = self._row(frozenset(), 0)
        if self.at < len(self.tokens):
            raise LatexSyntax(f"'{self.tokens[self.at]}' closes a group that was never opened", self.at)
        return row

    def _row(self, closers: frozenset[str], level: int) -> Row:
        if level > MAX_DEPTH:
            raise LatexTooDeep(f"more than {MAX_DEPTH} groups within one another", self.at)
        row: list[Symbol] = []
        while (token := self._next()) is not None and token != "}" and token not in closers:
            if token in _INFIX_STACKS:
                return (self._infix_stack(tuple(row), closers, level),)
            row.extend(self._scripted(self._base(level), level))
        return tuple(row)

    def _next(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _strokes(self, at: int) -> tuple[int, ...]:
        return () if self.alignment is None else tuple(self.alignment[at])

    def _infix_stack(self, above: Row, closers: frozenset[str], level: int) -> Symbol:
        start = self.at
        self.at += 1
        below = self._row(closers, level + 1)
        if not above or not below:
            raise LatexSyntax(f"'{self.tokens[start]}' needs something on both sides", start)
        return Symbol(_INFIX_STACKS[self.tokens[start]], self._strokes(start), above=above, below=below)

    def _base(self, level: int) -> Row:
        """The symbol, or the symbols of a group, at which the parser stands."""
        start, token = self.at, self.tokens[self.at]
        if token in ("_", "^", "\\limits", *_INFIX_STACKS):
            raise LatexSyntax(f"'{token}' has nothing to attach to", start)
        if token == "{":
            return self._braced("}", level)
        if token.startswith(FOREIGN):
            raise UnknownToken(f"'{token}' has no place in the layout tree: arrays are not read", start)
        self.at += 1
        if token in STACKS:
            above, below = self._argument(level), self._argument(level)
            return (Symbol(token, self._strokes(start), above=above, below=below),)
        if token == "\\sqrt":
            index = self._braced("]", level) if self._next() == "[" else ()
            return (Symbol(token, self._strokes(start), above=index, inside=self._argument(level)),)
        if token in ACCENTS:
            return (Symbol(token, self._strokes(start), inside=self._argument(level)),)
        if token in _OVERSETS:
            return self._overset(start, level)
        return (Symbol(_PRIME if token == "'" else token, self._strokes(start)),)

    def _overset(self, start: int, level: int) -> Row:
        place = _OVERSETS[self.tokens[start]]
        script, base = self._argument(level), self._argument(level)
        takes_limits = len(base) == 1 and base[0].label not in STACKS and base[0].label != "\\sqrt"
        if not takes_limits or base[0].sub or base[0].sup or getattr(base[0], place):
            raise LatexSyntax(f"'{self.tokens[start]}' is read only over a single symbol", start)
        return (replace(base[0], above=script) if place == "above" else replace(base[0], below=script),)

    def _braced(self, closer: str, level: int) -> Row:
        start = self.at
        self.at += 1
        row = self._row(frozenset({closer}), level + 1)
        if self._next() != closer:
            raise LatexSyntax(f"'{self.tokens[start]}' is never closed", start)
        self.at += 1
        return row

    def _argument(self, level: int) -> Row:
        """A group in braces or one bare symbol; never empty."""
        start, token = self.at, self._next()
        if level >= MAX_DEPTH:
            raise LatexTooDeep(f"more than {MAX_DEPTH} groups within one another", start)
        if token is None or token in ("}", "]"):
            raise LatexSyntax("an argument is missing", start if token is not None else None)
        row = self._braced("}", level) if token == "{" else self._base(level + 1)
        if not row:
            raise LatexSyntax("an argument is empty", start)
        return row

    def _scripted(self, base: Row, level: int) -> Row:
        """Attach the scripts that follow to the last symbol of the base."""
        limits, primed = False, True
        scripts: dict[str, list[Symbol]] = {}
        start = self.at
        while (token := self._next()) in ("_", "^", "'", "\\limits"):
            at = self.at
            self.at += 1
            if token == "\\limits":
                limits = True
            elif token == "'":
                scripts.setdefault("^", []).append(Symbol(_PRIME, self._strokes(at)))
            elif self._is_empty_group():
                self.at += 2
            else:
                script = self._argument(level)
                if token in scripts and (token == "_" or not primed):
                    raise LatexSyntax(f"two '{token}' on one symbol", at)
                scripts.setdefault(str(token), []).extend(script)
                primed = primed and (token == "_" or all(symbol.label == _PRIME for symbol in script))
        if not scripts:
            if limits:
                raise LatexSyntax("'\\limits' is followed by neither '_' nor '^'", start)
            return base
        sub, sup = (tuple(scripts.get(mark, ())) for mark in "_^")
        return self._attach(base, sub, sup, limits, start)

    def _is_empty_group(self) -> bool:
        return tuple(self.tokens[self.at : self.at + 2]) == ("{", "}")

    def _attach(self, base: Row, sub: Row, sup: Row, limits: bool, start: int) -> Row:
        if not base:
            raise LatexSyntax("a script has nothing to attach to", start)
        last = base[-1]
        if limits and (last.label in STACKS or last.label == "\\sqrt"):
            raise LatexSyntax(f"'{last.label}' takes no '\\limits'", start)
        limits = limits or last.has_limits
        present = (last.below, last.above) if limits else (last.sub, last.sup)
        if (sub and present[0]) or (sup and present[1]):
            raise LatexSyntax("two scripts at the same place of one symbol", start)
        if limits and (last.sub or last.sup):
            raise LatexSyntax("one symbol has both limits and scripts", start)
        if limits:
            last = replace(last, below=sub or last.below, above=sup or last.above)
        else:
            last = replace(last, sub=sub or last.sub, sup=sup or last.sup)
        return (*base[:-1], last)
