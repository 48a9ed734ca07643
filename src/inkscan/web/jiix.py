"""JIIX, MyScript's JSON of an answer: the expression as a tree with boxes, strokes and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any

from inkscan.ink import Box
from inkscan.latex.alphabet import SymbolKind, labels
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symbols import RELATIONS, SIGNS, shown
from inkscan.latex.tree import ACCENTS, Row, Symbol, parts
from inkscan.latex.typeset import fences, number_length
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.segmentation import is_written
from inkscan.web.candidates import Candidates

VERSION = "3"
_COMMAS = frozenset((",", ";"))
_SUCH_THAT = frozenset(("\\mid", "|"))  # a bar without a partner is written for the other, too
_LEVELS = (
    _SUCH_THAT,
    frozenset(RELATIONS),
    SIGNS,
    frozenset({"\\times", "\\cdot", "\\div", "/"}),
)
# A sign that follows one of these belongs to what stands behind it.
_BEFORE_SIGNS = labels(
    SymbolKind.OPERATOR,
    SymbolKind.RELATION,
    SymbolKind.PUNCTUATION,
    SymbolKind.FUNCTION,
    SymbolKind.LIMIT,
    SymbolKind.LARGE,
    SymbolKind.INTEGRAL,
)
_SCRIPTS = {
    ("sub",): "subscript",
    ("sup",): "superscript",
    ("sub", "sup"): "subsuperscript",
    ("below",): "underscript",
    ("above",): "overscript",
    ("below", "above"): "underoverscript",
}

Node = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """Millimetres a unit of the ink."""

    x: float
    y: float

    def box(self, box: Box) -> dict[str, float]:
        return {
            "x": round(box.left * self.x, 4),
            "y": round(box.top * self.y, 4),
            "width": round(box.width * self.x, 4),
            "height": round(box.height * self.y, 4),
        }


@dataclass(frozen=True)
class _Placed:
    """A symbol of the layout tree, the index of its token, and the rows attached to it by the name of their place."""

    symbol: Symbol
    index: int
    rows: Mapping[str, _PlacedRow]

    @property
    def label(self) -> str:
        return self.symbol.label


_PlacedRow = tuple[_Placed, ...]
_Unit = _PlacedRow  # a number, what stands between two fences with these, or a single symbol


def to_jiix(recognition: Recognition, scale: Scale, vocabulary: frozenset[str]) -> Node:
    """The answer as a JIIX document."""
    writer = _Writer(recognition, scale, Candidates(recognition, vocabulary))
    written = (index for index, is_symbol in enumerate(is_written(recognition.tokens)) if is_symbol)
    row = _placed(parse_tokens(recognition.tokens), written)
    return {
        "type": "Math",
        "id": "MainBlock",
        "version": VERSION,
        "bounding-box": scale.box(recognition.ink.box()),
        "label": recognition.latex,
        "confidence": round(recognition.confidence, 6),
        "expressions": [writer.row(row)] if row else [],
    }


class _Writer:
    """Writes rows of the layout tree."""

    def __init__(self, recognition: Recognition, scale: Scale, candidates: Candidates) -> None:
        self._ink, self._scale, self._candidates = recognition.ink, scale, candidates
        self._strokes = recognition.strokes_of_tokens
        self._ids: Iterator[int] = count()

    def row(self, row: _PlacedRow) -> Node:
        return self._expression(_units(row))

    def _expression(self, units: Sequence[_Unit]) -> Node:
        """Commas bind least, then relations, sums and products; the rest is one unit or a group."""
        if _cuts(units, _COMMAS):
            return self._node("group", _joined(units), operands=self._listed(units))
        for operators in _LEVELS:
            if cuts := _cuts(units, operators):
                return self._operation(units, cuts[-1])
        if len(units) == 1:
            return self._unit(units[0])
        return self._node("group", _joined(units), operands=[self._unit(unit) for unit in units])

    def _listed(self, units: Sequence[_Unit]) -> list[Node]:
        """What stands between commas, and the commas themselves."""
        commas = [at for at, unit in enumerate(units) if unit[0].label in _COMMAS]
        operands = []
        for start, comma in pairwise((-1, *commas, len(units))):
            if part := units[start + 1 : comma]:
                operands.append(self._expression(part))
            operands += [self._unit(unit) for unit in units[comma : comma + 1]]
        return operands

    def _operation(self, units: Sequence[_Unit], cut: int) -> Node:
        """One operator with its two operands; several of a level nest from the left."""
        (operator,) = units[cut]
        operands = [self._expression(part) for part in (units[:cut], units[cut + 1 :])]
        return self._node(
            shown(operator.label), _joined(units), operands=operands, symbols=self._marks(operator)
        )

    def _unit(self, unit: _Unit) -> Node:
        """The scripts of its last symbol are those of the whole."""
        first, last = unit[0], unit[-1]
        if scripts := _scripts(last):
            rest = {place: row for place, row in last.rows.items() if place not in scripts}
            base = self._unit((*unit[:-1], replace(last, rows=rest)))
            return self._node(
                _SCRIPTS[scripts], unit, operands=[base, *(self.row(last.rows[place]) for place in scripts)]
            )
        if first.label.isdecimal():
            label = "".join(symbol.label for symbol in unit)
            value = {"value": float(label)} if label.count(".") < 2 else {}
            return self._leaf("number", unit, label, **value)
        if len(unit) == 1:
            return self._symbol(first)
        fence = {"open symbol": shown(first.label), "close symbol": shown(last.label)}
        operands = [self._within(unit)] if unit[1:-1] else []
        return self._node("fence", unit, operands=operands, symbols=self._marks(first, last), **fence)

    def _within(self, fence: _Unit) -> Node:
        """What stands between two fences; the only bar of a set binds less than the commas of its condition."""
        units = _units(fence[1:-1])
        cuts = _cuts(units, _SUCH_THAT) if fence[0].label == "\\{" else []
        return self._operation(units, cuts[0]) if len(cuts) == 1 else self._expression(units)

    def _symbol(self, symbol: _Placed) -> Node:
        if symbol.label in ("\\frac", "\\binom"):
            operands = [self.row(symbol.rows["above"]), self.row(symbol.rows["below"])]
            return self._structure(symbol.label[1:].replace("frac", "fraction"), symbol, operands)
        if symbol.label == "\\sqrt":
            operands = [self.row(symbol.rows[place]) for place in ("inside", "above") if place in symbol.rows]
            return self._structure("root" if "above" in symbol.rows else "square root", symbol, operands)
        if symbol.label in ACCENTS:
            return self._structure(symbol.label[1:], symbol, [self.row(symbol.rows["inside"])])
        return self._leaf("symbol", (symbol,), shown(symbol.label))

    def _structure(self, kind: str, symbol: _Placed, operands: list[Node]) -> Node:
        """What has operands and is drawn itself: a fraction's bar, a root's sign, an accent."""
        return self._node(kind, (symbol,), operands=operands, symbols=self._marks(symbol))

    def _leaf(self, kind: str, row: _PlacedRow, label: str, **more: Any) -> Node:
        marks = self._marks(*row)
        items = [item for mark in marks for item in mark["items"]]
        return self._node(kind, row, label=label, symbols=marks, items=items, **more)

    def _node(self, kind: str, row: _PlacedRow, **more: Any) -> Node:
        strokes = sorted({stroke for index in _indices(row) for stroke in self._strokes[index]})
        node: Node = {"type": kind, "id": f"math/{next(self._ids)}", **more}
        if strokes:
            node["bounding-box"] = self._scale.box(self._ink.box(strokes))
        return node

    def _marks(self, *symbols: _Placed) -> list[Node]:
        return [self._mark(symbol) for symbol in symbols]

    def _mark(self, symbol: _Placed) -> Node:
        """A written symbol: its label, candidates and strokes."""
        names = self._ink.ids
        labels = [symbol.label, *(candidate.token for candidate in self._candidates.of(symbol.index))]
        return {
            "label": shown(symbol.label),
            "candidates": list(map(shown, labels)),
            "items": [
                {"type": "stroke", "id": names[s] if names else f"s{s}", "index": s}
                for s in self._strokes[symbol.index]
            ],
        }


def _placed(row: Row, written: Iterator[int]) -> _PlacedRow:
    """The row with the indices of the tokens that write symbols, which are in the order of the tree."""
    return tuple(
        _Placed(symbol, next(written), {place: _placed(part, written) for place, part in parts(symbol)})
        for symbol in row
    )


def _indices(row: _PlacedRow) -> Iterator[int]:
    for symbol in row:
        yield symbol.index
        for part in symbol.rows.values():
            yield from _indices(part)


def _scripts(symbol: _Placed) -> tuple[str, ...]:
    places = ("below", "above") if symbol.symbol.has_limits else ("sub", "sup")
    return tuple(place for place in places if place in symbol.rows)


def _units(row: _PlacedRow) -> list[_Unit]:
    symbols = tuple(placed.symbol for placed in row)
    closing = fences(symbols)
    units, at = [], 0
    while at < len(row):
        end = closing[at] + 1 if at in closing else at + max(1, number_length(symbols, at))
        units.append(row[at:end])
        at = end
    return units


def _joined(units: Sequence[_Unit]) -> _PlacedRow:
    return tuple(symbol for unit in units for symbol in unit)


def _cuts(units: Sequence[_Unit], operators: frozenset[str]) -> list[int]:
    """Places of these operators; a sign before everything is none, nor is one with scripts, which would be lost."""
    return [
        at
        for at, unit in enumerate(units)
        if len(unit) == 1
        and unit[0].label in operators
        and 0 < at < len(units) - 1
        and not _scripts(unit[0])
        and not (
            unit[0].label in SIGNS and len(units[at - 1]) == 1 and units[at - 1][0].label in _BEFORE_SIGNS
        )
    ]
