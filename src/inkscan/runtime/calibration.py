"""Calibration: from scores to probabilities of being right; `export.calibrate` fits it on validation answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]

_FAR = 12.0  # nats: a lead or a doubt larger than this says nothing more
# Where there was a vote: the weights of one, of the odds that the answer's own model gives it and of the odds of its
# share of the votes; fitted on CROHME 2013 as written, with one stroke last and with strokes lifted.
AGREED = {
    "several": (0.26, 0.49, 1.38),
    "one weighed": (0.09, 0.51, 0.67),
    "several weighed": (0.1, 0.49, 1.22),
}
_LEAST = 1e-6  # of a share whose odds are taken


@dataclass(frozen=True)
class Agreement:
    """How far those agree who took part in a vote."""

    share: float  # of the answer in what it and its rivals weigh
    are_several: bool  # models that have read the ink
    is_weighed: bool  # by a classifier of single symbols, a language model, or both

    @property
    def kind(self) -> str:
        """The vote that it was, by its row of AGREED."""
        return " ".join(("several" if self.are_several else "one", *(["weighed"] if self.is_weighed else [])))


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
        if not all(map(math.isfinite, (*self.expression, *self.without_lead, *self.symbol))):
            raise ValueError("the weights of a calibration are finite")

    def of_expression(self, evidence: Evidence) -> float:
        weights = self.without_lead if evidence.lead is None else self.expression
        return _sigmoid(float(evidence.values() @ np.array(weights)))

    def of_symbol(self, log_prob: float) -> float:
        return _sigmoid(self.symbol[0] + self.symbol[1] * log_odds(log_prob))


def uncalibrated(evidence: Evidence) -> float:
    """The model's own probability of the whole expression, for models that were never calibrated."""
    return float(np.exp(sum(evidence.log_probs)))


def with_agreement(confidence: float, agreement: Agreement) -> float:
    """How sure an answer is after a vote; of one model's readings alone no vote tells more than these do."""
    weights = AGREED.get(agreement.kind)
    if weights is None:
        return confidence
    return _sigmoid(float(agreement_evidence(confidence, agreement) @ np.array(weights)))


def agreement_evidence(confidence: float, agreement: Agreement) -> Float64:
    """The numbers that this regression sees."""
    return np.array([1.0, *(log_odds(math.log(max(part, _LEAST))) for part in (confidence, agreement.share))])


def log_odds(log_prob: float) -> float:
    """log p - log (1 - p), within bounds."""
    return min(max(log_prob - math.log(-math.expm1(min(log_prob, -1e-9))), -_FAR), _FAR)


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))
