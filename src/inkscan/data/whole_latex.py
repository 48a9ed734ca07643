"""Whether LaTeX is whole: TeX would refuse braces that do not match and arguments that are missing.

The layout tree refuses much that is good LaTeX (arrays, unknown commands, a script on nothing); this does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inkscan.errors import LatexSyntax
from inkscan.latex.tokens import Token
from inkscan.latex.tree import ACCENTS, STACKS

_ARGUMENTS = {
    **dict.fromkeys(("^", "_", "\\sqrt", *ACCENTS), 1),
    **dict.fromkeys(("\\overset", "\\underset", "\\stackrel", *STACKS), 2),
}


@dataclass(frozen=True)
class _Group:
    """A group that is open, and the arguments that are due after it."""

    opening: Token
    closer: str
    due: int


def check_whole(tokens: Sequence[Token]) -> None:
    """Raise LatexSyntax where a brace or an argument is missing."""
    groups: list[_Group] = []
    due = 0  # arguments that the commands of this group still lack
    before = ""
    for token in tokens:
        closes_index = token.text == "]" and bool(groups) and groups[-1].closer == "]"
        if token.text == "{":
            groups.append(_Group(token, "}", max(due - 1, 0)))
            due = 0
        elif token.text == "[" and before == "\\sqrt":
            groups.append(_Group(token, "]", due))
            due = 0
        elif token.text == "}" or closes_index:
            due = _closed(token, groups, due)
        else:
            due = max(due - 1, 0) + _ARGUMENTS.get(token.text, 0)
        before = token.text
    if groups:
        raise LatexSyntax(f"'{groups[-1].opening.text}' is never closed", groups[-1].opening.position)
    if due:
        raise LatexSyntax("an argument is missing at the end", tokens[-1].position)


def _closed(token: Token, groups: list[_Group], due: int) -> int:
    """The arguments that are due after the group that a token closes."""
    if due:
        raise LatexSyntax(f"an argument is missing before '{token.text}'", token.position)
    if not groups or groups[-1].closer != token.text:
        raise LatexSyntax(f"'{token.text}' closes a group that was never opened", token.position)
    return groups.pop().due
