"""Counts: how far one prediction is from its truth. Everything else in this package only adds them up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from inkscan.errors import LatexError, UnknownToken
from inkscan.evaluation.convention import Convention
from inkscan.evaluation.scored_tokens import ScoredTokens, read_formula
from inkscan.evaluation.symbol_counts import SymbolCounts
from inkscan.latex.symlg import SymLgVerdict, compare

MISSING = "missing"  # the failure of a truth for which no prediction was given


@dataclass(frozen=True)
class SampleCounts:
    """One line of a score.

    Errors are None where they cannot be counted, for want of a prediction or of a truth that can be
    read; such a sample is wrong however many errors are allowed.
    """

    id: str
    truth_tokens: int
    token_errors: int | None
    symlg_errors: int | None
    same_structure: bool
    failure: str = ""  # MISSING, or the code of the error that stands in place of a prediction
    source: str = ""
    confidence: float | None = None
    symbols: SymbolCounts | None = None
    unreadable_truth: bool = False  # for symLG, whether or not there is a prediction


def count_sample(
    id: str,
    truth: str,
    prediction: str | None,
    *,
    failure: str = "",
    source: str = "",
    confidence: float | None = None,
    symbols: SymbolCounts | None = None,
    convention: Convention = Convention.WRITTEN,
) -> SampleCounts:
    """Compare LaTeX, or tokens joined by spaces; a blank prediction, or None, is one that was never given."""
    read = read_formula(truth)
    wanted = replace(read, tokens=convention.of_truth(read.tokens))
    absent = bool(failure) or prediction is None or not prediction.strip()
    given = ScoredTokens((), MISSING) if absent else read_formula(prediction or "")
    given = replace(given, tokens=convention.of_prediction(given.tokens))
    found = _verdict(wanted, given)
    verdict = None if absent else found
    return SampleCounts(
        id=id,
        truth_tokens=len(wanted.tokens),
        token_errors=None if absent else Levenshtein.distance(wanted.tokens, given.tokens),
        symlg_errors=verdict.errors if verdict else None,
        same_structure=verdict.same_structure if verdict else False,
        failure=failure or given.code,
        source=source,
        confidence=confidence,
        symbols=symbols,
        unreadable_truth=found is None,
    )


def count_unread(id: str, code: str, source: str = "") -> SampleCounts:
    """A file whose ink or truth could not be read: wrong, at any tolerance."""
    return SampleCounts(id, 0, None, None, same_structure=False, failure=code, source=source)


def _verdict(truth: ScoredTokens, prediction: ScoredTokens) -> SymLgVerdict | None:
    """None for a truth that is outside the layout tree; a prediction with unknown commands counts as empty.

    Other malformed LaTeX is read as the official tool reads it.
    """
    if truth.code == UnknownToken.code:
        return None
    predicted = () if prediction.code == UnknownToken.code else prediction.tokens
    try:
        return compare(truth.tokens, predicted)
    except LatexError:
        return None
