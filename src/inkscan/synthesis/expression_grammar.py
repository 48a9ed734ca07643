"""Expression grammar: composes plausible school and university mathematics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inkscan.latex.tree import Row, Symbol
from inkscan.synthesis.expressions import symbol_count

_TRIES = 30


def symbols(*labels: str) -> Row:
    """Plain symbols."""
    return tuple(map(Symbol, labels))


class Composer:
    """Thinks up one expression; `n` is always the number of symbols wished for."""

    variables: Sequence[str] = "xxxxxyyyzzaaabbcnnktpqruvwmijfghlosde"
    capitals: Sequence[str] = "XXABCCEFGHILMNPRSTVY"
    greek: Sequence[str] = (
        r"\alpha", r"\beta", r"\theta", r"\theta", r"\pi", r"\gamma", r"\phi", r"\sigma", r"\mu", r"\lambda",
    )  # fmt: skip
    rare_names: float = 0.35  # how likely an expression has a Greek letter, and a capital
    functions: Sequence[str] = (r"\sin", r"\sin", r"\cos", r"\cos", r"\tan", r"\log")
    relations: Sequence[str] = ("=", "=", "=", "=", "=", r"\leq", r"\geq", "<", ">", r"\neq")
    plus_signs: Sequence[str] = (*"++++++++", *"------", r"\pm")
    times_signs: Sequence[str] = (r"\times", r"\cdot", r"\div", "/")
    brackets: Sequence[tuple[str, str]] = (*[("(", ")")] * 4, ("[", "]"), (r"\{", r"\}"), ("|", "|"))

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        letters = [*dict.fromkeys(self.one_of(self.variables) for _ in range(6)), "x", "y", "z"]
        names = [*letters[:3], self.one_of(self.greek), self.one_of(self.capitals)]
        weights = (5, 3, 2, 2 * self.likely(self.rare_names), 2 * self.likely(self.rare_names))
        self.names = [name for name, weight in zip(names, weights, strict=True) for _ in range(weight)]

    def one_of(self, choices: Sequence[str]) -> str:
        return choices[int(self.rng.random() * len(choices))]

    def likely(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def one_rule(self, *rules: tuple[float, Callable[[int], Row]]) -> Callable[[int], Row]:
        at = self.rng.random() * sum(weight for weight, _ in rules)
        for weight, rule in rules:
            at -= weight
            if at < 0:
                return rule
        return rules[-1][1]

    def statement(self, n: int) -> Row:
        rule = self.one_rule(
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
        middle = symbols(self.one_of(self.relations))
        right = symbols("0") if self.likely(0.15) else self.sum(max(1, n - left - 1))
        row = (*self.sum(left), *middle, *right)
        if n > 14 and self.likely(0.15):
            row = (*row, *middle, *self.sum(n // 4))
        return row

    def sum(self, n: int) -> Row:
        """Terms with signs between them."""
        row: Row = symbols("-") if self.likely(0.08) else ()
        left = n
        while True:
            size = max(1, min(left, 1 + int(self.rng.random() ** 1.3 * min(left, 14))))
            row += self.product(size)
            left -= size + 1
            if left < 1:
                return row
            if n > 6 and self.likely(0.04):
                row += (*symbols(self.one_of(self.plus_signs), r"\cdots"),)
                left -= 2
            row += symbols(self.one_of(self.plus_signs))

    def product(self, n: int) -> Row:
        if n <= 1:
            return self.number_or_name()
        rule = self.one_rule(
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
        return self.number() if self.likely(0.35) else self.name()

    def name(self) -> Row:
        return (Symbol(self.names[int(self.rng.random() * len(self.names))]),)

    def number(self) -> Row:
        length = 1 + int(self.rng.random() ** 4 * 3.5)
        digits = [self.one_of("123456789") if i == 0 else self.one_of("0123456789") for i in range(length)]
        if self.likely(0.06):
            digits += [".", *(self.one_of("0123456789") for _ in range(1 + int(2 * self.rng.random())))]
        return symbols(*digits)

    def power(self, n: int) -> Row:
        base: Row = ()
        last = self.name()[0]
        if n > 6 and self.likely(0.3):
            *front, last = self.bracketed(n // 2 + 2)
            base = tuple(front)
        elif self.likely(0.2):
            base = self.number()
        sup = self.script(n - 1 - len(base))
        return (*base, replace(last, sup=sup))

    def script(self, n: int) -> Row:
        if n <= 2 or self.likely(0.75):
            return self.one_rule(
                (6, lambda _: symbols(self.one_of("2222333456789"))),
                (3, lambda _: self.name()),
                (1, lambda _: (*symbols("-"), *self.number_or_name())),
            )(1)
        return self.sum(min(n, 5))

    def indexed(self, n: int) -> Row:
        sub = self.name() if self.likely(0.5) else symbols(self.one_of("0111222345"))
        if n > 3 and self.likely(0.25):
            sub = (*self.name(), *symbols(self.one_of("+-"), self.one_of("112")))
        symbol = replace(self.name()[0], sub=sub)
        if n > 2 and self.likely(0.25):
            symbol = replace(symbol, sup=self.script(1))
        return (symbol,) if n < 5 or self.likely(0.6) else (symbol, *self.product(n - 3))

    def coefficient(self, n: int) -> Row:
        return (*self.number(), *(self.name() if n < 3 else self.product(n - 1)))

    def fraction(self, n: int) -> Row:
        above = max(1, int((n - 1) * (0.25 + 0.5 * self.rng.random())))
        return (Symbol(r"\frac", above=self.sum(above), below=self.sum(max(1, n - 1 - above))),)

    def root(self, n: int) -> Row:
        index = symbols(self.one_of("33345n")) if self.likely(0.2) else ()
        return (Symbol(r"\sqrt", above=index, inside=self.sum(max(1, n - 1 - len(index)))),)

    def function(self, n: int) -> Row:
        head = Symbol(self.one_of(self.functions))
        if head.label == r"\log":
            head = replace(head, sub=symbols(self.one_of("aab223"))) if self.likely(0.4) else head
        elif self.likely(0.25):
            head = replace(head, sup=symbols(self.one_of("2223")))
        if n > 4 and self.likely(0.5):
            return (head, *symbols("("), *self.sum(n - 3), *symbols(")"))
        return (head, *(self.name() if n < 4 else self.product(n - 1)))

    def bracketed(self, n: int) -> Row:
        opening, closing = self.brackets[int(self.rng.random() * len(self.brackets))]
        return (*symbols(opening), *self.sum(max(1, n - 2)), *symbols(closing))

    def call(self, n: int) -> Row:
        arguments = self.name()
        if n > 5 and self.likely(0.4):
            arguments = (*arguments, *symbols(","), *self.name())
        elif n > 5:
            arguments = self.sum(n - 3)
        return (*symbols(self.one_of("fffgghFGPpyu")), *symbols("("), *arguments, *symbols(")"))

    def primed(self, n: int) -> Row:
        mark = symbols(*[r"\prime"] * (1 + self.likely(0.2)))
        head = Symbol(self.one_of("fgyxuv"), sup=mark)
        return (head,) if n < 5 else (head, *symbols("("), *self.name(), *symbols(")"))

    def factorial(self, n: int) -> Row:
        inner = self.number_or_name() if n < 5 else (*symbols("("), *self.sum(n - 3), *symbols(")"))
        return (*inner, *symbols("!"))

    def times(self, n: int) -> Row:
        left = max(1, (n - 1) // 2)
        return (
            *self.product(left),
            *symbols(self.one_of(self.times_signs)),
            *self.product(max(1, n - 1 - left)),
        )

    def arithmetic(self, n: int) -> Row:
        row = self.number()
        while len(row) < n - 2:
            row += (*symbols(self.one_of(("+", "-", *self.times_signs))), *self.number())
        return (*row, *symbols("="), *self.number()) if self.likely(0.5) else row

    def series(self, n: int) -> Row:
        counter = self.one_of("iijkknnm")
        sub = (*symbols(counter, "="), *symbols(self.one_of("00111k2")))
        sup = symbols(r"\infty") if self.likely(0.35) else symbols(self.one_of("nnnmNk"))
        if self.likely(0.12):
            sub, sup = symbols(counter), ()
        term = replace(self.name()[0], sub=symbols(counter)) if self.likely(0.5) else None
        body = (term,) if term and n < 10 else self.product(max(2, n - 5))
        return (Symbol(r"\sum", sub=sub, sup=sup), *body)

    def integral(self, n: int) -> Row:
        variable = self.names[0]
        sub, sup = (
            (symbols("0"), symbols(self.one_of(("1", r"\infty", "x", "t", r"\pi"))))
            if self.likely(0.6)
            else ((), ())
        )
        if sub and self.likely(0.4):
            sub, sup = symbols("a"), symbols("b")
        body = self.sum(max(1, n - 3 - len(sub) - len(sup)))
        sign = Symbol(r"\int", sub=sub, sup=sup)
        if sub and self.likely(0.3):
            sign = Symbol(sign.label, below=sub, above=sup)
        return (sign, *body, *symbols("d", variable))

    def limit(self, n: int) -> Row:
        variable = self.one_of("xxnntyh")
        target = symbols(self.one_of((r"\infty", r"\infty", "0", "a", "c", "1")))
        sub = (*symbols(variable, r"\rightarrow"), *target)
        body = self.product(max(1, n - 4))
        row = (Symbol(r"\lim", sub=sub), *body)
        return (*row, *symbols("="), *self.number_or_name()) if self.likely(0.5) else row

    def sequence(self, n: int) -> Row:
        name, dots = self.name()[0], self.one_of((r"\ldots", r"\ldots", r"\cdots"))
        first = [replace(name, sub=symbols(digit)) for digit in ("1", "2", "3")[: 2 + self.likely(0.3)]]
        row: Row = (first[0],)
        for symbol in (*first[1:], Symbol(dots), replace(name, sub=symbols(self.one_of("nnmk")))):
            row += (Symbol(","), symbol)
        if self.likely(0.5):
            opening, closing = self.brackets[int(self.rng.random() * 6)]
            row = (*symbols(opening), *row, *symbols(closing))
        return row if n > 6 else (*self.name(), *symbols(","), *self.name())

    def membership(self, n: int) -> Row:
        head = symbols(self.one_of((r"\forall", r"\exists"))) if self.likely(0.5) else ()
        row = (*head, *self.name(), *symbols(r"\in", self.one_of("RNCXASL")))
        return (*row, *symbols(","), *self.relation(n - 5)) if n > 8 else row

    def definition(self, n: int) -> Row:
        if self.likely(0.25):
            change = (Symbol(r"\Delta"), *self.name())
            return (*change, *symbols("="), *self.sum(max(1, n - 3)))
        return (*self.call(4), *symbols("="), *self.sum(max(1, n - 5)))


@dataclass(frozen=True)
class ExpressionGrammar:
    """The built-in grammar; every symbol of CROHME can occur."""

    def sample(self, rng: np.random.Generator, max_symbols: int = 30) -> Row:
        """A new row; its length is spread widely below `max_symbols`, with short ones more frequent."""
        if max_symbols < 4:
            return Composer(rng).number_or_name()
        for _ in range(_TRIES):
            wanted = 2 + int((max_symbols - 2) * rng.random() ** 1.5)
            row = Composer(rng).statement(wanted)
            if symbol_count(row) <= max_symbols:
                return row
        return Composer(rng).number_or_name()
