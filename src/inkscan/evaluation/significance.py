"""Significance: whether two sets of predictions for the same truths differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

import numpy as np

from inkscan.errors import BadLabels
from inkscan.evaluation.bootstrap import CONFIDENCE, Bootstrap, Ratio, draw_percentages
from inkscan.evaluation.counts import SampleCounts
from inkscan.evaluation.score import structure_ratio, tolerance_ratios

_EXACT_FLIPS = 1_000  # above, whole numbers of so many digits take minutes, and floats agree to nine digits


@dataclass(frozen=True)
class Comparison:
    """A rate of two systems in per cent, B minus A with its paired interval, and McNemar's exact p."""

    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    only_a: int  # samples that A alone has right
    only_b: int
    p_value: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def compare_samples(
    a: Sequence[SampleCounts], b: Sequence[SampleCounts], bootstrap: Bootstrap
) -> tuple[Comparison, ...]:
    """Token ExpRate, symLG ExpRate and StruRate of B against A, sample by sample."""
    of_b = {sample.id: sample for sample in b}
    if {sample.id for sample in a} != of_b.keys() or not len(a) == len(b) == len(of_b):
        raise BadLabels("the two sets do not score the same samples, so they cannot be paired")
    if not a:
        raise BadLabels("there are no samples to compare")
    known = [(sample.truth_tokens, of_b[sample.id].truth_tokens) for sample in a]
    if any(one and other and one != other for one, other in known):
        raise BadLabels(
            "samples of the same names have other truths in A than in B, so they cannot be paired"
        )
    paired = [of_b[sample.id] for sample in a]
    return tuple(
        _comparison(name, one, other, bootstrap)
        for (name, one), (_, other) in zip(_rates(a), _rates(paired), strict=True)
    )


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p: a fair coin decides each sample on which the two differ."""
    flips, fewer = only_a + only_b, min(only_a, only_b)
    if flips <= _EXACT_FLIPS:
        tail = sum(comb(flips, k) for k in range(fewer + 1))
        return min(1.0, 2 * tail / (1 << flips))
    k = np.arange(1, fewer + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((flips - k + 1) / k))]) - flips * np.log(2)
    return min(1.0, 2 * float(np.exp(logs).sum()))


def _rates(samples: Sequence[SampleCounts]) -> tuple[tuple[str, Ratio], ...]:
    return (
        ("token exp_rate", tolerance_ratios([s.token_errors for s in samples])[0]),
        ("symlg exp_rate", tolerance_ratios([s.symlg_errors for s in samples])[0]),
        ("symlg stru_rate", structure_ratio(samples)),
    )


def _comparison(metric: str, a: Ratio, b: Ratio, bootstrap: Bootstrap) -> Comparison:
    gain = Ratio(metric, b.numerator - a.numerator, a.denominator)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(draw_percentages([gain], bootstrap)[0], (tail, 1 - tail)).tolist()
    only_a, only_b = int((gain.numerator < 0).sum()), int((gain.numerator > 0).sum())
    rate_a, rate_b = (100.0 * float(ratio.numerator.mean()) for ratio in (a, b))
    return Comparison(
        metric, rate_a, rate_b, rate_b - rate_a, low, high, only_a, only_b, mcnemar(only_a, only_b)
    )
