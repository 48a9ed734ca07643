"""AsciiMath of a layout tree."""

from __future__ import annotations

from inkscan.latex.alphabet import ALPHABET, ARGUMENT
from inkscan.latex.symbols import shown
from inkscan.latex.tree import ACCENTS, Row, Symbol

_NUMBER = frozenset("0123456789.")


def to_asciimath(row: Row) -> str:
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
        return f"({_group(symbol.above)},{_group(symbol.below)})"
    if symbol.label == "\\sqrt":
        root = f"root{_group(symbol.above)}" if symbol.above else "sqrt"
        return root + _group(symbol.inside)
    if symbol.label in ACCENTS:
        return ALPHABET[symbol.label].asciimath.replace(ARGUMENT, to_asciimath(symbol.inside))
    return _name(symbol.label)


def _group(row: Row) -> str:
    return f"({to_asciimath(row)})"


def _name(label: str) -> str:
    return ALPHABET[label].asciimath if label in ALPHABET else shown(label)
