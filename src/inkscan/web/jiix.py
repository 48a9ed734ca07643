"""JIIX, MyScript's JSON of an answer: the expression as a tree with boxes, strokes and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from inkscan.ink import Box
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symbols import CLOSING, OPENING, RELATIONS, shown
from inkscan.latex.tree import ACCENTS, Row, Symbol, parts
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.segmentation import is_written
from inkscan.web.candidates import Candidates

VERSION = "3"
_LEVELS = (
    frozenset(RELATIONS),
    frozenset({"+", "-", "\\pm", "\\mp"}),
    frozenset({"\\times", "\\cdot", "\\div", "/"}),
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
        """Relations bind least, then sums, then products; the rest is one symbol or a group."""
        for operators in _LEVELS:
            if cuts := _cuts(row, operators):
                return self._operation(row, cuts)
        if (
            len(row) > 1
            and row[0].label in OPENING
            and _closing(row) == len(row) - 1
            and not _scripts(row[-1])
        ):
            fence = {"open symbol": shown(row[0].label), "close symbol": shown(row[-1].label)}
            operands = [self.row(row[1:-1])] if row[1:-1] else []
            return self._node("fence", row, operands=operands, symbols=self._marks(row[0], row[-1]), **fence)
        if _is_number(row):
            label = "".join(symbol.label for symbol in row)
            return self._leaf("number", row, label, value=float(label))
        if len(row) == 1:
            return self._symbol(row[0])
        return self._node("group", row, operands=[self._symbol(symbol) for symbol in row])

    def _operation(self, row: _PlacedRow, cuts: list[int]) -> Node:
        """One operator with its two operands; several of a level nest from the left."""
        cut = cuts[-1]
        operator = row[cut]
        operands = [self.row(part) for part in (row[:cut], row[cut + 1 :]) if part]
        return self._node(shown(operator.label), row, operands=operands, symbols=self._marks(operator))

    def _symbol(self, symbol: _Placed) -> Node:
        scripts = _scripts(symbol)
        if scripts:
            rest = {place: row for place, row in symbol.rows.items() if place not in scripts}
            base = self._symbol(replace(symbol, rows=rest))
            operands = [base, *(self.row(symbol.rows[place]) for place in scripts)]
            return self._node(_SCRIPTS[scripts], (symbol,), operands=operands)
        if symbol.label in ("\\frac", "\\binom"):
            operands = [self.row(symbol.rows["above"]), self.row(symbol.rows["below"])]
            return self._structure(symbol.label[1:].replace("frac", "fraction"), symbol, operands)
        if symbol.label == "\\sqrt":
            operands = [self.row(symbol.rows[place]) for place in ("inside", "above") if place in symbol.rows]
            return self._structure("root" if "above" in symbol.rows else "square root", symbol, operands)
        if symbol.label in ACCENTS:
            return self._structure(symbol.label[1:], symbol, [self.row(symbol.rows["inside"])])
        if symbol.label.isdigit():
            return self._leaf("number", (symbol,), symbol.label, value=float(symbol.label))
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


def _is_number(row: _PlacedRow) -> bool:
    labels = [symbol.label for symbol in row]
    digits = all(label.isdigit() or label == "." for label in labels) and labels.count(".") < 2
    return digits and labels[0].isdigit() and not any(_scripts(symbol) for symbol in row)


def _cuts(row: _PlacedRow, operators: frozenset[str]) -> list[int]:
    """Places of these operators outside of all fences; a sign before everything is none."""
    level, cuts = 0, []
    for at, symbol in enumerate(row):
        level += (symbol.label in OPENING) - (symbol.label in CLOSING)
        if level == 0 and symbol.label in operators and 0 < at < len(row) - 1:
            cuts.append(at)
    return cuts


def _closing(row: _PlacedRow) -> int:
    level = 0
    for at, symbol in enumerate(row):
        level += (symbol.label in OPENING) - (symbol.label in CLOSING)
        if level == 0:
            return at
    return -1
