"""Judge: what speaks against a finished answer beside its probability.

The network decides each letter's case by itself; a person who wrote `x` twice in one formula seldom means `x` and `X`.
"""

from __future__ import annotations

from collections.abc import Sequence

from inkscan.latex.alphabet import CASES_ALIKE
from inkscan.latex.vocabulary import Vocabulary


class Judge:
    """Looks at the answers of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        number = vocabulary.index
        self._cases = [(number[a], number[b]) for a, b in CASES_ALIKE if a in number and b in number]

    def letters_in_both_cases(self, tokens: Sequence[int]) -> int:
        """How many letters an answer writes both small and capital, of those whose two cases look alike."""
        written = set(tokens)
        return sum(small in written and capital in written for small, capital in self._cases)
