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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from inkscan.errors import LatexError
from inkscan.latex.pandoc import parse_as_pandoc
from inkscan.latex.symbols import CHARACTERS, label_of
from inkscan.latex.tree import Row, Symbol, parts

_Key = TypeVar("_Key")

MAX_TOKENS = 2_000  # a longer prediction counts as one that cannot be read

_RELATIONS = {"sub": "Sub", "sup": "Sup", "above": "Above", "below": "Below", "inside": "Inside"}
_SHARED_LABELS = {"\\frac": "-", "\\Gamma": "γ"}


@dataclass(frozen=True)
class SymLg:
    """Labels of objects by path, and of relations by the paths of parent and child."""

    objects: Mapping[str, str]
    relations: Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class SymLgVerdict:
    """How far a prediction is from the truth; `nodes` counts the objects of both together."""

    errors: int
    same_structure: bool
    nodes: int


def to_symlg(row: Row) -> SymLg:
    """The label graph of a layout tree."""
    objects: dict[str, str] = {}
    relations: dict[tuple[str, str], str] = {}
    _add_row(row, "O", objects, relations)
    return SymLg(objects, relations)


def compare(truth_tokens: Sequence[str], predicted_tokens: Sequence[str]) -> SymLgVerdict:
    """The official verdict; a prediction that cannot be read has all of the truth missing.

    A truth that cannot be read raises: it is the caller's data that is wrong.
    """
    truth = to_symlg(parse_as_pandoc(truth_tokens))
    readable = True
    try:
        if len(predicted_tokens) > MAX_TOKENS:
            raise LatexError(f"{len(predicted_tokens)} tokens; at most {MAX_TOKENS} are compared")
        predicted = to_symlg(parse_as_pandoc(predicted_tokens))
    except LatexError:
        predicted, readable = SymLg({}, {}), False
    return SymLgVerdict(
        errors=_differences(truth.objects, predicted.objects)
        + _differences(truth.relations, predicted.relations),
        same_structure=readable
        and truth.objects.keys() == predicted.objects.keys()
        and truth.relations == predicted.relations,
        nodes=len(truth.objects.keys() | predicted.objects.keys()),
    )


def _add_row(row: Row, path: str, objects: dict[str, str], relations: dict[tuple[str, str], str]) -> None:
    for index, symbol in enumerate(row):
        if index:
            relations[path, path + "R"] = "Right"
            path += "R"
        objects[path] = _label(symbol)
        for place, part in parts(symbol):
            relation = _RELATIONS[place]
            relations[path, path + relation] = relation
            if symbol.label == "\\sqrt" and place == "inside" and len(part) > 1 and not symbol.above:
                relations[path, path + "InsideR"] = "Inside"
            _add_row(part, path + relation, objects, relations)


def _label(symbol: Symbol) -> str:
    label = label_of(symbol.label)
    return _SHARED_LABELS.get(label) or CHARACTERS.get(label, label)


def _differences(one: Mapping[_Key, str], other: Mapping[_Key, str]) -> int:
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())
