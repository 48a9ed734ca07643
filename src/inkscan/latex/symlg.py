"""symLG, the symbol label graphs of CROHME 2019: objects named by their path from the root, and relations.

The official tool goes from LaTeX by Pandoc to MathML and from there to the graph. Its ways, kept here
(`pandoc.py` has those that concern malformed LaTeX):

* `O` is the first symbol, `OR` its right neighbour, `OSup` its superscript, `ORSupR` and so on.
* Limits (`\\limits`) are `Above` and `Below`, scripts are `Sup` and `Sub`, also on `\\sum` and `\\lim`.
* A fraction's label is that of the minus sign; capital and small gamma share one label.
* A root has a relation `Inside` to its first symbol and, if it has no index, to its second one too.
* Errors count objects and relations that are missing, extra or differently labelled.

Accents are outside CROHME; their argument counts as `Inside`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from inkscan.errors import LatexError
from inkscan.latex.pandoc import parse_as_pandoc
from inkscan.latex.symbols import CHARACTERS, label_of
from inkscan.latex.tree import Row, Symbol, parts

_Key = TypeVar("_Key")
_Path = TypeVar("_Path", str, int)

MAX_TOKENS = 2_000  # a longer prediction counts as one that cannot be read

_RELATIONS = {"sub": "Sub", "sup": "Sup", "above": "Above", "below": "Below", "inside": "Inside"}
_SHARED_LABELS = {"\\frac": "-", "\\Gamma": "γ"}


@dataclass(frozen=True)
class SymLg(Generic[_Path]):
    """Labels of objects by path, and of relations by the paths of parent and child."""

    objects: dict[_Path, str] = field(default_factory=dict)
    relations: dict[tuple[_Path, _Path], str] = field(default_factory=dict)


@dataclass(frozen=True)
class SymLgVerdict:
    """How far a prediction is from the truth; `nodes` counts the objects of both together."""

    errors: int
    same_structure: bool
    nodes: int


def to_symlg(row: Row) -> SymLg[str]:
    """The label graph of a layout tree."""
    graph: SymLg[str] = SymLg()
    _add_row(graph, row, "O", str.__add__)
    return graph


def compare(truth_tokens: Sequence[str], predicted_tokens: Sequence[str]) -> SymLgVerdict:
    """The official verdict; a prediction that cannot be read has all of the truth missing.

    A truth that cannot be read raises: it is the caller's data that is wrong.
    """
    paths = _NumberedPaths()
    truth = paths.graph(parse_as_pandoc(truth_tokens))
    readable = True
    try:
        if len(predicted_tokens) > MAX_TOKENS:
            raise LatexError(f"{len(predicted_tokens)} tokens; at most {MAX_TOKENS} are compared")
        predicted = paths.graph(parse_as_pandoc(predicted_tokens))
    except LatexError:
        predicted, readable = SymLg(), False
    return SymLgVerdict(
        errors=_differences(truth.objects, predicted.objects)
        + _differences(truth.relations, predicted.relations),
        same_structure=readable
        and truth.objects.keys() == predicted.objects.keys()
        and truth.relations == predicted.relations,
        nodes=len(truth.objects.keys() | predicted.objects.keys()),
    )


class _NumberedPaths:
    """A number for each path of several graphs: written out, the paths of a long row would fill the memory."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def graph(self, row: Row) -> SymLg[int]:
        graph: SymLg[int] = SymLg()
        _add_row(graph, row, 0, self._onward)
        return graph

    def _onward(self, path: int, step: str) -> int:
        return self._numbers.setdefault((path, step), len(self._numbers) + 1)


def _add_row(graph: SymLg[_Path], row: Row, path: _Path, onward: Callable[[_Path, str], _Path]) -> None:
    """Add a row that begins at a path; `onward` makes a path one step longer."""
    for index, symbol in enumerate(row):
        if index:
            left, path = path, onward(path, "R")
            graph.relations[left, path] = "Right"
        graph.objects[path] = _label(symbol)
        for place, part in parts(symbol):
            relation = _RELATIONS[place]
            first = onward(path, relation)
            graph.relations[path, first] = relation
            if symbol.label == "\\sqrt" and place == "inside" and len(part) > 1 and not symbol.above:
                graph.relations[path, onward(first, "R")] = "Inside"
            _add_row(graph, part, first, onward)


def _label(symbol: Symbol) -> str:
    label = label_of(symbol.label)
    return _SHARED_LABELS.get(label) or CHARACTERS.get(label, label)


def _differences(one: Mapping[_Key, str], other: Mapping[_Key, str]) -> int:
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())
