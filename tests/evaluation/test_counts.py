"""Counts of one sample: tokens, symbol label graphs, failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.evaluation.counts import MISSING, count_sample, count_unread
from inkscan.evaluation.scored_tokens import read_formula


def test_agrees_with_every_official_verdict(shared_data: Path) -> None:
    lines = (shared_data / "reference" / "symlg-verdicts.tsv").read_text("utf-8").splitlines()
    assert len(lines) > 100
    for line in lines[1:]:
        truth, prediction, errors, same_structure, _ = line.split("\t")
        counts = count_sample("", truth, prediction)
        assert (counts.symlg_errors, counts.same_structure) == (int(errors), same_structure == "1"), line


def test_the_fields_own_tokens_are_left_as_they_are(shared_data: Path) -> None:
    lines = (shared_data / "reference" / "crohme-train-tokens.tsv").read_text("utf-8").splitlines()
    changed = [
        line
        for line in lines
        if read_formula(line.split("\t")[1]).tokens != tuple(line.split("\t")[1].split())
    ]
    assert len(changed) <= len(lines) // 100


@pytest.mark.parametrize(
    ("truth", "prediction", "token_errors", "symlg_errors", "same_structure"),
    [
        ("x ^ { 2 }", "x^2", 0, 0, True),
        ("x ^ { 2 }", r"\left. x^{2} \right.", 0, 0, True),
        ("x ^ { 2 }", "y ^ { 2 }", 1, 1, True),
        ("x ^ { 2 }", "x _ { 2 }", 1, 4, False),  # an object and a relation are missing, two are extra
        ("a + b", "a + b + c", 2, 4, False),
        ("a + b", " ", None, None, False),
        ("a + b", None, None, None, False),
        ("a + b", r"a \unheard b", 1, 5, False),  # unknown commands: nothing of it can be read
        ("a + b", "a + b {", 1, 5, False),
    ],
)
def test_counts(
    truth: str,
    prediction: str | None,
    token_errors: int | None,
    symlg_errors: int | None,
    same_structure: bool,
) -> None:
    counts = count_sample("id", truth, prediction)
    assert (counts.token_errors, counts.symlg_errors, counts.same_structure) == (
        token_errors,
        symlg_errors,
        same_structure,
    )


def test_failures_are_named() -> None:
    assert count_sample("", "x", None).failure == MISSING
    assert count_sample("", "x", "{").failure == "latex.syntax"
    assert count_sample("", "x", "", failure="ink.too_large").failure == "ink.too_large"
    assert count_sample("", "x", "y").failure == ""


def test_a_truth_outside_the_layout_tree_is_wrong_by_symlg_and_counts_by_tokens() -> None:
    array = r"\begin{matrix} a & b \end{matrix}"
    counts = count_sample("", array, array)
    assert (counts.token_errors, counts.symlg_errors, counts.same_structure) == (0, None, False)


def test_a_file_that_cannot_be_read_has_no_counts() -> None:
    counts = count_unread("a", "ink.empty")
    assert (counts.token_errors, counts.symlg_errors, counts.failure) == (None, None, "ink.empty")


@given(st.text(max_size=60))
def test_any_text_can_be_scored(text: str) -> None:
    counts = count_sample("", "a + b", text)
    assert (counts.token_errors is None) == (counts.symlg_errors is None) == (not text.strip())


@given(
    st.lists(
        st.sampled_from(["x", "y", "+", "{", "}", "^", "_", r"\frac", r"\sqrt"]), min_size=1, max_size=12
    )
)
def test_a_prediction_equal_to_the_truth_has_no_token_errors(tokens: list[str]) -> None:
    latex = " ".join(tokens)
    counts = count_sample("", latex, latex)
    assert counts.token_errors == 0
    assert counts.symlg_errors in (0, None)
