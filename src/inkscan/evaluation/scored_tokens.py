"""ScoredTokens: the tokens by which a text is scored, readable LaTeX or not.

1. LaTeX that can be read counts by its canonical tokens.
2. LaTeX that cannot counts by its plain tokens: commands and characters, spaces and `$` left out.
3. Text that has no LaTeX tokens either (a backslash at its end, endless text) is split at its spaces.
"""

from __future__ import annotations

from dataclasses import dataclass

from inkscan.errors import LatexError
from inkscan.latex.tokens import canonical_tokens, tokenize


@dataclass(frozen=True)
class ScoredTokens:
    """Tokens, and the error's code where the text could not be read as a formula."""

    tokens: tuple[str, ...]
    code: str = ""


def read_formula(latex: str) -> ScoredTokens:
    """The tokens of any text; never raises."""
    try:
        return ScoredTokens(canonical_tokens(latex))
    except LatexError as error:
        return ScoredTokens(_plain_tokens(latex), error.code)


def _plain_tokens(latex: str) -> tuple[str, ...]:
    try:
        return tuple(token.text for token in tokenize(latex))
    except LatexError:
        return tuple(latex.split())
