"""Mathematics with the whole alphabet: sets, logic, geometry, maps, derivatives, accents and units."""

from __future__ import annotations

from dataclasses import replace

from inkscan.latex.alphabet import ALPHABET, Entry, Group, SymbolKind
from inkscan.latex.tree import Row, Symbol
from inkscan.synthesis.expression_grammar import Composer, symbols


def _wide(*kinds: SymbolKind) -> tuple[str, ...]:
    return tuple(entry.label for entry in ALPHABET.values() if _is_wide(entry) and entry.kind in kinds)


def _is_wide(entry: Entry) -> bool:
    return entry.group == Group.WIDE


_ARROWS = (
    r"\rightarrow", r"\leftarrow", r"\leftrightarrow", r"\Rightarrow", r"\Rightarrow", r"\Leftarrow",
    r"\Leftrightarrow", r"\mapsto", r"\rightleftharpoons", r"\uparrow", r"\downarrow",
)  # fmt: skip
_SETS = (r"\cup", r"\cap", r"\setminus", r"\oplus", r"\otimes", r"\times")
_SET_RELATIONS = (r"\subset", r"\subseteq", r"\supset", r"\supseteq", r"=", r"\in", r"\notin", r"\ni")
_LOGIC = (r"\wedge", r"\vee", r"\Rightarrow", r"\Leftrightarrow", r"\vdash", r"\models", r"\equiv")
_GEOMETRY = (r"\perp", r"\parallel", r"\cong", r"\sim", r"=")
_NUMBER_SETS = tuple(label for label in _wide(SymbolKind.LETTER) if len(label) > 1)
_CAPITALS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ACCENTS = _wide(SymbolKind.ACCENT, SymbolKind.OVER)


class WideComposer(Composer):
    """Thinks up expressions in which every symbol of the wide vocabulary can occur."""

    capitals = (*Composer.capitals, *"DDJKKOQQUUWWZ", *_CAPITALS)
    greek = (
        *Composer.greek,
        *_wide(SymbolKind.GREEK),
        *_wide(SymbolKind.GREEK),
        *_wide(SymbolKind.ORDINARY)[:5],
    )
    rare_names = 0.85
    functions = (*Composer.functions, *_wide(SymbolKind.FUNCTION)[:11], r"\ln", r"\ln", r"\deg", r"\arg")
    relations = (*Composer.relations, *_wide(SymbolKind.RELATION)[:10])
    times_signs = (*Composer.times_signs, *_wide(SymbolKind.OPERATOR)[:11], ":")
    plus_signs = (*Composer.plus_signs, r"\mp", r"\oplus")
    brackets = (
        *Composer.brackets,
        (r"\lfloor", r"\rfloor"),
        (r"\lceil", r"\rceil"),
        (r"\langle", r"\rangle"),
        (r"\|", r"\|"),
    )

    def statement(self, n: int) -> Row:
        if self.likely(0.35):
            return super().statement(n)
        rule = self.one_rule(
            (1.5, self.sets),
            (1.3, self.logic),
            (1.2, self.geometry),
            (1.2, self.map),
            (1, self.implication),
            (1, self.derivative),
            (0.8, self.comparison),
            (0.7, self.angle),
            (0.7, self.amount),
            (0.8, self.ratio),
            (0.5, self.congruence),
            (1, self.product),
        )
        return rule(n)

    def product(self, n: int) -> Row:
        if n > 1 and self.likely(0.25):
            return self.one_rule((2, self.accented), (1, self.binomial), (0.6, self.starred))(n)
        return super().product(n)

    def sum_sign(self) -> str:
        return self.one_of((r"\sum", r"\prod", r"\prod", *_wide(SymbolKind.LARGE)))

    def integral_sign(self) -> str:
        return self.one_of((r"\int", r"\int", *_wide(SymbolKind.INTEGRAL)))

    def limit_word(self) -> str:
        return self.one_of((r"\lim", r"\lim", *_wide(SymbolKind.LIMIT)))

    def set_name(self) -> Row:
        if self.likely(0.15):
            return symbols(r"\emptyset")
        if self.likely(0.3):
            return symbols(self.one_of(_NUMBER_SETS))
        return symbols(self.one_of(_CAPITALS))

    def sets(self, n: int) -> Row:
        row = self.set_name()
        while len(row) < n - 3 and self.likely(0.7):
            row += (*symbols(self.one_of(_SETS)), *self.set_name())
        left = self.name() if self.likely(0.3) else self.set_name()
        return (*left, *symbols(self.one_of(_SET_RELATIONS)), *row)

    def logic(self, n: int) -> Row:
        row: Row = ()
        while True:
            row += (*(symbols(r"\neg") if self.likely(0.35) else ()), *self.name())
            if len(row) >= n - 1:
                return row
            row += symbols(self.one_of(_LOGIC))

    def points(self, count: int) -> Row:
        first = int(self.rng.random() * (len(_CAPITALS) - count))
        return symbols(*_CAPITALS[first : first + count])

    def geometry(self, n: int) -> Row:
        mark = self.one_of((r"\triangle", r"\triangle", r"\angle", r"\square", ""))
        size = 4 if mark == r"\square" else 3 if mark else 2
        front = symbols(mark) if mark else ()
        return (*front, *self.points(size), *symbols(self.one_of(_GEOMETRY)), *front, *self.points(size))

    def map(self, n: int) -> Row:
        if self.likely(0.4):
            return (*self.name(), *symbols(self.one_of(_ARROWS)), *self.product(max(1, n - 2)))
        head = (*symbols(self.one_of("fgh")), *symbols(":"), *self.set_name())
        return (*head, *symbols(self.one_of(_ARROWS)), *self.set_name())

    def implication(self, n: int) -> Row:
        front = symbols(self.one_of((r"\therefore", r"\because"))) if self.likely(0.4) else ()
        first = (*front, *self.relation(max(3, n // 2)))
        if front and self.likely(0.5):
            return first
        return (*first, *symbols(self.one_of((";", *_ARROWS))), *self.relation(max(3, n // 2)))

    def derivative(self, n: int) -> Row:
        if self.likely(0.35):
            field = symbols(self.one_of((r"\cdot", r"\times", r"\cdot"))) if self.likely(0.5) else ()
            return (*symbols(r"\nabla"), *field, *self.accented(1), *symbols("="), *self.sum(max(1, n - 4)))
        order = symbols("2") if self.likely(0.3) else ()
        above = (Symbol(r"\partial", sup=order), *self.name())
        below = (Symbol(r"\partial"), replace(self.name()[0], sup=order))
        return (Symbol(r"\frac", above=above, below=below), *symbols("="), *self.sum(max(1, n - 6)))

    def comparison(self, n: int) -> Row:
        sign = self.one_of(_wide(SymbolKind.RELATION))
        return (*self.product(max(1, n // 2)), *symbols(sign), *self.product(max(1, n // 2)))

    def angle(self, n: int) -> Row:
        *front, last = self.number()
        degrees = (*front, replace(last, sup=symbols(r"\circ")))
        if self.likely(0.4):
            return (Symbol(self.one_of(self.functions)), *degrees)
        return (*symbols(r"\angle"), *self.points(1 + 2 * self.likely(0.5)), *symbols("="), *degrees)

    def amount(self, n: int) -> Row:
        sign = self.one_of((r"\%", r"\%", r"\$", r"\#", r"\&", '"', "?"))
        if sign in (r"\$", r"\#"):
            return (*symbols(sign), *self.number_or_name())
        if sign == "?":
            return (*self.arithmetic(max(3, n - 2)), *symbols("=", "?"))
        if sign == r"\&":
            return (*self.name(), *symbols(sign), *self.name())
        return (*self.number(), *symbols(sign))

    def ratio(self, n: int) -> Row:
        row = self.number_or_name()
        for _ in range(1 + self.likely(0.4)):
            row += (*symbols(self.one_of((":", ":", ";", r"\propto"))), *self.number_or_name())
        return row

    def congruence(self, n: int) -> Row:
        ending = (*symbols("(", r"\bmod"), *self.number_or_name(), *symbols(")"))
        return (*self.product(max(1, n - 6)), *symbols(r"\equiv"), *self.number_or_name(), *ending)

    def accented(self, n: int) -> Row:
        label = self.one_of(_ACCENTS)
        wide = label in (r"\overline", r"\vec") and self.likely(0.3)
        inside = self.points(2) if wide else self.name()
        symbol = Symbol(label, inside=inside)
        if self.likely(0.2):
            symbol = replace(symbol, sub=symbols(self.one_of("0123ijkn")))
        return (symbol,) if n < 4 else (symbol, *self.product(n - 2))

    def binomial(self, n: int) -> Row:
        above, below = self.name() if n < 6 else self.sum(n // 3), self.number_or_name()
        return (Symbol(r"\binom", above=above, below=below),)

    def starred(self, n: int) -> Row:
        return (
            replace(
                self.name()[0], sup=symbols(self.one_of(("*", r"\dagger", r"\star", r"\perp", r"\circ")))
            ),
        )
