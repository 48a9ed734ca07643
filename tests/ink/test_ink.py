from __future__ import annotations

import numpy as np
import pytest

from inkscan.errors import BadCoordinate, InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink import Ink, Stroke
from inkscan.ink.ink import MAX_POINTS, MAX_STROKES


def test_strokes_are_frozen_copies() -> None:
    points = np.array([[0.0, 0.0], [1.0, 2.0]])
    stroke = Stroke(points)
    points[0, 0] = 9.0
    assert stroke.xy[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        stroke.xy[0, 0] = 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_coordinates_must_be_finite_and_bounded(bad: float) -> None:
    with pytest.raises(BadCoordinate):
        Ink.from_points([[[0, 0], [bad, 1]]])
    with pytest.raises(BadCoordinate):
        Ink.from_flat(np.array([[0, 0], [0, bad]], dtype=float), np.array([0, 1, 2]))


def test_limits() -> None:
    with pytest.raises(NoStrokes):
        Ink(())
    dot = Stroke(np.zeros((1, 2)))
    with pytest.raises(InkTooLarge):
        Ink((dot,) * (MAX_STROKES + 1))
    with pytest.raises(InkTooLarge):
        Ink((Stroke(np.zeros((MAX_POINTS + 1, 2))),))
    with pytest.raises(MalformedInk):
        Stroke(np.zeros((0, 2)))
    with pytest.raises(MalformedInk):
        Stroke(np.zeros((2, 2)), time=np.zeros(3))


def test_flat_points_give_the_same_ink() -> None:
    parts = [[[0, 1], [2, 3]], [[4, 5]], [[6, 7], [8, 9], [10, 11]]]
    flat = np.array([point for part in parts for point in part], dtype=float)
    ink = Ink.from_flat(flat, np.array([0, 2, 3, 6]))
    assert ink == Ink.from_points(parts)
    assert ink.point_count == 6
    with pytest.raises(MalformedInk):
        Ink.from_flat(flat, np.array([0, 2, 2, 6]))


def test_box() -> None:
    box = Ink.from_points([[[0, 1], [2, 3]], [[-4, 5]]]).box()
    assert (box.left, box.top, box.right, box.bottom, box.width, box.height) == (-4, 1, 2, 5, 6, 4)
    assert Ink.from_points([[[0, 1]], [[-4, 5]]]).box([1]).left == -4
