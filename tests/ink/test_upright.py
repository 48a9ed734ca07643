"""Sloping lines are made level and leaning letters upright; nothing else is touched."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan import Ink
from inkscan.ink.upright import LEAN, USUAL_LEAN, upright

Matrix = list[list[float]]


def letters(count: int = 6) -> list[list[tuple[float, float]]]:
    """A row of letters L that lean as letters usually do."""
    return [[(at + 100 * USUAL_LEAN, 0), (at, 100), (at + 50, 100)] for at in range(0, 120 * count, 120)]


def row(transform: Matrix, count: int = 6) -> Ink:
    return Ink.from_points([np.array(letter) @ np.array(transform).T for letter in letters(count)])


def turned(degrees: float) -> Matrix:
    angle = np.deg2rad(degrees)
    return [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]


def assert_same_shape(ink: Ink, other: Ink, stretch: float = 0.02) -> None:
    """But for where they stand, and a little stretching."""
    a, b = (np.concatenate([stroke.xy for stroke in one]) - one.strokes[0].xy[0] for one in (ink, other))
    np.testing.assert_allclose(a, b, atol=stretch * np.abs(b).max())


@pytest.mark.parametrize("transform", [turned(0), turned(3), turned(-3), [[1.0, -0.2], [0.0, 1.0]]])
def test_ink_that_is_nearly_upright_stays_itself(transform: Matrix) -> None:
    ink = row(transform)
    assert upright(ink) is ink


@pytest.mark.parametrize("degrees", [-20, -10, 10, 20])
def test_a_sloping_line_is_level_again(degrees: float) -> None:
    level = upright(row(turned(degrees)))
    bottoms = [stroke.xy[:, 1].max() for stroke in level]
    assert np.ptp(bottoms) < 1e-6


@pytest.mark.parametrize("lean", [-0.7, -0.4, 0.4, 0.7])
def test_letters_that_lean_far_are_upright_again(lean: float) -> None:
    assert abs(lean) > LEAN
    assert_same_shape(upright(row([[1.0, -lean], [0.0, 1.0]])), row(turned(0)))


def test_a_turned_page_comes_back_but_for_some_stretching() -> None:
    assert_same_shape(upright(row(turned(25))), row(turned(0)), stretch=0.2)


def test_superscripts_do_not_make_a_slope() -> None:
    """Strokes that rise to the right, whose level pieces are level."""
    climbing = Ink.from_points([np.array(letter) - [0, 40 * at] for at, letter in enumerate(letters())])
    assert upright(climbing) is climbing


def test_crosses_lean_neither_way() -> None:
    down = [[(at, 0), (at + 80, 100)] for at in range(0, 600, 120)]
    up = [[(at + 78, 0), (at, 96)] for at in range(0, 600, 120)]
    ink = Ink.from_points([stroke for pair in zip(down, up, strict=True) for stroke in pair])
    assert upright(ink) is ink


def test_a_few_strokes_tell_nothing() -> None:
    ink = row(turned(20), count=3)
    assert upright(ink) is ink


def test_dots_and_endless_lines_are_left_alone() -> None:
    for strokes in ([[(0, 0)]] * 5, [[(1e5 * at, 0), (1e5 * at, 0)] for at in range(6)]):
        ink = Ink.from_points(strokes)
        assert upright(ink) is ink
