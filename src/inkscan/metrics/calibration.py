"""Calibration: whether confidences are the shares of right answers that they promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from inkscan.metrics.counts import SampleCounts

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
class Calibration:
    """The expected calibration error, mean |accuracy - confidence| over ten equal bins, and the bins."""

    count: int
    error: float | None
    bins: tuple[Bin, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def calibrate(samples: Sequence[SampleCounts]) -> Calibration | None:
    """Over the samples that have a confidence; None if none has one."""
    sure = [(s.confidence, s.token_errors == 0) for s in samples if s.confidence is not None]
    if not sure:
        return None
    confidence, right = np.array(sure, dtype=np.float64).T
    index = np.clip((confidence * BINS).astype(int), 0, BINS - 1)
    bins = tuple(_bin(number, confidence[index == number], right[index == number]) for number in range(BINS))
    error = np.abs(
        [right[index == number].sum() - confidence[index == number].sum() for number in range(BINS)]
    )
    return Calibration(len(sure), float(error.sum() / len(sure)), bins)


def _bin(number: int, confidence: np.ndarray, right: np.ndarray) -> Bin:
    filled = len(right) > 0
    return Bin(
        low=number / BINS,
        high=(number + 1) / BINS,
        count=len(right),
        confidence=float(confidence.mean()) if filled else None,
        accuracy=float(right.mean()) if filled else None,
    )
