"""Conventions: what a truth says about limits that LaTeX draws above and below anyway.

`\\sum \\limits _ { i }` and `\\sum _ { i }` are the same ink. Test sets and their captions differ in which of the two
they write, so the same answers score differently by the truth that one has taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from inkscan.latex.alphabet import SymbolKind, labels

_LIMITS = "\\limits"
_DRAWN_ANYWAY = labels(
    SymbolKind.LARGE, SymbolKind.LIMIT
)  # but not integrals: with \limits these look otherwise


class Convention(StrEnum):
    """Which `\\limits` count."""

    WRITTEN = "written"  # as the truth has them
    OWN = "own"  # an integral's alone
    FIELD = (
        "field"  # every sum and every limit in the truth has them, as in the field's captions of the tests
    )
    FIELD_WITHOUT = "field-without"  # none

    def of_truth(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a truth by this convention."""
        return tuple(_with_limits(tokens)) if self == Convention.FIELD else self.of_prediction(tokens)

    def of_prediction(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a prediction by this convention."""
        if self == Convention.OWN:
            return tuple(_without_drawn(tokens))
        if self == Convention.FIELD_WITHOUT:
            return tuple(token for token in tokens if token != _LIMITS)
        return tuple(tokens)


def _without_drawn(tokens: Sequence[str]) -> Iterator[str]:
    kept = ""
    for token in tokens:
        if token != _LIMITS or kept not in _DRAWN_ANYWAY:
            kept = token
            yield token


def _with_limits(tokens: Sequence[str]) -> Iterator[str]:
    for token, following in pairwise((*tokens, "")):
        yield token
        if token in _DRAWN_ANYWAY and following in ("_", "^"):
            yield _LIMITS
