"""Intervals: they cover, they repeat, and they do not pretend."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.evaluation.bootstrap import Bootstrap, Ratio, draw_percentages, estimate


def _share(right: np.ndarray) -> Ratio:
    return Ratio("share", right.astype(float), np.ones(len(right)))


@pytest.mark.parametrize(("rate", "count"), [(0.5, 200), (0.2, 300), (0.9, 400)])
def test_intervals_of_a_rate_cover_the_truth(rate: float, count: int) -> None:
    random = np.random.default_rng(1)
    covered = 0
    for trial in range(250):
        found = estimate([_share(random.random(count) < rate)], Bootstrap(300, seed=trial))["share"]
        assert found is not None
        covered += found.low <= 100 * rate <= found.high
    assert 0.91 <= covered / 250 <= 0.98


def test_intervals_of_a_ratio_cover_the_truth() -> None:
    """Errors per token, with lengths that vary: the ratio of sums, not the mean of ratios."""
    random = np.random.default_rng(2)
    covered = 0
    for trial in range(250):
        lengths = random.integers(1, 40, size=300)
        ratio = Ratio("rate", random.binomial(lengths, 0.1).astype(float), lengths.astype(float))
        found = estimate([ratio], Bootstrap(300, seed=trial))["rate"]
        assert found is not None
        covered += found.low <= 10.0 <= found.high
    assert 0.91 <= covered / 250 <= 0.98


def test_the_same_seed_gives_the_same_interval() -> None:
    right = np.arange(50) % 3 == 0
    assert estimate([_share(right)], Bootstrap(500, 7)) == estimate([_share(right)], Bootstrap(500, 7))
    assert estimate([_share(right)], Bootstrap(500, 7)) != estimate([_share(right)], Bootstrap(500, 8))


def test_draws_do_not_depend_on_the_size_of_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    ratio = _share(np.arange(50) % 3 == 0)
    whole = draw_percentages([ratio], Bootstrap(101))
    monkeypatch.setattr("inkscan.evaluation.bootstrap._CHUNK_WEIGHTS", 400)
    np.testing.assert_array_equal(draw_percentages([ratio], Bootstrap(101)), whole)


def test_a_perfect_score_of_few_samples_is_not_certain() -> None:
    perfect = estimate([_share(np.ones(20))], Bootstrap())["share"]
    assert perfect is not None
    assert (perfect.value, perfect.high) == (100.0, 100.0)
    assert perfect.low == pytest.approx(83.16, abs=0.01)  # Clopper and Pearson's bound for 20 of 20
    none = estimate([_share(np.zeros(20))], Bootstrap())["share"]
    assert none is not None
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(16.84, abs=0.01)


def test_a_ratio_above_one_lies_within_its_interval() -> None:
    doubled = estimate([_share(np.full(3, 2.0))], Bootstrap())["share"]
    assert doubled is not None
    assert (doubled.low, doubled.value, doubled.high) == (200.0, 200.0, 200.0)


def test_nothing_to_divide_by_has_no_estimate() -> None:
    empty = Ratio("a", np.zeros(0), np.zeros(0))
    assert estimate([empty], Bootstrap()) == {"a": None}
    assert estimate([Ratio("a", np.zeros(3), np.zeros(3))], Bootstrap()) == {"a": None}
