"""AsciiMath of a layout tree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inkscan.latex.alphabet import ALPHABET, ARGUMENT
from inkscan.latex.symbols import shown
from inkscan.latex.tree import ACCENTS, Row, Symbol

_NUMBER = frozenset("0123456789.")
_OPENING = frozenset({"(", "[", "{", "{:", "langle"})
_CLOSING = frozenset({")", "]", "}", ":}", "rangle"})
_WORD = re.compile(r"\{:|:\}|[()\[\]{}]|[^\s()\[\]{}]+")
_PAIRS = {
    "()": "p",
    "[]": "s",
}  # parentheses and square brackets, of which AsciiMath makes the rows of a matrix
_ROWS = re.compile(r"P|S|[Pp](,[Pp])+|[Ss](,[Ss])+")  # capitals hold a comma
_NOTHING = "{: :}"


def to_asciimath(row: Row) -> str:
    """AsciiMath that is read as the same formula, in which only binomials are matrices."""
    text = _row(row).replace("(:", "( :").replace(":)", ": )")  # together they would be angles
    for at in reversed(_matrix_heads(text)):
        text = text[:at] + (f" {_NOTHING}" if text[at] == " " else f"{_NOTHING} ") + text[at:]
    return text


@dataclass
class _Open:
    """A bracket or bar that is open; its shape tells what it holds: rows, commas and other things."""

    base: str = ""
    start: int = 0
    shape: str = ""


def _matrix_heads(text: str) -> list[int]:
    """Where brackets begin that hold nothing but bracketed rows, such as `( [ a , b ] , [ c , d ] )`."""
    heads: list[int] = []
    opened = [_Open()]  # and the whole text around them
    brackets = 0
    for word in _WORD.finditer(text):
        base = re.split("[_^]", word[0])[0]
        script = "" if base == word[0] else "x"  # with a script it is no row
        is_bar = base == "|"
        if (base in _CLOSING and brackets) or (is_bar and opened[-1].base == "|"):
            while not is_bar and opened[-1].base == "|":  # it had no partner
                unpaired = opened.pop()
                opened[-1].shape += f"x{unpaired.shape}"
            inner = opened.pop()
            if _ROWS.fullmatch(inner.shape):
                heads.append(inner.start)
            pair = _PAIRS.get(inner.base + base, "x")
            opened[-1].shape += (pair.upper() if "," in inner.shape else pair) + script
            brackets -= not is_bar
        elif base in _OPENING or is_bar:
            opened.append(_Open(base, word.start() + len(base), script))
            brackets += not is_bar
        else:
            is_comma = word[0] == "," and text[word.start() - 1] == " "
            opened[-1].shape += "," if is_comma else "x"
    return sorted(heads)


def _row(row: Row) -> str:
    """Symbols with spaces between, as `in` would be another symbol than `i n`; the digits of a number together."""
    text = ""
    for symbol in row:
        piece = _symbol(symbol)
        is_one_number = bool(text) and text[-1] in _NUMBER and piece[0] in _NUMBER
        text += piece if is_one_number or not text else f" {piece}"
    return text


def _symbol(symbol: Symbol) -> str:
    sub, sup = (symbol.below, symbol.above) if symbol.has_limits else (symbol.sub, symbol.sup)
    return _base(symbol) + (f"_{_group(sub)}" if sub else "") + (f"^{_group(sup)}" if sup else "")


def _base(symbol: Symbol) -> str:
    # Not a/b, which binds less than scripts do, and less than a function before it.
    if symbol.label == "\\frac":
        return f"frac{_group(symbol.above)}{_group(symbol.below)}"
    if symbol.label == "\\binom":
        return f"(({_cell(symbol.above)}),({_cell(symbol.below)}))"
    if symbol.label == "\\sqrt":
        root = f"root{_group(symbol.above)}" if symbol.above else "sqrt"
        return root + _group(symbol.inside)
    if symbol.label in ACCENTS:
        return ALPHABET[symbol.label].asciimath.replace(ARGUMENT, _row(symbol.inside))
    return _name(symbol.label)


def _group(row: Row) -> str:
    return f"({_row(row)})"


def _cell(row: Row) -> str:
    """A row of a matrix, whose commas must not part columns."""
    text = _row(row)
    return f"{{: {text} :}}" if "," in text.split() else text


def _name(label: str) -> str:
    return ALPHABET[label].asciimath if label in ALPHABET else shown(label)
