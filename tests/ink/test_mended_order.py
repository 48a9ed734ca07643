"""Mended order: what came late is put back, the rest stays as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.ink import Ink
from inkscan.ink.mended_order import RUN, in_mended_order
from inkscan.ink.reading_order import in_reading_order

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "ink").glob("*.inkml"))


def numbers(ink: Ink) -> tuple[int, ...]:
    return in_mended_order(ink, in_reading_order(ink))


def row(count: int) -> list[list[tuple[float, float]]]:
    """Upright strokes from left to right."""
    return [[(10 * at, 0), (10 * at, 10)] for at in range(count)]


def mended(order: list[int]) -> list[int]:
    """The strokes of a row, written in an order, as the mended order has them."""
    strokes = row(len(order))
    return [order[at] for at in numbers(Ink.from_points([strokes[stroke] for stroke in order]))]


def test_what_was_written_in_one_go_stays() -> None:
    assert numbers(Ink.from_points(row(1))) == (0,)
    assert numbers(Ink.from_points(row(8))) == tuple(range(8))
    plus = [[(65, 0), (65, 10)], [(60, 5), (70, 5)]]  # begun with either stroke
    for strokes in (plus, plus[::-1]):
        assert numbers(Ink.from_points([*row(5), *strokes])) == tuple(range(7))


@pytest.mark.parametrize("late", range(6))
def test_a_late_stroke_goes_back(late: int) -> None:
    assert mended([*(at for at in range(8) if at != late), late]) == list(range(8))


def test_a_late_run_goes_back_as_it_was_written() -> None:
    assert mended([0, 1, 5, 6, 7, 8, 9, 2, 3, 4]) == list(range(10))
    assert mended([0, 5, 6, 2, 1, 3, 4, 7, 8]) == [0, 2, 1, 3, 4, 5, 6, 7, 8]  # the run's own order is kept


def test_one_run_alone_is_moved() -> None:
    assert mended([9, 1, 2, 3, 4, 5, 6, 7, 8, 0]) not in (list(range(10)), [9, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    longer = RUN + 1
    order = [*range(longer, 3 * longer), *range(longer)]
    assert sorted(mended(order)) == list(range(3 * longer))


def test_strokes_on_one_point_have_no_size() -> None:
    assert numbers(Ink.from_points([[(3, 4)]] * 5)) == tuple(range(5))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_stroke_is_lost(path: Path) -> None:
    ink = Ink.read(path)
    for late in range(len(ink)):
        others = [at for at in range(len(ink)) if at != late]
        assert sorted(numbers(ink.only([*others, late]))) == list(range(len(ink)))
