"""Paired significance: exact values, and false alarms at the rate that was promised."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest

from inkscan.errors import BadLabels
from inkscan.evaluation import significance
from inkscan.evaluation.bootstrap import Bootstrap
from inkscan.evaluation.counts import SampleCounts
from inkscan.evaluation.significance import compare_samples, mcnemar


def _scored(right: Sequence[bool]) -> list[SampleCounts]:
    return [SampleCounts(str(i), 1, int(not r), int(not r), bool(r)) for i, r in enumerate(right)]


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"), [(0, 0, 1.0), (0, 5, 2 / 32), (1, 8, 20 / 512), (6, 6, 1.0), (10, 0, 2 / 1024)]
)
def test_mcnemar_is_the_binomial_test(only_a: int, only_b: int, p: float) -> None:
    assert mcnemar(only_a, only_b) == pytest.approx(p)
    assert mcnemar(only_b, only_a) == pytest.approx(p)


def test_a_clear_gain_is_significant_and_signed() -> None:
    a, b = _scored([i < 50 for i in range(100)]), _scored([i < 70 for i in range(100)])
    token = compare_samples(a, list(reversed(b)), Bootstrap())[0]
    assert (token.a, token.b, token.difference) == (50.0, 70.0, 20.0)
    assert (token.only_a, token.only_b) == (0, 20)
    assert 0 < token.low < 20 < token.high
    assert token.p_value < 0.001


def test_equal_systems_seldom_differ() -> None:
    random = np.random.default_rng(3)
    alarms = intervals = 0
    for trial in range(200):
        a, b = (_scored((random.random(200) < 0.5).tolist()) for _ in range(2))
        token = compare_samples(a, b, Bootstrap(200, seed=trial))[0]
        alarms += token.p_value < 0.05
        intervals += not token.low <= 0 <= token.high
    assert alarms / 200 <= 0.07
    assert intervals / 200 <= 0.09


def test_other_samples_cannot_be_paired() -> None:
    with pytest.raises(BadLabels, match="same samples"):
        compare_samples(_scored([True]), _scored([True, False]), Bootstrap())
    with pytest.raises(BadLabels, match="no samples"):
        compare_samples([], [], Bootstrap())


@pytest.mark.parametrize(("only_a", "only_b"), [(480, 540), (600, 600), (400, 700), (0, 1200)])
def test_many_flips_agree_with_whole_numbers(
    only_a: int, only_b: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = mcnemar(only_a, only_b)
    monkeypatch.setattr(significance, "_EXACT_FLIPS", 10_000)
    assert quick == pytest.approx(mcnemar(only_a, only_b), rel=1e-9)


def test_a_million_flips_take_no_time() -> None:
    started = time.process_time()
    assert mcnemar(499_000, 501_000) == pytest.approx(0.0455, abs=0.001)
    assert time.process_time() - started < 1
