"""Tokens to the layout tree as Pandoc reads them, which the official symLG tool runs on every prediction.

On well-formed tokens this is `parse_tokens`. Pandoc also reads what TeX refuses:

* a script without a base sits on an empty symbol, as does one behind an opening fence that is closed later;
* in `a ^ { b } ^ { c }` the second script belongs to the first; a third one sits on an empty symbol;
* arguments may be empty, and `\\limits` may stand before something that is no script;
* `'` is a symbol of its own, on the baseline, and `\\sqrt` without an argument is one too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from inkscan.errors import LatexSyntax, LatexTooDeep
from inkscan.latex.parser import Parser
from inkscan.latex.tree import MAX_DEPTH, Row, Symbol

_EMPTY = Symbol("")
_FENCES = {"(": ")", "[": "]", "\\{": "\\}"}
_OTHER_SCRIPT = {"_": "^", "^": "_"}


def parse_as_pandoc(tokens: Sequence[str]) -> Row:
    """The layout tree of tokens, malformed ones included where Pandoc makes something of them."""
    return _PandocParser(["\\prime" if token == "'" else token for token in tokens], None).parse()


class _PandocParser(Parser):
    def _base(self, level: int) -> Row:
        start, token = self.at, self.tokens[self.at]
        if token in _OTHER_SCRIPT:
            return (_EMPTY,)
        if token == "\\sqrt" and (self.at + 1 == len(self.tokens) or self.tokens[self.at + 1] == "}"):
            self.at += 1
            return (Symbol("√"),)
        row = super()._base(level)
        if token in _FENCES and self._next() in _OTHER_SCRIPT and start in self._closed:
            return (*row, _EMPTY)
        return row

    @cached_property
    def _closed(self) -> set[int]:
        """The places of the fences that close before the group in which they stand does."""
        closed: set[int] = set()
        opened: list[defaultdict[str, list[int]]] = [defaultdict(list)]  # by closer, in each group
        for at, token in enumerate(self.tokens):
            if token == "{":
                opened.append(defaultdict(list))
            elif token == "}":
                opened.pop()
                opened = opened or [defaultdict(list)]
            elif token in _FENCES:
                opened[-1][_FENCES[token]].append(at)
            elif opened[-1].get(token):
                closed.add(opened[-1][token].pop())
        return closed

    def _argument(self, level: int) -> Row:
        token = self._next()
        if level >= MAX_DEPTH:
            raise LatexTooDeep(f"more than {MAX_DEPTH} groups within one another", self.at)
        if token is None or token == "}":
            raise LatexSyntax("an argument is missing", self.at)
        return self._braced("}", level) if token == "{" else self._base(level + 1)

    def _scripted(self, base: Row, level: int) -> Row:
        limits = self._next() == "\\limits"
        self.at += limits
        mark = self._next()
        if mark not in _OTHER_SCRIPT:
            return base
        self.at += 1
        scripts = {mark: self._argument(level)}
        if self._next() == _OTHER_SCRIPT[mark]:
            self.at += 1
            scripts[_OTHER_SCRIPT[mark]] = self._argument(level)
        elif self._next() in (mark, "\\limits"):
            if level >= MAX_DEPTH:
                raise LatexTooDeep(f"more than {MAX_DEPTH} groups within one another", self.at)
            scripts[mark] = self._scripted(scripts[mark], level + 1)
        *before, last = base or (_EMPTY,)
        sub, sup = scripts.get("_", ()), scripts.get("^", ())
        takes_limits = limits and not (last.above or last.below or last.inside)
        last = replace(last, below=sub, above=sup) if takes_limits else replace(last, sub=sub, sup=sup)
        return (*before, last)
