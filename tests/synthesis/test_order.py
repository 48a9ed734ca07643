"""Other writing orders: every stroke stays, truth and alignment follow, and places alone make the reading order."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import BadRequest, BadSetting
from inkscan.ink import Ink
from inkscan.ink.reading_order import in_reading_order
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.order import ORDERS, Orders, reordered


@pytest.fixture(scope="module")
def written() -> list[Sample]:
    return list(Generator().samples(30, seed=5))


@pytest.mark.parametrize("order", ORDERS)
def test_strokes_move_and_the_truth_follows_them(written: list[Sample], order: str) -> None:
    rng = np.random.default_rng(3)
    moved = 0
    for sample in written:
        other = reordered(sample, order, rng)  # type: ignore[arg-type]
        assert other.tokens == sample.tokens
        assert sorted(stroke.xy.tobytes() for stroke in other.ink.strokes) == sorted(
            stroke.xy.tobytes() for stroke in sample.ink.strokes
        )
        for before, after in zip(sample.alignment, other.alignment, strict=True):
            assert {sample.ink.strokes[j].xy.tobytes() for j in before} == {
                other.ink.strokes[j].xy.tobytes() for j in after
            }
        moved += other.ink != sample.ink
    assert moved > 5


def test_late_symbols_are_last_and_whole(written: list[Sample]) -> None:
    sample = max(written, key=lambda one: len(one.ink))
    late = reordered(sample, "leftmost-last", np.random.default_rng(0))
    lefts = {token: late.ink.box(strokes).left for token, strokes in enumerate(late.alignment) if strokes}
    first = min(lefts, key=lambda token: lefts[token])
    assert late.alignment[first][-1] == len(late.ink) - 1


def test_the_reading_order_does_not_depend_on_the_order_of_writing(written: list[Sample]) -> None:
    rng = np.random.default_rng(1)
    for sample in written:
        read = [sample.ink.strokes[j] for j in in_reading_order(sample.ink)]
        mixed = Ink(tuple(sample.ink.strokes[j] for j in rng.permutation(len(sample.ink))))
        assert [mixed.strokes[j] for j in in_reading_order(mixed)] == read


def test_a_fraction_is_read_from_above_and_a_root_from_outside() -> None:
    bar, above, below, after = (
        [[0, 10], [40, 10]],
        [[15, 0], [25, 6]],
        [[15, 14], [25, 20]],
        [[60, 5], [70, 15]],
    )
    assert in_reading_order(Ink.from_points([after, below, bar, above])) == (3, 2, 1, 0)
    root, inside = [[0, 10], [5, 20], [10, 0], [60, 0]], [[20, 5], [30, 18]]
    assert in_reading_order(Ink.from_points([inside, root])) == (1, 0)


def test_orders_are_drawn_in_proportion() -> None:
    nothing = dict.fromkeys(vars(Orders()), 0.0)
    only = Orders(**{**nothing, "shuffled": 2.0})
    rng = np.random.default_rng(0)
    assert {only.draw(rng) for _ in range(20)} == {"shuffled"}
    assert {Orders().draw(rng) for _ in range(500)} == set(ORDERS)
    for wrong in (nothing, {**nothing, "reading": -1.0}):
        with pytest.raises(BadSetting):
            Orders(**wrong)
    with pytest.raises(BadRequest, match="no writing order"):
        reordered(next(iter(Generator().samples(1))), "backwards", rng)  # type: ignore[arg-type]
