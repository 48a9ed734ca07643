from __future__ import annotations

import numpy as np
import pytest

from inkscan.evaluation.reliability import expected_calibration_error
from inkscan.export.calibrate import JudgedSymbol, fit_calibration
from inkscan.runtime.calibration import Evidence, uncalibrated


def overconfident_answers(count: int, seed: int) -> tuple[list[Evidence], list[bool]]:
    """Answers that are right with the square of the probability they claim."""
    rng = np.random.default_rng(seed)
    evidence, right = [], []
    for _ in range(count):
        log_probs = -rng.exponential(0.1, rng.integers(2, 20))
        evidence.append(Evidence(tuple(log_probs.tolist()), float(rng.exponential(3))))
        right.append(bool(rng.random() < np.exp(2 * log_probs.sum())))
    return evidence, right


def test_a_fit_makes_confidences_honest_on_other_answers() -> None:
    evidence, right = overconfident_answers(800, seed=1)
    others, truth = overconfident_answers(2000, seed=2)
    calibration = fit_calibration(evidence, right, [JudgedSymbol(-0.1, True), JudgedSymbol(-2.0, False)])
    before = expected_calibration_error([uncalibrated(one) for one in others], truth)
    after = expected_calibration_error([calibration.of_expression(one) for one in others], truth)
    assert before > 0.1
    assert after < 0.05
    assert calibration.error < 0.06
    assert calibration.samples == 800
    greedy = [Evidence(one.log_probs, None) for one in others]
    assert expected_calibration_error([calibration.of_expression(one) for one in greedy], truth) < 0.06


def test_symbols_are_calibrated_by_their_log_odds() -> None:
    rng = np.random.default_rng(3)
    claimed = rng.uniform(0.05, 0.99, 4000)
    judged = [JudgedSymbol(float(np.log(p)), bool(rng.random() < p**2)) for p in claimed]
    evidence, right = overconfident_answers(100, seed=1)
    calibration = fit_calibration(evidence, right, judged)
    confidences = [calibration.of_symbol(symbol.log_prob) for symbol in judged]
    assert expected_calibration_error(confidences, [symbol.right for symbol in judged]) < 0.03
    assert calibration.of_symbol(-0.01) > calibration.of_symbol(-1.0)


@pytest.mark.parametrize("log_probs", [(0.0, 0.0), (-1e-12,), (-800.0, -1.0), (float("-1e5"),) * 3])
def test_extreme_scores_give_probabilities(log_probs: tuple[float, ...]) -> None:
    evidence, right = overconfident_answers(100, seed=1)
    calibration = fit_calibration(evidence, right, [JudgedSymbol(-0.1, True)])
    for lead in (np.inf, 0.0, -50.0, None):
        assert 0 <= calibration.of_expression(Evidence(log_probs, lead)) <= 1
    assert 0 <= calibration.of_symbol(log_probs[0]) <= 1


def test_all_right_answers_can_be_fitted() -> None:
    evidence, _ = overconfident_answers(60, seed=1)
    calibration = fit_calibration(evidence, [True] * 60, [JudgedSymbol(-0.1, True)])
    assert calibration.of_expression(evidence[0]) > 0.9


def test_the_calibration_error_weighs_bins_by_their_counts() -> None:
    assert expected_calibration_error([0.05, 0.95, 0.95, 0.95], [0, 1, 1, 0]) == pytest.approx(
        (0.05 + 0.85) / 4
    )
