"""Parser: the layout tree of tokens.

It reads more than the canonical form that `tree.to_tokens` writes: bare arguments (`x ^ 2`), redundant groups,
scripts in either order, empty scripts, `'`, an exponent of a group with primes, `\\over`, `\\overset`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inkscan.errors import LatexSyntax, LatexTooDeep, UnknownToken
from inkscan.latex.tree import (
    _OVERSETS,
    ACCENTS,
    FOREIGN,
    INFIX_STACKS,
    MAX_DEPTH,
    PRIME,
    STACKS,
    Row,
    Symbol,
)


def parse_tokens(
    tokens: Sequence[str], alignment: Sequence[Sequence[int]] | None = None, *, primed_groups: bool = True
) -> Row:
    """The layout tree of a token sequence; errors carry the index of the offending token.

    The exponent of a group whose last symbol has primes, `{y'}^{2}`, stands behind these, as in `y'^{2}`; without
    `primed_groups` it is refused.
    """
    if alignment is not None and len(alignment) != len(tokens):
        raise LatexSyntax(f"{len(tokens)} tokens but the alignment has {len(alignment)} rows")
    return Parser(tokens, alignment, primed_groups=primed_groups).parse()


class Parser:
    """Recursive descent over tokens; the recursion is bounded by MAX_DEPTH."""

    def __init__(
        self,
        tokens: Sequence[str],
        alignment: Sequence[Sequence[int]] | None,
        *,
        primed_groups: bool = True,
    ) -> None:
        self.tokens = tokens
        self.alignment = alignment
        self.primed_groups = primed_groups
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
            if token in INFIX_STACKS:
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
        return Symbol(INFIX_STACKS[self.tokens[start]], self._strokes(start), above=above, below=below)

    def _base(self, level: int) -> Row:
        """The symbol, or the symbols of a group, at which the parser stands."""
        start, token = self.at, self.tokens[self.at]
        if token in ("_", "^", "\\limits", *INFIX_STACKS):
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
        return (Symbol(PRIME if token == "'" else token, self._strokes(start)),)

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
        is_prime = bool(base) and base[-1].label == PRIME
        while (token := self._next()) in ("_", "^", "'", "\\limits"):
            if token == "'" and is_prime:  # the next of several in braces: f^{''}
                break
            at = self.at
            self.at += 1
            if token == "\\limits":
                limits = True
            elif token == "'":
                scripts.setdefault("^", []).append(Symbol(PRIME, self._strokes(at)))
            elif self._is_empty_group():
                self.at += 2
            else:
                script = self._argument(level)
                if token in scripts and (token == "_" or not primed):
                    raise LatexSyntax(f"two '{token}' on one symbol", at)
                scripts.setdefault(str(token), []).extend(script)
                primed = primed and (token == "_" or all(symbol.label == PRIME for symbol in script))
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
        if sup and not limits and self.primed_groups and all(symbol.label == PRIME for symbol in last.sup):
            last, sup = replace(last, sup=()), (*last.sup, *sup)
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
