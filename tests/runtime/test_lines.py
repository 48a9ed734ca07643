"""Lines of mathematics, drawn as boxes: what is parted and what is not."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan import Ink
from inkscan.runtime.lines import lines_of

Box = tuple[float, float, float, float]  # left, top, right, bottom


def written(*boxes: Box) -> Ink:
    """A diagonal stroke for each box."""
    return Ink.from_points([[(left, top), (right, bottom)] for left, top, right, bottom in boxes])


def row(top: float, count: int = 4, left: float = 0.0) -> list[Box]:
    """Symbols of size 10 in a row."""
    return [(left + 14 * i, top, left + 14 * i + 10, top + 10) for i in range(count)]


def test_two_rows_with_a_gap_are_two_lines() -> None:
    assert lines_of(written(*row(0), *row(20))) == ((0, 1, 2, 3), (4, 5, 6, 7))


def test_lines_come_from_top_to_bottom_whenever_they_were_written() -> None:
    assert lines_of(written(*row(40, 2), *row(0, 2), *row(20, 2))) == ((2, 3), (4, 5), (0, 1))


def test_a_stroke_added_later_joins_its_line() -> None:
    assert lines_of(written(*row(0), *row(20), (60, 1, 70, 11))) == ((0, 1, 2, 3, 8), (4, 5, 6, 7))


@pytest.mark.parametrize(
    "boxes",
    [
        [(0, 0, 20, 0), (0, 5, 20, 5)],  # =
        [(0, 8, 3, 20), (1, 0, 2, 1)],  # i
        [*row(0, 3), (-2, 15, 42, 16), *row(21, 3)],  # a fraction
        [*row(0, 1, 30), (26, 14, 46, 15), *row(20, 1, 30), (0, 10, 10, 20), (14, 13, 24, 14)],  # - x/y
        [
            (0, 10, 14, 34),
            *row(17, 3, 20),
            (2, 38, 6, 43),
            (8, 38, 12, 43),
            (4, 1, 9, 6),
        ],  # a sum with its limits
        [(0, 0, 6, 40), *row(0, 3, 10), *row(26, 3, 10)],  # a tall bracket
        [(0, 0, 60, 40), *row(4, 3, 10), *row(26, 3, 10)],  # a root
        [(0, 0, 0, 0)],
        [(5, 5, 5, 5)] * 3,
    ],
)
def test_one_formula_is_one_line(boxes: list[Box]) -> None:
    assert lines_of(written(*boxes)) == (tuple(range(len(boxes))),)


def test_a_line_under_a_fraction_is_another_line() -> None:
    fraction = [*row(0, 3), (-2, 15, 42, 16), *row(21, 3)]
    assert lines_of(written(*fraction, *row(45, 5))) == (tuple(range(7)), tuple(range(7, 12)))


def test_an_arrow_is_no_bar_of_a_fraction() -> None:
    arrow = [*row(0, 1), (14, 4, 34, 6), *row(0, 1, 38)]
    assert lines_of(written(*arrow, (15, 18, 25, 28))) == ((0, 1, 2), (3,))


def test_many_bars_over_many_bands_take_little_time() -> None:
    bars = [(20.0 * i, 0.0, 20.0 * i + 5, 1.0) for i in range(500)]
    uprights = [(10.0, 1.5 + 1.5 * i, 10.0, 2.5 + 1.5 * i) for i in range(510)]
    ink = written(*bars, *uprights)
    began = process_time()
    assert len(lines_of(ink)) == 10
    assert process_time() - began < 1.0


@given(st.integers(0, 10_000), st.integers(1, 40))
def test_every_stroke_is_in_one_line_and_neither_size_nor_place_matters(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.integers(0, 200, (count, 2))
    boxes = np.concatenate([corners, corners + rng.integers(0, 30, (count, 2))], axis=1)
    lines = lines_of(written(*boxes.tolist()))
    assert sorted(stroke for line in lines for stroke in line) == list(range(count))
    assert lines_of(written(*(8.0 * boxes - 64.0).tolist())) == lines
