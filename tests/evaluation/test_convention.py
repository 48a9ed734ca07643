"""One ink, four ways of saying its limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.evaluation.convention import Convention
from inkscan.evaluation.counts import count_sample

SUM = r"\sum _ { i } ^ { n } i"
SUM_WITH = r"\sum \limits _ { i } ^ { n } i"
INTEGRAL = r"\int _ { 0 } ^ { 1 } x"
INTEGRAL_WITH = r"\int \limits _ { 0 } ^ { 1 } x"


@pytest.mark.parametrize(
    ("convention", "right"),
    [
        (Convention.WRITTEN, {(SUM, SUM), (SUM_WITH, SUM_WITH)}),
        (Convention.OWN, {(SUM, SUM), (SUM_WITH, SUM_WITH), (SUM, SUM_WITH), (SUM_WITH, SUM)}),
        (Convention.FIELD, {(SUM, SUM_WITH), (SUM_WITH, SUM_WITH)}),
        (Convention.FIELD_WITHOUT, {(SUM, SUM), (SUM_WITH, SUM_WITH), (SUM, SUM_WITH), (SUM_WITH, SUM)}),
    ],
)
def test_which_answers_are_right(convention: Convention, right: set[tuple[str, str]]) -> None:
    for truth in (SUM, SUM_WITH):
        for prediction in (SUM, SUM_WITH):
            counts = count_sample("", truth, prediction, convention=convention)
            assert (counts.token_errors == 0) == ((truth, prediction) in right)
            assert (counts.symlg_errors == 0) == ((truth, prediction) in right)


@pytest.mark.parametrize("convention", Convention)
def test_an_integral_says_where_its_limits_are(convention: Convention) -> None:
    counts = count_sample("", INTEGRAL_WITH, INTEGRAL, convention=convention)
    assert (counts.token_errors == 0) == (convention == Convention.FIELD_WITHOUT)


@given(st.lists(st.sampled_from([r"\sum", r"\lim", r"\int", r"\limits", "_", "^", "{", "}", "x"])))
def test_a_convention_changes_limits_alone_and_is_its_own_last_word(tokens: list[str]) -> None:
    for convention in Convention:
        once = convention.of_prediction(tokens)
        assert [t for t in once if t != r"\limits"] == [t for t in tokens if t != r"\limits"]
        assert convention.of_truth(convention.of_truth(once)) == convention.of_truth(once)


def test_the_functions_that_take_limits_are_as_sums_are() -> None:
    assert Convention.OWN.of_truth((r"\max", r"\limits", "_")) == (r"\max", "_")
    assert Convention.FIELD.of_truth((r"\prod", "_")) == (r"\prod", r"\limits", "_")
    assert Convention.FIELD.of_truth((r"\sum", "x")) == (r"\sum", "x")


def test_the_training_truths_are_written_by_our_own_rule(shared_data: Path) -> None:
    lines = (shared_data / "reference" / "crohme-train-tokens.tsv").read_text(encoding="utf-8").splitlines()
    truths = [tuple(line.split("\t")[1].split()) for line in lines]
    assert sum(r"\limits" in truth for truth in truths) > 100
    assert all(Convention.OWN.of_truth(truth) == truth for truth in truths)
