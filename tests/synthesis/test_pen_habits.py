"""Pens with other habits: the ink stays where it was, truth and alignment follow."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import BadRequest, BadSetting
from inkscan.ink import Ink
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.pen_habits import PEN_HABITS, PenHabit, Pens, with_pen_habit


@pytest.fixture(scope="module")
def written() -> list[Sample]:
    return list(Generator().samples(30, seed=5))


def points_of(sample: Sample, strokes: tuple[int, ...]) -> set[tuple[float, ...]]:
    return {tuple(point) for j in strokes for point in sample.ink[j].xy.tolist()}


def densely(xy: np.ndarray) -> np.ndarray:
    """The way of a stroke with nineteen points between each two."""
    at = np.linspace(0, len(xy) - 1, 20 * (len(xy) - 1) + 1)
    return np.stack([np.interp(at, np.arange(len(xy)), xy[:, axis]) for axis in (0, 1)], axis=1)


# The least share of a symbol's points that it keeps, of pens that move none.
KEPT: dict[PenHabit, float] = {"lifted": 0.9, "joined": 0.9, "backward": 0.9, "sparse": 0.1, "clipped": 0.75}
MOVING: tuple[PenHabit, ...] = ("hasty", "coarse")


def test_every_pen_is_tested() -> None:
    assert set(PEN_HABITS) == {*KEPT, *MOVING}


@pytest.mark.parametrize("pen", KEPT)
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
            assert len(new) >= KEPT[pen] * len(old)
        assert {j for strokes in other.alignment for j in strokes} == set(range(len(other.ink)))
        changed += other.ink != sample.ink
    assert changed > 10


@pytest.mark.parametrize("pen", MOVING)
def test_a_hasty_or_coarse_pen_keeps_strokes_and_stays_near_them(
    written: list[Sample], pen: PenHabit
) -> None:
    rng = np.random.default_rng(3)
    changed = 0
    for sample in written:
        other = with_pen_habit(sample, pen, rng)
        assert (other.tokens, other.alignment) == (sample.tokens, sample.alignment)
        near = 0.15 * float(np.mean([np.ptp(stroke.xy, axis=0).max() for stroke in sample.ink]))
        for before, after in zip(sample.ink, other.ink, strict=True):
            way = densely(before.xy)
            away = np.hypot(*(after.xy[:, None] - way[None]).transpose(2, 0, 1)).min(axis=1)
            assert away.max() <= near
        changed += other.ink != sample.ink
    assert changed > 10


def test_a_hasty_pen_rounds_a_corner_and_keeps_both_ends() -> None:
    corner = np.array([[x, 0.0] for x in range(30)] + [[29.0, y] for y in range(1, 30)])
    sample = Sample("corner", Ink.from_points([corner]), ("7",), ((0,),))
    rounded = with_pen_habit(sample, "hasty", np.random.default_rng(0)).ink[0].xy
    np.testing.assert_allclose(rounded[[0, -1]], corner[[0, -1]], atol=1e-9)
    assert np.hypot(*(rounded - [29.0, 0.0]).T).min() > 0.3


def test_a_coarse_pen_writes_on_few_places() -> None:
    line = np.linspace(0, 100, 500)
    sample = Sample("line", Ink.from_points([np.stack([line, line], axis=1)]), ("/",), ((0,),))
    assert len(with_pen_habit(sample, "coarse", np.random.default_rng(0)).ink[0]) <= 17


def test_a_dot_stays_under_every_pen() -> None:
    dot = Sample("dot", Ink.from_points([[[3, 4]]]), (".",), ((0,),))
    for pen in PEN_HABITS:
        assert len(with_pen_habit(dot, pen, np.random.default_rng(0)).ink) == 1


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
    with pytest.raises(BadRequest, match="lifted, joined, backward, sparse, clipped, hasty, coarse"):
        with_pen_habit(next(iter(Generator().samples(1))), "brush", np.random.default_rng(0))  # type: ignore[arg-type]


def test_pens_are_drawn_in_proportion() -> None:
    nothing = dict.fromkeys(vars(Pens()), 0.0)
    assert set(nothing) == set(PEN_HABITS)
    rng = np.random.default_rng(0)
    drawn = [Pens(**{**nothing, "hasty": 3.0, "coarse": 1.0}).draw(rng) for _ in range(400)]
    assert 250 < drawn.count("hasty") < 350
    assert set(drawn) == {"hasty", "coarse"}
    for wrong in (nothing, {**nothing, "coarse": -1.0}):
        with pytest.raises(BadSetting):
            Pens(**wrong)
