"""Reports: denominators, breakdowns, signatures, and the empty case."""

from __future__ import annotations

import json

import pytest

from inkscan import __version__
from inkscan.evaluation.bootstrap import Bootstrap
from inkscan.evaluation.counts import SampleCounts, count_sample, count_unread
from inkscan.evaluation.report import report
from inkscan.evaluation.symbol_counts import SymbolCounts


def _samples() -> list[SampleCounts]:
    return [
        count_sample("1", "a + b", "a + b", source="one"),
        count_sample("2", "a + b", "a - b", source="one"),
        count_sample("3", "x ^ { 2 }", "x _ { 2 }", source="two"),
        count_sample("4", "a + b + c + d", None, source="two"),
    ]


def test_rates_have_all_truths_as_denominator() -> None:
    done = report(_samples())
    assert done.count == 4
    assert [done.token.value(name) for name in ("exp_rate", "le1", "le2", "le3")] == [25.0, 75.0, 75.0, 75.0]
    assert [done.symlg.value(name) for name in ("exp_rate", "le1", "le2", "le3")] == [25.0, 50.0, 50.0, 50.0]
    assert done.symlg.value("stru_rate") == 50.0
    assert done.token.value("error_rate") == pytest.approx(100 * (0 + 1 + 1 + 7) / (3 + 3 + 5 + 7))
    assert dict(done.failures) == {"missing": 1}


def test_the_families_are_never_mixed() -> None:
    done = report(_samples())
    assert "stru_rate" not in done.token.estimates
    assert "error_rate" not in done.symlg.estimates


def test_a_file_that_cannot_be_read_is_wrong_at_any_tolerance() -> None:
    done = report([*_samples(), count_unread("5", "ink.empty")])
    assert done.token.value("exp_rate") == 20.0
    assert done.token.value("le3") == 60.0
    assert done.symlg.value("le3") == 40.0
    assert done.token.value("error_rate") == report(_samples()).token.value("error_rate")
    assert done.by_length[-1].name == "unknown"


def test_a_truth_without_a_prediction_is_wrong_at_any_tolerance() -> None:
    failed = [
        count_sample("1", "x", None),
        count_sample("2", "x", ""),
        count_sample("3", "x", "", failure="ink"),
    ]
    done = report([*failed, count_sample("4", "x", "y")])
    for family in (done.token, done.symlg):
        assert [family.value(name) for name in ("exp_rate", "le1", "le2", "le3")] == [0.0, 25.0, 25.0, 25.0]
    assert done.token.value("error_rate") == 100.0
    assert (dict(done.failures), done.unreadable_truths) == ({"missing": 2, "ink": 1}, 0)


def test_a_truth_that_symlg_cannot_read_is_counted_without_a_prediction_too() -> None:
    array = r"\begin{matrix} a \end{matrix}"
    done = report(
        [count_sample("1", array, array), count_sample("2", array, None), count_sample("3", "x", None)]
    )
    assert done.unreadable_truths == 2
    assert done.symlg.value("le3") == 0.0


def test_breakdowns_add_up() -> None:
    done = report(_samples())
    assert [(group.name, group.count) for group in done.by_length] == [("1-5", 3), ("6-10", 1)]
    assert [(group.name, group.count) for group in done.by_source] == [("one", 2), ("two", 2)]
    assert [group.token.value("exp_rate") for group in done.by_source] == [50.0, 0.0]


def test_no_samples_give_no_rates() -> None:
    done = report([])
    assert done.count == 0
    assert set(done.token.estimates.values()) == {None}
    assert set(done.symlg.estimates.values()) == {None}
    assert (done.symbols, done.calibration, done.by_length, done.by_source) == (None, None, (), ())
    json.dumps(done.to_json(), allow_nan=False)


def test_signatures_say_how_a_score_was_made() -> None:
    done = report(_samples(), Bootstrap(300, seed=5))
    assert done.token.signature == (
        "metric:token|unit:percent|tokens:canonical|limits:written|n:4|denominator:truths|interval:95%"
        f"|bootstrap:300|seed:5|inkscan:{__version__}"
    )
    assert done.symlg.signature.startswith("metric:symLG|")


def test_symbol_scores_are_over_all_symbols() -> None:
    counts = [SymbolCounts(truth=4, predicted=2, segmented=2, recognized=1), SymbolCounts(4, 6, 4, 3)]
    samples = [SampleCounts(str(i), 1, 0, 0, True, symbols=count) for i, count in enumerate(counts)]
    symbols = report([*samples, SampleCounts("no groups", 1, 0, 0, True)]).symbols
    assert symbols is not None
    assert symbols.value("segmentation_recall") == 75.0
    assert symbols.value("segmentation_precision") == 75.0
    assert symbols.value("recognition_f1") == 50.0
    assert "|n:2|" in symbols.signature


def test_calibration_error_is_the_gap_between_promise_and_share() -> None:
    samples = [SampleCounts(str(i), 1, int(i >= 6), 0, True, confidence=0.85) for i in range(10)]
    samples += [SampleCounts("sure", 1, 0, 0, True, confidence=1.0)] * 10
    calibration = report(samples).calibration
    assert calibration is not None
    assert calibration.error == pytest.approx((0.25 * 10 + 0) / 20)
    assert [found.count for found in calibration.bins] == [0] * 8 + [10, 10]
