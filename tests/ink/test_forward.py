"""Forward ink: straight strokes are turned, all others stay."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.ink import Ink
from inkscan.ink.forward import forward

BAR = [(0.0, 5.0), (10.0, 6.0), (30.0, 5.0)]
UPRIGHT = [(5.0, 0.0), (6.0, 10.0), (5.0, 30.0)]


@pytest.mark.parametrize("stroke", [BAR, UPRIGHT])
def test_a_straight_stroke_is_turned_if_it_runs_backward(stroke: list[tuple[float, float]]) -> None:
    right = Ink.from_points([stroke])
    assert forward(right) is right
    assert forward(Ink.from_points([stroke[::-1]])) == right


@pytest.mark.parametrize(
    "stroke",
    [
        [(10, 10), (0, 0)],  # it leans: the tip of an arrow
        [(10, 0), (0, 10)],
        [(20, 0), (0, 15), (20, 30)],  # c
        [(30, 5), (15, 25), (0, 5)],  # an arch: its ends are level
        [(20, 0), (0, 0), (20, 1), (3, 2)],  # to and fro
        [(4, 4)],
        [(4, 4), (4, 4)],
    ],
)
def test_what_bends_or_leans_or_is_a_dot_stays(stroke: list[tuple[float, float]]) -> None:
    ink = Ink.from_points([BAR, stroke])
    assert forward(ink) is ink


def test_time_and_pressure_go_with_their_points() -> None:
    points = [(30, 5, 0, 0.1), (20, 5, 10, 0.2), (0, 5, 25, 0.3)]
    (stroke,) = forward(Ink.from_points([points])).strokes
    assert stroke.time is not None and stroke.pressure is not None
    np.testing.assert_array_equal(np.c_[stroke.xy, stroke.time, stroke.pressure], points[::-1])
