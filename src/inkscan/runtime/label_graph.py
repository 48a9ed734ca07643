"""Label graphs (.lg) as CROHME's tools read them: objects with strokes, relations between objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import Row, parts

_LABELS = {",": "COMMA", "\\frac": "-"}


def label_graph(tokens: Sequence[str], strokes: Sequence[Sequence[int]]) -> str:
    """The graph of an answer whose tokens' strokes are known."""
    objects: list[str] = []
    relations: list[str] = []
    names = _Names()
    _add_row(parse_tokens(tokens, strokes), objects, relations, names)
    lines = [f"# {len(objects)} objects", *objects, "", f"# {len(relations)} relations", *relations]
    return "\n".join(lines) + "\n"


class _Names:
    """`x_1`, `x_2` ... for the objects of each label."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def new(self, label: str) -> str:
        self.seen[label] += 1
        return f"{label}_{self.seen[label]}"


def _add_row(row: Row, objects: list[str], relations: list[str], names: _Names) -> str:
    """Add a row and what hangs on it; returns the name of its first symbol."""
    found = list(_row_names(row, objects, relations, names))
    relations.extend(f"R, {a}, {b}, Right, 1.0" for a, b in pairwise(found))
    return found[0]


def _row_names(row: Row, objects: list[str], relations: list[str], names: _Names) -> Iterator[str]:
    for symbol in row:
        label = _LABELS.get(symbol.label, symbol.label)
        name = names.new(label)
        objects.append(", ".join(["O", name, label, "1.0", *map(str, symbol.strokes)]))
        for place, part in parts(symbol):
            child = _add_row(part, objects, relations, names)
            relations.append(f"R, {name}, {child}, {place.capitalize()}, 1.0")
        yield name
