"""Bootstrap: 95 % confidence intervals by drawing the samples anew.

Every score here is a ratio of two sums over samples (a rate has the denominator one for each), so a
draw is a vector of weights and all draws of all scores are one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
_CHUNK_WEIGHTS = 4_000_000  # weights held at once


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are drawn; a part of every signature."""

    draws: int = 2000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Ratio:
    """A score as sums over samples: `numerator` and `denominator` hold one value for each sample."""

    name: str
    numerator: Floats
    denominator: Floats


@dataclass(frozen=True)
class Estimate:
    """A score in per cent, with the bounds of its interval."""

    value: float
    low: float
    high: float


def estimate(ratios: Sequence[Ratio], bootstrap: Bootstrap) -> dict[str, Estimate | None]:
    """Each score by name; None where its denominator is zero, as it is without samples."""
    drawn = draw_percentages(ratios, bootstrap)
    return {ratio.name: _estimate(ratio, values) for ratio, values in zip(ratios, drawn, strict=True)}


def draw_percentages(ratios: Sequence[Ratio], bootstrap: Bootstrap) -> Floats:
    """The scores of every draw, (scores, draws), NaN where a denominator is zero; all use the same draws."""
    count = len(ratios[0].numerator) if ratios else 0
    columns = (
        np.stack([part for r in ratios for part in (r.numerator, r.denominator)])
        if ratios
        else np.empty((0, 0))
    )
    sums = np.zeros((bootstrap.draws, len(columns)))
    if count:
        random = np.random.default_rng(bootstrap.seed)
        step = max(1, _CHUNK_WEIGHTS // count)
        for start in range(0, bootstrap.draws, step):
            rows = min(step, bootstrap.draws - start)
            sums[start : start + rows] = _weights(random, rows, count) @ columns.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(100.0 * sums[:, 0::2] / sums[:, 1::2]).T


def _weights(random: np.random.Generator, rows: int, count: int) -> Floats:
    """How often each sample is drawn, for each row."""
    chosen = random.integers(0, count, size=(rows, count)) + np.arange(rows)[:, None] * count
    return np.bincount(chosen.ravel(), minlength=rows * count).reshape(rows, count).astype(np.float64)


def _estimate(ratio: Ratio, drawn: Floats) -> Estimate | None:
    total = ratio.denominator.sum()
    if not total:
        return None
    value = float(100.0 * ratio.numerator.sum() / total)
    is_share = np.isin(ratio.numerator, (0, 1)).all() and (ratio.denominator == 1).all()
    if is_share and np.ptp(ratio.numerator) == 0:
        return _unanimous(value, len(ratio.numerator))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.nanquantile(drawn, (tail, 1 - tail)).tolist()
    return Estimate(value, low, high)


def _unanimous(value: float, count: int) -> Estimate:
    """The exact binomial bound: draws from samples that are all right, or all wrong, cannot vary."""
    bound = 100.0 * ((1 - CONFIDENCE) / 2) ** (1 / count)
    return Estimate(value, bound, 100.0) if value else Estimate(value, 0.0, 100.0 - bound)
