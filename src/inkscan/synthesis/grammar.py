"""Grammar: composes plausible school and university mathematics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inkscan.latex.tree import Row, Symbol
from inkscan.synthesis.expressions import symbol_count

_VARIABLES = "xxxxxyyyzzaaabbcnnktpqruvwmijfghlosde"
_CAPITALS = "XXABCCEFGHILMNPRSTVY"
_GREEK = (
    r"\alpha",
    r"\beta",
    r"\theta",
    r"\theta",
    r"\pi",
    r"\gamma",
    r"\phi",
    r"\sigma",
    r"\mu",
    r"\lambda",
)
_FUNCTIONS = (r"\sin", r"\sin", r"\cos", r"\cos", r"\tan", r"\log")
_RELATIONS = ("=", "=", "=", "=", "=", r"\leq", r"\geq", "<", ">", r"\neq")
_SIGNS = (*"++++++++", *"------", r"\pm")
_TIMES = (r"\times", r"\cdot", r"\div", "/")
_BRACKETS = (("(", ")"), ("(", ")"), ("(", ")"), ("(", ")"), ("[", "]"), (r"\{", r"\}"), ("|", "|"))
_TRIES = 30


@dataclass(frozen=True)
class Grammar:
    """The built-in grammar; every symbol of CROHME can occur."""

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        """A new row; its length is spread widely below `max_symbols`, with short ones more frequent."""
        if max_symbols < 4:
            return _Composer(rng).number_or_name()
        for _ in range(_TRIES):
            wanted = 2 + int((max_symbols - 2) * rng.random() ** 1.5)
            row = _Composer(rng).statement(wanted)
            if symbol_count(row) <= max_symbols:
                return row
        return _Composer(rng).number_or_name()


def _signs(*labels: str) -> Row:
    return tuple(map(Symbol, labels))


class _Composer:
    """Thinks up one expression; `n` is always the number of symbols wished for."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        letters = [*dict.fromkeys(self._of(_VARIABLES) for _ in range(6)), "x", "y", "z"]
        names = [*letters[:3], self._of(_GREEK), self._of(_CAPITALS)]
        weights = (5, 3, 2, 2 * self._likely(0.35), 2 * self._likely(0.35))
        self.names = [name for name, weight in zip(names, weights, strict=True) for _ in range(weight)]

    def _of(self, choices: Sequence[str]) -> str:
        return choices[int(self.rng.random() * len(choices))]

    def _likely(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def _do(self, *rules: tuple[float, Callable[[int], Row]]) -> Callable[[int], Row]:
        at = self.rng.random() * sum(weight for weight, _ in rules)
        for weight, rule in rules:
            at -= weight
            if at < 0:
                return rule
        return rules[-1][1]

    def statement(self, n: int) -> Row:
        rule = self._do(
            (5, self.relation),
            (3, self.sum),
            (1.2, self.arithmetic),
            (1, self.limit),
            (1.2, self.series),
            (1.2, self.integral),
            (0.8, self.sequence),
            (0.6, self.membership),
            (0.8, self.definition),
            (1, self.product),
        )
        return rule(n)

    def relation(self, n: int) -> Row:
        left = max(1, int(n * (0.15 + 0.4 * self.rng.random())))
        middle = _signs(self._of(_RELATIONS))
        right = _signs("0") if self._likely(0.15) else self.sum(max(1, n - left - 1))
        row = (*self.sum(left), *middle, *right)
        if n > 14 and self._likely(0.15):
            row = (*row, *middle, *self.sum(n // 4))
        return row

    def sum(self, n: int) -> Row:
        """Terms with signs between them."""
        row: Row = _signs("-") if self._likely(0.08) else ()
        left = n
        while True:
            size = max(1, min(left, 1 + int(self.rng.random() ** 1.3 * min(left, 14))))
            row += self.product(size)
            left -= size + 1
            if left < 1:
                return row
            if n > 6 and self._likely(0.04):
                row += (*_signs(self._of(_SIGNS), r"\cdots"),)
                left -= 2
            row += _signs(self._of(_SIGNS))

    def product(self, n: int) -> Row:
        if n <= 1:
            return self.number_or_name()
        rule = self._do(
            (4, self.power),
            (3, self.coefficient),
            (2, self.indexed),
            (2.5 if n > 3 else 0.6, self.fraction),
            (1.2, self.root),
            (1.6, self.function),
            (1.5 if n > 4 else 0, self.bracketed),
            (1 if n > 2 else 0, self.times),
            (0.5 if n > 5 else 0, self.series),
            (0.5 if n > 4 else 0, self.integral),
            (0.6 if n > 3 else 0, self.call),
            (0.25, self.factorial),
            (0.2 if n > 2 else 0, self.primed),
        )
        return rule(n)

    def number_or_name(self) -> Row:
        return self.number() if self._likely(0.35) else self.name()

    def name(self) -> Row:
        return (Symbol(self.names[int(self.rng.random() * len(self.names))]),)

    def number(self) -> Row:
        length = 1 + int(self.rng.random() ** 4 * 3.5)
        digits = [self._of("123456789") if i == 0 else self._of("0123456789") for i in range(length)]
        if self._likely(0.06):
            digits += [".", *(self._of("0123456789") for _ in range(1 + int(2 * self.rng.random())))]
        return _signs(*digits)

    def power(self, n: int) -> Row:
        base: Row = ()
        last = self.name()[0]
        if n > 6 and self._likely(0.3):
            *front, last = self.bracketed(n // 2 + 2)
            base = tuple(front)
        elif self._likely(0.2):
            base = self.number()
        sup = self.script(n - 1 - len(base))
        return (*base, replace(last, sup=sup))

    def script(self, n: int) -> Row:
        if n <= 2 or self._likely(0.75):
            return self._do(
                (6, lambda _: _signs(self._of("2222333456789"))),
                (3, lambda _: self.name()),
                (1, lambda _: (*_signs("-"), *self.number_or_name())),
            )(1)
        return self.sum(min(n, 5))

    def indexed(self, n: int) -> Row:
        sub = self.name() if self._likely(0.5) else _signs(self._of("0111222345"))
        if n > 3 and self._likely(0.25):
            sub = (*self.name(), *_signs(self._of("+-"), self._of("112")))
        symbol = replace(self.name()[0], sub=sub)
        if n > 2 and self._likely(0.25):
            symbol = replace(symbol, sup=self.script(1))
        return (symbol,) if n < 5 or self._likely(0.6) else (symbol, *self.product(n - 3))

    def coefficient(self, n: int) -> Row:
        return (*self.number(), *(self.name() if n < 3 else self.product(n - 1)))

    def fraction(self, n: int) -> Row:
        above = max(1, int((n - 1) * (0.25 + 0.5 * self.rng.random())))
        return (Symbol(r"\frac", above=self.sum(above), below=self.sum(max(1, n - 1 - above))),)

    def root(self, n: int) -> Row:
        index = _signs(self._of("33345n")) if self._likely(0.2) else ()
        return (Symbol(r"\sqrt", above=index, inside=self.sum(max(1, n - 1 - len(index)))),)

    def function(self, n: int) -> Row:
        head = Symbol(self._of(_FUNCTIONS))
        if head.label == r"\log":
            head = replace(head, sub=_signs(self._of("aab223"))) if self._likely(0.4) else head
        elif self._likely(0.25):
            head = replace(head, sup=_signs(self._of("2223")))
        if n > 4 and self._likely(0.5):
            return (head, *_signs("("), *self.sum(n - 3), *_signs(")"))
        return (head, *(self.name() if n < 4 else self.product(n - 1)))

    def bracketed(self, n: int) -> Row:
        opening, closing = _BRACKETS[int(self.rng.random() * len(_BRACKETS))]
        return (*_signs(opening), *self.sum(max(1, n - 2)), *_signs(closing))

    def call(self, n: int) -> Row:
        arguments = self.name()
        if n > 5 and self._likely(0.4):
            arguments = (*arguments, *_signs(","), *self.name())
        elif n > 5:
            arguments = self.sum(n - 3)
        return (*_signs(self._of("fffgghFGPpyu")), *_signs("("), *arguments, *_signs(")"))

    def primed(self, n: int) -> Row:
        mark = _signs(*[r"\prime"] * (1 + self._likely(0.2)))
        head = Symbol(self._of("fgyxuv"), sup=mark)
        return (head,) if n < 5 else (head, *_signs("("), *self.name(), *_signs(")"))

    def factorial(self, n: int) -> Row:
        inner = self.number_or_name() if n < 5 else (*_signs("("), *self.sum(n - 3), *_signs(")"))
        return (*inner, *_signs("!"))

    def times(self, n: int) -> Row:
        left = max(1, (n - 1) // 2)
        return (*self.product(left), *_signs(self._of(_TIMES)), *self.product(max(1, n - 1 - left)))

    def arithmetic(self, n: int) -> Row:
        row = self.number()
        while len(row) < n - 2:
            row += (*_signs(self._of(("+", "-", *_TIMES))), *self.number())
        return (*row, *_signs("="), *self.number()) if self._likely(0.5) else row

    def series(self, n: int) -> Row:
        counter = self._of("iijkknnm")
        sub = (*_signs(counter, "="), *_signs(self._of("00111k2")))
        sup = _signs(r"\infty") if self._likely(0.35) else _signs(self._of("nnnmNk"))
        if self._likely(0.12):
            sub, sup = _signs(counter), ()
        term = replace(self.name()[0], sub=_signs(counter)) if self._likely(0.5) else None
        body = (term,) if term and n < 10 else self.product(max(2, n - 5))
        return (self._limited(r"\sum", sub, sup, 0.05), *body)

    def integral(self, n: int) -> Row:
        variable = self.names[0]
        sub, sup = (
            (_signs("0"), _signs(self._of(("1", r"\infty", "x", "t", r"\pi"))))
            if self._likely(0.6)
            else ((), ())
        )
        if sub and self._likely(0.4):
            sub, sup = _signs("a"), _signs("b")
        body = self.sum(max(1, n - 3 - len(sub) - len(sup)))
        return (self._limited(r"\int", sub, sup, 0.3), *body, *_signs("d", variable))

    def _limited(self, label: str, sub: Row, sup: Row, limits: float) -> Symbol:
        if (sub or sup) and self._likely(limits):
            return Symbol(label, below=sub, above=sup)
        return Symbol(label, sub=sub, sup=sup)

    def limit(self, n: int) -> Row:
        variable = self._of("xxnntyh")
        target = _signs(self._of((r"\infty", r"\infty", "0", "a", "c", "1")))
        sub = (*_signs(variable, r"\rightarrow"), *target)
        body = self.product(max(1, n - 4))
        row = (self._limited(r"\lim", sub, (), 0.03), *body)
        return (*row, *_signs("="), *self.number_or_name()) if self._likely(0.5) else row

    def sequence(self, n: int) -> Row:
        name, dots = self.name()[0], self._of((r"\ldots", r"\ldots", r"\cdots"))
        first = [replace(name, sub=_signs(digit)) for digit in ("1", "2", "3")[: 2 + self._likely(0.3)]]
        row: Row = (first[0],)
        for symbol in (*first[1:], Symbol(dots), replace(name, sub=_signs(self._of("nnmk")))):
            row += (Symbol(","), symbol)
        if self._likely(0.5):
            opening, closing = _BRACKETS[int(self.rng.random() * 6)]
            row = (*_signs(opening), *row, *_signs(closing))
        return row if n > 6 else (*self.name(), *_signs(","), *self.name())

    def membership(self, n: int) -> Row:
        head = _signs(self._of((r"\forall", r"\exists"))) if self._likely(0.5) else ()
        row = (*head, *self.name(), *_signs(r"\in", self._of("RNCXASL")))
        return (*row, *_signs(","), *self.relation(n - 5)) if n > 8 else row

    def definition(self, n: int) -> Row:
        if self._likely(0.25):
            change = (Symbol(r"\Delta"), *self.name())
            return (*change, *_signs("="), *self.sum(max(1, n - 3)))
        return (*self.call(4), *_signs("="), *self.sum(max(1, n - 5)))
