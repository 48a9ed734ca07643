from __future__ import annotations

import numpy as np
import pytest

from inkscan.errors import BadCoordinate, InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink import Ink, Stroke
from inkscan.ink.ink import MAX_POINTS, MAX_STROKES
from inkscan.ink.json import ink_from_json


def test_strokes_are_frozen_copies() -> None:
    points = np.array([[0.0, 0.0], [1.0, 2.0]])
    stroke = Stroke(points)
    points[0, 0] = 9.0
    assert stroke.xy[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        stroke.xy[0, 0] = 1.0
    view = points.view()
    view.setflags(write=False)
    seen = Stroke(view)
    points[0, 0] = 7.0
    assert seen.xy[0, 0] == 9.0
    assert Stroke(seen.xy).xy is seen.xy  # what nobody can change is not copied


def test_strokes_that_are_equal_are_one_in_a_set() -> None:
    assert len({Stroke.from_points([(0.0, 1.0)]), Stroke.from_points([(-0.0, 1.0)])}) == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_coordinates_must_be_finite_and_bounded(bad: float) -> None:
    with pytest.raises(BadCoordinate):
        Ink.from_points([[[0, 0], [bad, 1]]])
    with pytest.raises(BadCoordinate):
        Ink.from_flat(np.array([[0, 0], [0, bad]], dtype=float), np.array([0, 1, 2]))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["time", "pressure"])
def test_time_and_pressure_must_be_finite(name: str, bad: float) -> None:
    with pytest.raises(BadCoordinate, match=name):
        Stroke(np.zeros((2, 2)), **{name: np.array([0, bad])})


def test_points_may_have_time_and_pressure() -> None:
    rows = [(0, 1, 10, 0.5), (2, 3, 20, 0.6)]
    whole = Stroke(np.array([[0, 1], [2, 3]]), time=np.array([10, 20]), pressure=np.array([0.5, 0.6]))
    for count, expected in ((2, Stroke(whole.xy)), (3, Stroke(whole.xy, whole.time)), (4, whole)):
        points = [row[:count] for row in rows]
        assert Ink.from_points([points]).strokes == Ink.from_points([np.array(points)]).strokes == (expected,)
        assert ink_from_json([[list(point) for point in points]]).strokes == (expected,)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(1,)], "2 to 4 numbers, not 1"),
        ([(1, 2, 3, 4, 5)], "2 to 4 numbers, not 5"),
        ([(1, 2), (3,)], "equally many"),
        ([(1, "b")], "equally many"),
        ([], "no points"),
        ([1, 2], "no points"),
    ],
)
def test_what_is_no_stroke_says_why(points: list[object], words: str) -> None:
    with pytest.raises(MalformedInk, match=words):
        Ink.from_points([points])  # type: ignore[list-item]
    with pytest.raises(MalformedInk):
        Stroke(points)  # type: ignore[arg-type]


def test_a_coordinate_beyond_all_numbers_is_refused() -> None:
    for make in (Stroke, Stroke.from_points):
        with pytest.raises(BadCoordinate):
            make([(10**400, 1)])


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
