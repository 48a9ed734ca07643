"""Calibration: from scores to probabilities of being right, fitted on validation answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]

_FAR = 12.0  # nats: a lead or a doubt larger than this says nothing more
_RIDGE = 1e-2


@dataclass(frozen=True)
class Evidence:
    """What the search knows of an answer that tells whether it is right."""

    log_probs: tuple[float, ...]  # of the tokens and the end token
    lead: float | None  # log-probability of the answer less that of its rivals; None: nobody looked for any

    def values(self) -> Float64:
        """The numbers that the logistic regression sees, the lead last."""
        total, length = sum(self.log_probs), len(self.log_probs)
        worst = max(min(self.log_probs), -_FAR)
        mean = max(total / length, -_FAR)
        values = [1.0, log_odds(total), mean, worst, np.log(length)]
        if self.lead is not None:
            values.append(min(max(self.lead, -_FAR), _FAR))
        return np.array(values)


@dataclass(frozen=True)
class Calibration:
    """Logistic regressions: of an expression on its evidence, with a lead and without, and of a symbol on its
    token's log-odds."""

    expression: tuple[float, ...]
    without_lead: tuple[float, ...]
    symbol: tuple[float, float]
    samples: int = 0
    error: float = 0.0  # expected calibration error of expressions, cross-validated

    def __post_init__(self) -> None:
        needed = [len(Evidence((0.0,), lead).values()) for lead in (0.0, None)]
        if [len(self.expression), len(self.without_lead), len(self.symbol)] != [*needed, 2]:
            raise ValueError("a calibration has a weight for each value of the evidence, and two for symbols")

    def of_expression(self, evidence: Evidence) -> float:
        weights = self.without_lead if evidence.lead is None else self.expression
        return _sigmoid(float(evidence.values() @ np.array(weights)))

    def of_symbol(self, log_prob: float) -> float:
        return _sigmoid(self.symbol[0] + self.symbol[1] * log_odds(log_prob))


def uncalibrated(evidence: Evidence) -> float:
    """The model's own probability of the whole expression, for models that were never calibrated."""
    return float(np.exp(sum(evidence.log_probs)))


@dataclass(frozen=True)
class JudgedSymbol:
    log_prob: float
    right: bool


def fit_calibration(
    evidence: Sequence[Evidence], right: Sequence[bool], symbols: Sequence[JudgedSymbol], folds: int = 5
) -> Calibration:
    """Fit on answers whose truth and lead are known; the error is measured on parts that were left out."""
    x = np.stack([one.values() for one in evidence])
    y = np.array(right, dtype=np.float64)
    fold = np.arange(len(y)) % folds
    predicted = np.zeros(len(y))
    for held_out in range(folds):
        weights = _logistic(x[fold != held_out], y[fold != held_out])
        predicted[fold == held_out] = 1 / (1 + np.exp(-x[fold == held_out] @ weights))
    odds = np.array([[1.0, log_odds(symbol.log_prob)] for symbol in symbols])
    slope = _logistic(odds, np.array([symbol.right for symbol in symbols], dtype=np.float64))
    return Calibration(
        expression=tuple(_logistic(x, y).tolist()),
        without_lead=tuple(_logistic(x[:, :-1], y).tolist()),
        symbol=(float(slope[0]), float(slope[1])),
        samples=len(y),
        error=expected_calibration_error(predicted, y),
    )


def expected_calibration_error(confidence: npt.ArrayLike, right: npt.ArrayLike, bins: int = 10) -> float:
    """Mean distance of confidence and accuracy over bins of equal width, weighted by their counts."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    which = np.minimum((p * bins).astype(int), bins - 1)
    counts = np.bincount(which, minlength=bins)
    gaps = np.abs(np.bincount(which, p, bins) - np.bincount(which, y, bins))
    return float(gaps[counts > 0].sum() / len(p))


def _logistic(x: Float64, y: Float64) -> Float64:
    """Weights by Newton's method with a small ridge, so that separable data has an answer too."""
    ridge = _RIDGE * np.eye(x.shape[1])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - ridge @ weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def log_odds(log_prob: float) -> float:
    """log p - log (1 - p), within bounds."""
    return min(max(log_prob - math.log(-math.expm1(min(log_prob, -1e-9))), -_FAR), _FAR)


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))
