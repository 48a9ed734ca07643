"""Report: all scores of a set of samples, whole and broken down by length and source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inkscan.evaluation.bootstrap import Bootstrap
from inkscan.evaluation.convention import Convention
from inkscan.evaluation.counts import SampleCounts
from inkscan.evaluation.reliability import Reliability, reliability
from inkscan.evaluation.score import Score, symbol_score, symlg_score, token_score

LENGTHS = ((1, 5), (6, 10), (11, 20), (21, 40), (41, None))  # tokens of the truth
UNKNOWN_LENGTH = "unknown"


@dataclass(frozen=True)
class ScoreGroup:
    """The scores of some of the samples."""

    name: str
    count: int
    token: Score
    symlg: Score

    def under(self, condition: str) -> ScoreGroup:
        return replace(self, token=self.token.under(condition), symlg=self.symlg.under(condition))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "count": self.count,
            "token": self.token.to_json(),
            "symlg": self.symlg.to_json(),
        }


@dataclass(frozen=True)
class Report:
    """The two families of scores, never mixed, and what else the samples tell."""

    count: int  # truths, the denominator of every rate
    failures: Counter[str]  # samples without a prediction that can be read, by code
    unreadable_truths: int  # of which symLG knows no graph; they count as wrong there
    token: Score
    symlg: Score
    symbols: Score | None
    by_length: tuple[ScoreGroup, ...]
    by_source: tuple[ScoreGroup, ...]
    calibration: Reliability | None

    def under(self, condition: str) -> Report:
        """The same scores, whose signatures tell a condition under which the ink was read."""
        return replace(
            self,
            token=self.token.under(condition),
            symlg=self.symlg.under(condition),
            symbols=self.symbols.under(condition) if self.symbols else None,
            by_length=tuple(group.under(condition) for group in self.by_length),
            by_source=tuple(group.under(condition) for group in self.by_source),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "failures": dict(self.failures),
            "unreadable_truths": self.unreadable_truths,
            "token": self.token.to_json(),
            "symlg": self.symlg.to_json(),
            "symbols": self.symbols.to_json() if self.symbols else None,
            "by_length": [group.to_json() for group in self.by_length],
            "by_source": [group.to_json() for group in self.by_source],
            "calibration": self.calibration.to_json() if self.calibration else None,
        }


def report(
    samples: Sequence[SampleCounts],
    bootstrap: Bootstrap | None = None,
    convention: Convention = Convention.WRITTEN,
) -> Report:
    """Add up counts that were made by a convention; no samples give None for every rate."""
    bootstrap = bootstrap or Bootstrap()
    return Report(
        count=len(samples),
        failures=Counter(sample.failure for sample in samples if sample.failure),
        unreadable_truths=sum(s.unreadable_truth for s in samples),
        token=token_score(samples, bootstrap, convention),
        symlg=symlg_score(samples, bootstrap, convention),
        symbols=symbol_score(samples, bootstrap),
        by_length=_groups(
            samples, _length_name, [_bin_name(*bounds) for bounds in LENGTHS], bootstrap, convention
        ),
        by_source=_groups(samples, lambda sample: sample.source, [], bootstrap, convention),
        calibration=reliability(samples),
    )


def _groups(
    samples: Sequence[SampleCounts],
    name_of: Callable[[SampleCounts], str],
    order: Sequence[str],
    bootstrap: Bootstrap,
    convention: Convention,
) -> tuple[ScoreGroup, ...]:
    members: dict[str, list[SampleCounts]] = {name: [] for name in order}
    for sample in samples:
        members.setdefault(name_of(sample), []).append(sample)
    if not order and list(members) == [""]:
        return ()
    return tuple(
        ScoreGroup(
            name,
            len(group),
            token_score(group, bootstrap, convention),
            symlg_score(group, bootstrap, convention),
        )
        for name, group in members.items()
        if group
    )


def _length_name(sample: SampleCounts) -> str:
    fitting = (
        _bin_name(low, high)
        for low, high in LENGTHS
        if low <= sample.truth_tokens and (high is None or sample.truth_tokens <= high)
    )
    return next(fitting, UNKNOWN_LENGTH)


def _bin_name(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else f"{low}-{high}"
