"""The layout tree to MathML Core that browsers typeset well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from inkscan.latex.alphabet import SymbolKind, labels
from inkscan.latex.symbols import (
    ACCENT_MARKS,
    BARS,
    CHARACTERS,
    CLOSING,
    DOTS,
    FUNCTIONS,
    INTEGRALS,
    LARGE,
    LETTERLIKE,
    LIMIT_FUNCTIONS,
    MARKS,
    OPENING,
    OPERATORS,
    PUNCTUATION,
    RELATIONS,
    STYLED,
    shown,
)
from inkscan.latex.tree import ACCENTS, Row, Symbol

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_THIN = '<mspace width="0.167em"/>'
_MAX_FENCES = 100  # within one another; more are not paired
_STACKED = labels(SymbolKind.LARGE, SymbolKind.LIMIT) | {
    "\\underbrace",
    "\\overbrace",
}  # scripts above and below
_TALL = frozenset({"\\frac", "\\binom", *LARGE, "\\sqrt"})
_UNDER = labels(SymbolKind.UNDER)
_WIDE = labels(SymbolKind.OVER) | _UNDER


@dataclass(frozen=True)
class _Atom:
    """One thing of a row: its MathML, and what it is for spacing."""

    kind: str  # ordinary, function, operator, open, close, space
    mathml: str


def to_mathml(row: Row, display: bool = True) -> str:
    """A `math` element; `display` sets it in a block of its own, with limits above and below."""
    style = "block" if display else "inline"
    return f'<math xmlns="{_NAMESPACE}" display="{style}">{_row(row)}</math>'


def _row(row: Row) -> str:
    """One element for the row."""
    atoms = _atoms(row)
    inner = _spaced(atoms)
    return inner if len(atoms) == 1 else f"<mrow>{inner}</mrow>"


def _atoms(row: Row) -> list[_Atom]:
    """The atoms of a row; what stands between a pair of fences is one atom."""
    partner = fences(row)
    # How many tall symbols stand before each: a look into every pair would take the square of their number.
    tall = list(accumulate(map(_is_tall, row), initial=0)) if partner else []
    has_integral = any(symbol.label in INTEGRALS for symbol in row)
    atoms: list[_Atom] = []
    outer: list[tuple[int, list[_Atom]]] = []  # the fences that are open, and the atoms before each
    at = 0
    while at < len(row):
        length = max(1, number_length(row, at))
        last = row[at + length - 1]
        if at in partner:
            outer.append((at, atoms))
            atoms = []
        elif outer and partner[outer[-1][0]] == at:
            inside, (opening, atoms) = atoms, outer.pop()
            atoms.append(_fenced(row[opening], last, inside, is_tall=tall[at] > tall[opening + 1]))
        elif last.label.isdecimal():
            text = "".join(symbol.label for symbol in row[at : at + length])
            atoms.append(_Atom("ordinary", _scripted(last, f"<mn>{text}</mn>")))
        else:
            if has_integral and _is_differential(row, at) and atoms and atoms[-1].kind != "operator":
                atoms.append(_Atom("space", _THIN))
            atoms.append(_atom(last, is_prefix=not atoms or atoms[-1].kind in ("operator", "open")))
        at += length
    return atoms


def _spaced(atoms: Sequence[_Atom]) -> str:
    """Functions get the thin spaces that TeX gives them; MathML's own spacing does the rest."""
    pieces: list[str] = []
    for before, atom in zip([None, *atoms], atoms, strict=False):
        if before is not None:
            word_then_letter = before.kind == "function" and atom.kind in ("ordinary", "function")
            letter_then_word = before.kind in ("ordinary", "close") and atom.kind == "function"
            if word_then_letter or letter_then_word:
                pieces.append(_THIN)
        pieces.append(atom.mathml)
    return "".join(pieces)


def fences(row: Row) -> dict[int, int]:
    """The closing fence of each opening one; bars pair up where they can."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for at, symbol in enumerate(row):
        if len(opened) > _MAX_FENCES:
            return {}
        if symbol.label in OPENING:
            opened.append(at)
        elif symbol.label in CLOSING:
            while opened and row[opened[-1]].label in BARS:
                opened.pop()
            if opened and not _attached(row[opened[-1]]):
                partner[opened.pop()] = at
        elif symbol.label in BARS:
            if (
                opened
                and row[opened[-1]].label == symbol.label
                and at > opened[-1] + 1
                and _ends_operand(row, at - 1)
            ):
                partner[opened.pop()] = at
            elif not _attached(symbol):
                opened.append(at)
    return partner


def _ends_operand(row: Row, at: int) -> bool:
    """Whether the symbol at this place can end what stands between two bars."""
    label = row[at].label
    return not any(label in kind for kind in (OPERATORS, RELATIONS, OPENING, PUNCTUATION))


def _attached(symbol: Symbol) -> bool:
    return bool(symbol.sub or symbol.sup or symbol.above or symbol.below)


def _is_tall(symbol: Symbol) -> bool:
    """Whether it, or anything attached to it, needs fences that grow."""
    return symbol.label in _TALL or any(
        map(_has_tall, (symbol.sub, symbol.sup, symbol.above, symbol.below, symbol.inside))
    )


def _has_tall(row: Row) -> bool:
    # Each row with fences asks this of all that it holds, so leaves must be cheap.
    return any(
        s.label in _TALL or ((s.sub or s.sup or s.above or s.below or s.inside) and _is_tall(s)) for s in row
    )


def _fenced(opening: Symbol, closing: Symbol, inside: Sequence[_Atom], *, is_tall: bool) -> _Atom:
    """What stands between two fences, with them; the scripts of the closing one are those of the whole."""
    stretchy = "" if is_tall else ' stretchy="false"'
    left = f'<mo form="prefix" fence="true"{stretchy}>{_character(opening.label)}</mo>'
    right = f'<mo form="postfix" fence="true"{stretchy}>{_character(closing.label)}</mo>'
    return _Atom("close", _scripted(closing, f"<mrow>{left}{_spaced(inside)}{right}</mrow>"))


def number_length(row: Row, start: int) -> int:
    """How many symbols from here on are one number such as 12.5; only its last digit may have scripts."""
    at, stop = start, len(row)
    while at < stop:
        label = row[at].label
        is_point = (
            label == "."
            and start < at < stop - 1
            and row[at + 1].label.isdecimal()
            and not _attached(row[at])
        )
        if not (label.isdecimal() or is_point):
            break
        at += 1
        if _attached(row[at - 1]):
            break
    return at - start


def _is_differential(row: Row, at: int) -> bool:
    """Whether a `d` begins the `d x` of an integral."""
    if row[at].label != "d" or _attached(row[at]) or at + 1 >= len(row):
        return False
    following = row[at + 1].label
    return following in LETTERLIKE or (len(following) == 1 and following.isalpha())


def _atom(symbol: Symbol, is_prefix: bool) -> _Atom:
    label = symbol.label
    if label in ("\\frac", "\\binom"):
        return _Atom("ordinary", _scripted(symbol, _stack(symbol)))
    if label == "\\sqrt":
        inside = _row(symbol.inside)
        root = f"<mroot>{inside}{_row(symbol.above)}</mroot>" if symbol.above else f"<msqrt>{inside}</msqrt>"
        return _Atom("ordinary", _scripted(symbol, root))
    if label in ACCENTS:
        return _Atom("ordinary", _scripted(symbol, _accent(symbol)))
    if label in FUNCTIONS:
        return _Atom("function", _scripted(symbol, _function(symbol)))
    if label in LARGE:
        return _Atom("operator", _scripted(symbol, f"<mo{_movable(symbol)}>{_character(label)}</mo>"))
    return _plain_atom(symbol, is_prefix)


def _plain_atom(symbol: Symbol, is_prefix: bool) -> _Atom:
    label, text = symbol.label, _character(symbol.label)
    if label in OPENING or label in CLOSING or label in BARS:  # without a partner
        kind = "open" if label in OPENING else "close" if label in CLOSING else "ordinary"
        form = {"open": ' form="prefix"', "close": ' form="postfix"'}.get(kind, ' lspace="0" rspace="0"')
        return _Atom(kind, _scripted(symbol, f'<mo stretchy="false"{form}>{text}</mo>'))
    if label in RELATIONS or label in OPERATORS:
        form = ' form="prefix"' if is_prefix and label in OPERATORS else ' form="infix"'
        return _Atom("operator", _scripted(symbol, f'<mo stretchy="false"{form}>{text}</mo>'))
    if label in PUNCTUATION:
        return _Atom("operator", _scripted(symbol, f'<mo separator="true">{text}</mo>'))
    if label == "!":
        return _Atom("close", _scripted(symbol, '<mo form="postfix" lspace="0" rspace="0">!</mo>'))
    if label in MARKS:
        return _Atom("ordinary", _scripted(symbol, f'<mo lspace="0" rspace="0">{text}</mo>'))
    upright = label in DOTS or (label in LETTERLIKE and not LETTERLIKE[label].islower())
    variant = ' mathvariant="normal"' if upright else ""
    return _Atom("ordinary", _scripted(symbol, f"<mi{variant}>{text}</mi>"))


def _movable(symbol: Symbol) -> str:
    if symbol.has_limits:
        return ' movablelimits="false"'
    return ' movablelimits="true"' if symbol.sub or symbol.sup else ""


def _function(symbol: Symbol) -> str:
    name = shown(symbol.label)
    if symbol.label in LIMIT_FUNCTIONS and (symbol.has_limits or symbol.sub or symbol.sup):
        return f'<mo lspace="0" rspace="0"{_movable(symbol)}>{name}</mo>'
    return f"<mi>{name}</mi>"


def _scripted(symbol: Symbol, base: str) -> str:
    """The base with the symbol's scripts or limits around it."""
    if symbol.has_limits:
        names, low, high = ("munder", "mover", "munderover"), symbol.below, symbol.above
    else:
        low, high = symbol.sub, symbol.sup
        names = ("munder", "mover", "munderover") if symbol.label in _STACKED else ("msub", "msup", "msubsup")
    if low and high:
        return f"<{names[2]}>{base}{_row(low)}{_row(high)}</{names[2]}>"
    if low:
        return f"<{names[0]}>{base}{_row(low)}</{names[0]}>"
    return f"<{names[1]}>{base}{_row(high)}</{names[1]}>" if high else base


def _stack(symbol: Symbol) -> str:
    above, below = _row(symbol.above), _row(symbol.below)
    if symbol.label == "\\frac":
        return f"<mfrac>{above}{below}</mfrac>"
    return f'<mrow><mo>(</mo><mfrac linethickness="0">{above}{below}</mfrac><mo>)</mo></mrow>'


def _accent(symbol: Symbol) -> str:
    inside = _row(symbol.inside)
    if symbol.label == "\\boxed":
        return f'<mrow style="border: 1px solid; padding: 0.2em">{inside}</mrow>'
    stretchy = "true" if symbol.label in _WIDE else "false"
    mark = f'<mo stretchy="{stretchy}">{escape(ACCENT_MARKS[symbol.label])}</mo>'
    if symbol.label in _UNDER:
        return f'<munder accentunder="true">{inside}{mark}</munder>'
    return f'<mover accent="true">{inside}{mark}</mover>'


def _character(label: str) -> str:
    """The character that shows a label, escaped for XML."""
    if label == "-":
        return "−"
    if label.startswith(STYLED) and label not in CHARACTERS:  # a letter that this alphabet lacks
        return escape(label[label.index("{") + 1 : -1])
    return escape(CHARACTERS.get(label, label))
