"""Sheet: ink of several lines of mathematics, each read by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inkscan.latex.symbols import RELATIONS
from inkscan.latex.tokens import latex_from_tokens
from inkscan.runtime.recognition import Recognition


@dataclass(frozen=True)
class SheetLine:
    """One line of a sheet: the numbers of its strokes on the sheet, and what they say.

    The recognition counts strokes within the line: its stroke `i` is the sheet's `strokes[i]`.
    """

    strokes: tuple[int, ...]
    recognition: Recognition

    def __str__(self) -> str:
        return self.recognition.latex


@dataclass(frozen=True)
class Sheet:
    """Lines from top to bottom; every stroke of the ink is in one of them."""

    lines: tuple[SheetLine, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[SheetLine]:
        return iter(self.lines)

    def __str__(self) -> str:
        return self.latex

    @property
    def latex(self) -> str:
        """The lines' LaTeX, a line each."""
        return "\n".join(line.recognition.latex for line in self.lines)

    @property
    def aligned(self) -> str:
        """One formula: the lines below one another, their first relation signs too."""
        rows = (_with_mark(line.recognition.tokens) for line in self.lines)
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def to_json(self) -> dict[str, Any]:
        """JSON values: each line as its recognition's, with the numbers of its strokes on the sheet."""
        lines = [{**line.recognition.to_json(), "strokes": list(line.strokes)} for line in self.lines]
        return {"lines": lines, "latex": self.latex, "aligned": self.aligned}


def _with_mark(tokens: Sequence[str]) -> str:
    """LaTeX with `&` before its first relation sign in no group; before all of a line that has none."""
    at = _first_relation(tokens)
    return f"{latex_from_tokens(tokens[:at])} &{latex_from_tokens(tokens[at:])}".lstrip()


def _first_relation(tokens: Sequence[str]) -> int:
    """The index of the first relation sign that stands neither in braces nor in the index of a root, or 0."""
    closers: list[str] = []
    for at, token in enumerate(tokens):
        if closers and token == closers[-1]:
            closers.pop()
        elif token == "{":
            closers.append("}")
        elif token == "[" and at and tokens[at - 1] == "\\sqrt":
            closers.append("]")
        elif not closers and token in RELATIONS:
            return at
    return 0
