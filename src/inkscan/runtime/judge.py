"""Judge: what speaks against a finished answer beside its probability.

The network decides each letter's case by itself; a person who wrote `x` twice in one formula seldom means `x` and `X`.
Half of the integrals that it learnt from have their bounds above and below the sign; people put them beside it. And a
cross that has nothing to multiply is a letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from inkscan.latex.alphabet import CASES_ALIKE, SymbolKind, labels
from inkscan.latex.symbols import INTEGRALS, SIGNS
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.search import SearchSettings

# Nothing that could be multiplied ends in one of the first, or begins with one of the second.
BEFORE_FACTORS = labels(
    SymbolKind.OPERATOR,
    SymbolKind.RELATION,
    SymbolKind.OPENING,
    SymbolKind.PUNCTUATION,
    SymbolKind.FUNCTION,
    SymbolKind.LIMIT,
) | {"{", "\\forall", "\\exists"}
AFTER_FACTORS = (
    labels(SymbolKind.OPERATOR, SymbolKind.RELATION, SymbolKind.CLOSING, SymbolKind.PUNCTUATION) - SIGNS
) | {"}", "^", "_", "\\forall", "\\exists"}


class Judge:
    """Looks at the answers of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        number = vocabulary.index
        self._cases = [(number[a], number[b]) for a, b in CASES_ALIKE if a in number and b in number]
        self._integrals = {number[sign] for sign in INTEGRALS if sign in number}
        self._limits = number.get(r"\limits")
        self._times = number.get(r"\times")
        self._before = {number[label] for label in BEFORE_FACTORS if label in number} | {None}
        self._after = {number[label] for label in AFTER_FACTORS if label in number} | {None}
        self._row_opens, self._row_closes = {None, number.get("{")}, {None, number.get("}")}

    def against(self, tokens: Sequence[int], settings: SearchSettings) -> float:
        """Nats that count against a finished answer."""
        return (
            settings.both_cases * self.letters_in_both_cases(tokens)
            + settings.integral_limits * self.integrals_with_limits(tokens)
            + settings.bare_times * self.bare_times(tokens)
        )

    def letters_in_both_cases(self, tokens: Sequence[int]) -> int:
        """How many letters an answer writes both small and capital, of those whose two cases look alike."""
        written = set(tokens)
        return sum(small in written and capital in written for small, capital in self._cases)

    def integrals_with_limits(self, tokens: Sequence[int]) -> int:
        """How many integrals of an answer have their bounds above and below the sign."""
        return sum(sign in self._integrals and mark == self._limits for sign, mark in pairwise(tokens))

    def bare_times(self, tokens: Sequence[int]) -> int:
        """How many crosses lack a factor on a side; one that is all of its row, as in `R^{\\times}`, does not count."""
        if self._times not in tokens:
            return 0
        beside = zip((None, *tokens[:-1]), tokens, (*tokens[1:], None), strict=True)
        return sum(
            (before in self._before or after in self._after)
            and not (before in self._row_opens and after in self._row_closes)
            for before, token, after in beside
            if token == self._times
        )
