"""The default as it ships: two models that vote, and the classifier that weighs what comes close."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inkscan
from inkscan import Ink, Recognizer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "ink"
NAMES = ("cube-root", "gauss-sum", "logarithm", "sequence", "set")


@pytest.fixture(scope="module")
def recognizer() -> Recognizer:
    return inkscan.load().with_search(doubt=1.0, n_best=4)  # every ink is for both models


@pytest.fixture(scope="module")
def inks() -> list[Ink]:
    written = [Ink.read(EXAMPLES / f"{name}.inkml") for name in NAMES]
    mixed = [ink.only(np.random.default_rng(seed).permutation(len(ink))) for seed, ink in enumerate(written)]
    return written + mixed


@pytest.mark.parametrize("beam", [1, 6])
def test_many_inks_are_answered_as_each_by_itself(recognizer: Recognizer, inks: list[Ink], beam: int) -> None:
    assert recognizer.second and recognizer.classifier
    for alone, answer in zip(
        [recognizer(ink, beam=beam) for ink in inks], recognizer.many(inks, beam=beam), strict=True
    ):
        assert (answer.tokens, answer.model, answer.unread) == (alone.tokens, alone.model, alone.unread)
        assert answer.confidence == pytest.approx(alone.confidence, abs=1e-3)
        assert [s.strokes for s in answer.symbols] == [s.strokes for s in alone.symbols]


def test_the_alternatives_begin_with_the_answer_and_are_no_more_than_certain(
    recognizer: Recognizer, inks: list[Ink]
) -> None:
    for answer in recognizer.many(inks):
        probabilities = [one.probability for one in answer.alternatives]
        assert answer.alternatives[0].tokens == answer.tokens
        assert probabilities[0] == answer.confidence == max(probabilities)
        assert sum(probabilities) <= 1 + 1e-9


def test_nobody_brings_in_what_a_call_forbids(recognizer: Recognizer, inks: list[Ink]) -> None:
    for ink in inks:
        (first, *_) = recognizer(ink).symbols
        found = recognizer(ink, forbid=[first.token])
        assert all(first.token not in one.tokens for one in found.alternatives)
