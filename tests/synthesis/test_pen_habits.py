"""Pens with other habits: the ink stays where it was, truth and alignment follow."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import BadSetting
from inkscan.ink import Ink
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.pen_habits import PEN_HABITS, PenHabit, with_pen_habit


@pytest.fixture(scope="module")
def written() -> list[Sample]:
    return list(Generator().samples(30, seed=5))


def points_of(sample: Sample, strokes: tuple[int, ...]) -> set[tuple[float, ...]]:
    return {tuple(point) for j in strokes for point in sample.ink[j].xy.tolist()}


@pytest.mark.parametrize("pen", PEN_HABITS)
def test_each_symbol_keeps_its_points_and_no_others(
    written: list[Sample],
    pen: PenHabit,
) -> None:
    rng = np.random.default_rng(3)
    changed = 0
    for sample in written:
        other = with_pen_habit(sample, pen, rng)
        assert other.tokens == sample.tokens
        for before, after in zip(sample.alignment, other.alignment, strict=True):
            old, new = points_of(sample, before), points_of(other, after)
            assert new <= old
            assert bool(new) == bool(old)
            assert len(new) >= (0.1 if pen == "sparse" else 0.9) * len(old)
        assert {j for strokes in other.alignment for j in strokes} == set(range(len(other.ink)))
        changed += other.ink != sample.ink
    assert changed > 10


def test_a_lifted_pen_makes_more_strokes_and_a_joining_one_fewer(written: list[Sample]) -> None:
    rng = np.random.default_rng(3)
    strokes = sum(len(sample.ink) for sample in written)
    assert sum(len(with_pen_habit(sample, "lifted", rng).ink) for sample in written) > strokes
    assert sum(len(with_pen_habit(sample, "joined", rng).ink) for sample in written) < strokes


def test_neither_two_symbols_nor_dots_are_joined() -> None:
    line, dots = [[x, 0] for x in range(10)], [[[20, 0]], [[22, 0]], [[24, 0]]]
    two = Sample("two", Ink.from_points([line, [[x + 12, 1] for x in range(10)]]), ("-", "-"), ((0,), (1,)))
    dotted = Sample("dots", Ink.from_points([line, *dots]), ("-", "\\ldots"), ((0,), (1, 2, 3)))
    for seed in range(20):
        for sample in (two, dotted):
            assert with_pen_habit(sample, "joined", np.random.default_rng(seed)) == sample


def test_an_unknown_pen_is_told_which_there_are() -> None:
    with pytest.raises(BadSetting, match="lifted, joined, backward, sparse"):
        with_pen_habit(next(iter(Generator().samples(1))), "brush", np.random.default_rng(0))  # type: ignore[arg-type]
