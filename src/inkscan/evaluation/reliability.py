"""Reliability: whether confidences are the shares of right answers that they promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inkscan.evaluation.counts import SampleCounts

Float64 = npt.NDArray[np.float64]

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Answers of like confidence; all figures but `count` lie between 0 and 1."""

    low: float
    high: float
    count: int
    confidence: float | None  # their mean
    accuracy: float | None  # the share of them that is right by tokens


@dataclass(frozen=True)
class Reliability:
    """The expected calibration error, mean |accuracy - confidence| over ten equal bins, and the bins."""

    count: int
    error: float
    bins: tuple[Bin, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def reliability(samples: Sequence[SampleCounts]) -> Reliability | None:
    """Over the samples that have a confidence; None if none has one."""
    sure = [(s.confidence, s.token_errors == 0) for s in samples if s.confidence is not None]
    if not sure:
        return None
    confidence, right = np.array(sure, dtype=np.float64).T
    bins = _bins(confidence, right)
    return Reliability(len(sure), _error(bins), bins)


def expected_calibration_error(confidence: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Mean distance of confidence and accuracy over bins of equal width, weighted by their counts."""
    return _error(_bins(np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)))


def _bins(confidence: Float64, right: Float64) -> tuple[Bin, ...]:
    index = np.clip((confidence * BINS).astype(int), 0, BINS - 1)
    return tuple(_bin(number, confidence[index == number], right[index == number]) for number in range(BINS))


def _error(bins: Sequence[Bin]) -> float:
    gaps = (
        abs(found.accuracy - found.confidence) * found.count
        for found in bins
        if found.accuracy is not None and found.confidence is not None
    )
    return sum(gaps) / sum(found.count for found in bins)


def _bin(number: int, confidence: Float64, right: Float64) -> Bin:
    filled = len(right) > 0
    return Bin(
        low=number / BINS,
        high=(number + 1) / BINS,
        count=len(right),
        confidence=float(confidence.mean()) if filled else None,
        accuracy=float(right.mean()) if filled else None,
    )
