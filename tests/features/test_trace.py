"""The trace against a slow transcription of the recipe behind the field's released features."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from inkscan.features import FeatureSettings
from inkscan.features.settings import ONLINE_STRIDE
from inkscan.features.trace import (
    MAX_POINTS_PER_STROKE,
    average_stroke_height,
    line_moments,
    pooled_stroke_mask,
    space_evenly,
    thin,
    trace_features,
)
from inkscan.ink import Ink

Point = tuple[float, float]
TAP = FeatureSettings(trace="tap")
EVEN = FeatureSettings(trace="even")


# ---- the recipe, sentence by sentence, in plain Python


def slow_thinned(strokes: list[list[Point]]) -> list[list[Point]]:
    xs, ys = [x for stroke in strokes for x, _ in stroke], [y for stroke in strokes for _, y in stroke]
    T = 0.005 * max(max(xs) - min(xs), max(ys) - min(ys))
    thinned = []
    for stroke in strokes:
        distinct = [stroke[0]]
        for point in stroke[1:]:
            if point != distinct[-1]:
                distinct.append(point)
        if len(distinct) == 1:
            thinned.append([distinct[0], distinct[0]])
            continue
        kept = [distinct[0]]
        for point in distinct[1:-1]:
            if not math.dist(point, kept[-1]) < T:
                kept.append(point)
        thinned.append([*kept, distinct[-1]])
    return thinned


def slow_normalised(strokes: list[list[Point]]) -> list[list[Point]]:
    segments = [(a, b, math.dist(a, b)) for s in strokes for a, b in pairwise(s)]
    L = math.fsum(length for _, _, length in segments)
    mx = math.fsum(length * (a[0] + b[0]) / 2 for a, b, length in segments) / L
    my = math.fsum(length * (a[1] + b[1]) / 2 for a, b, length in segments) / L
    moment = math.fsum(
        length * ((a[0] - mx) ** 2 + (b[0] - mx) ** 2 + (a[0] - mx) * (b[0] - mx)) / 3
        for a, b, length in segments
    )
    sigma_x = math.sqrt(moment / L)
    return [[((x - mx) / sigma_x, (y - my) / sigma_x) for x, y in stroke] for stroke in strokes]


def slow_features(strokes: list[list[Point]]) -> list[list[float]]:
    points = [point for stroke in strokes for point in stroke]
    last_of_stroke = [i == len(stroke) - 1 for stroke in strokes for i in range(len(stroke))]
    rows = []
    for i, (x, y) in enumerate(points):
        x1, y1 = points[min(i + 1, len(points) - 1)]
        x2, y2 = points[min(i + 2, len(points) - 1)]
        rows.append(
            [x, y, x1 - x, y1 - y, x2 - x, y2 - y, float(not last_of_stroke[i]), float(last_of_stroke[i])]
        )
    return rows


def plain(ink: Ink) -> list[list[Point]]:
    return [[(x, y) for x, y in stroke.xy.tolist()] for stroke in ink.strokes]


def test_tap_follows_the_recipe_on_test2014(test2014_inks: list[Ink]) -> None:
    assert len(test2014_inks) == 986
    for ink in test2014_inks:
        strokes = slow_thinned(plain(ink))
        trace = trace_features(ink, TAP)
        assert trace.stroke_lengths.tolist() == [len(stroke) for stroke in strokes]
        assert_allclose(trace.features, slow_features(slow_normalised(strokes)), rtol=1e-5, atol=1e-5)


# ---- the rules one by one


def test_thinning_by_hand() -> None:
    # the longer side is 1000, so that points nearer than 5 to the last kept one go; the last point stays
    stroke = np.array([(x, 0.0) for x in (0, 4, 5, 5, 9, 10, 998, 998, 1000, 1000)])
    assert thin([stroke], 0.005)[0][:, 0].tolist() == [0, 5, 10, 998, 1000]


def test_a_one_point_stroke_is_doubled_even_if_the_point_is_repeated() -> None:
    for points in ([(3.0, 4.0)], [(3.0, 4.0)] * 3):
        line = np.array([(0.0, 0.0), (10.0, 0.0)])
        assert thin([np.array(points), line], 0.005)[0].tolist() == [[3.0, 4.0], [3.0, 4.0]]


def test_moments_of_a_straight_line() -> None:
    # uniform on [0, 12]: mean 6, variance 12^2 / 12, however the line is cut into segments
    mean, sigma = line_moments(np.array([(0.0, 1.0), (1.0, 1.0), (12.0, 1.0)]), np.array([3]))
    assert_allclose(mean, [6.0, 1.0])
    assert sigma == pytest.approx(math.sqrt(12.0))


def test_jumps_between_strokes_have_no_part_in_the_moments() -> None:
    left_and_right = np.array([(0.0, 0.0), (2.0, 0.0), (10.0, 0.0), (12.0, 0.0)])
    mean, sigma = line_moments(left_and_right, np.array([2, 2]))
    assert_allclose(mean, [6.0, 0.0])
    assert sigma == pytest.approx(math.sqrt(25 + 1 / 3))


DEGENERATE = {
    "a dot": [[(3.0, 4.0)]],
    "two dots": [[(3.0, 4.0)], [(9.0, 4.0)]],
    "a vertical bar": [[(5.0, float(y)) for y in range(20)]],
    "a nearly vertical bar": [[(5.0 + 1e-9 * y, float(y)) for y in range(20)]],
    "a horizontal bar": [[(float(x), 5.0) for x in range(20)]],
    "one point many times": [[(3.0, 4.0)] * 50],
    "far from the origin": [[(1e9 - x, -1e9 + x) for x in range(20)]],
}


@pytest.mark.parametrize("settings", [TAP, EVEN], ids=["tap", "even"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_ink(name: str, settings: FeatureSettings) -> None:
    ink = Ink.from_points(DEGENERATE[name])
    trace = trace_features(ink, settings)
    assert np.isfinite(trace.features).all()
    assert np.abs(trace.features).max() < 1 / settings.spacing * 25, "nothing is blown up"
    assert trace.features[:, 7].sum() == len(ink)
    assert trace.stroke_lengths.sum() == len(trace.features)
    assert (trace.stroke_lengths >= 2).all()


def test_a_vertical_bar_is_scaled_by_its_own_length() -> None:
    features = trace_features(Ink.from_points([[(5.0, 0.0), (5.0, 120.0)]]), TAP).features
    assert_allclose(features[:, :2], [[0, -math.sqrt(3)], [0, math.sqrt(3)]], atol=1e-6)


# ---- even spacing


def test_even_spacing_fills_whole_cells_at_equal_distances() -> None:
    rng = np.random.default_rng(0)
    for points in (1, 2, 3, 50):
        stroke = np.cumsum(rng.normal(size=(points, 2)), axis=0)
        even, _ = space_evenly([stroke], 0.1)
        assert len(even) % ONLINE_STRIDE == 0
        assert_allclose(even[[0, -1]], stroke[[0, -1]])
    straight, _ = space_evenly([np.array([(0.0, 0.0), (1.0, 0.0), (30.0, 40.0)])], 1.0)
    assert len(straight) == 52  # 50.4 long
    steps = np.hypot(*np.diff(straight[5:], axis=0).T)
    assert_allclose(steps, steps[0])
    assert 0.9 < steps[0] < 1.1


def test_strokes_are_spaced_each_by_itself() -> None:
    rng = np.random.default_rng(0)
    strokes = [np.cumsum(rng.normal(size=(points, 2)), axis=0) + 100 * points for points in (7, 1, 40, 2)]
    together, counts = space_evenly(strokes, 0.1)
    alone = [space_evenly([stroke], 0.1)[0] for stroke in strokes]
    assert counts.tolist() == [len(points) for points in alone]
    assert_allclose(together, np.concatenate(alone))


def test_a_scribble_has_a_bounded_number_of_points() -> None:
    rng = np.random.default_rng(0)
    assert len(space_evenly([rng.random((5000, 2))], 0.01)[0]) == MAX_POINTS_PER_STROKE


def test_a_symbol_looks_the_same_in_a_short_and_in_a_long_expression() -> None:
    x = np.array([(0.0, 0.0), (20.0, 30.0), (10.0, 15.0), (20.0, 0.0), (0.0, 30.0)])
    short = trace_features(Ink.from_points([x]), EVEN)
    long = trace_features(Ink.from_points([x + np.array([40 * k, 0]) for k in range(5)]), EVEN)
    n = len(short.features)
    assert_allclose(long.features[: n - 2, 2:6], short.features[: n - 2, 2:6], atol=1e-5)


def test_average_stroke_height() -> None:
    tall, small, dot = np.array([(0, 0), (5, 40)]), np.array([(0, 0), (9, 20)]), np.array([(0, 0), (0, 4)])
    assert average_stroke_height([tall, small, dot]) == 30  # 4 is not more than a tenth of 40
    assert average_stroke_height([np.array([(0, 0), (50, 2)])]) == 50  # a minus sign
    assert average_stroke_height([np.zeros((1, 2))]) == 1


def test_a_long_bar_does_not_say_how_large_the_symbols_beside_it_are() -> None:
    dash, bar = np.array([(0.0, 0.0), (50.0, 2.0)]), np.array([(0.0, 0.0), (900.0, 0.0)])
    dots = [np.array([(x, 9.0), (x + 2, 12.0)]) for x in (20.0, 24.0)]
    digits = [np.array([(x, 10.0), (x + 20, 50.0)]) for x in range(0, 900, 90)]
    assert average_stroke_height([dash, *dots]) == 50  # a division sign
    assert average_stroke_height([dash] * 6) == 50
    assert average_stroke_height([bar, *digits]) == 40


@pytest.mark.parametrize("speck", [(0.0, 0.0), (1.0, 0.0), (1.0, 0.2)])
def test_three_dots_alone_are_as_large_as_they_stand_apart(speck: tuple[float, float]) -> None:
    dots = [np.array([(x, 0.0), (x + speck[0], speck[1])]) for x in (0.0, 3000.0, 6000.0)]
    assert average_stroke_height(dots) == pytest.approx(6000 / 15, rel=1e-3)
    features = trace_features(Ink.from_points(dots), EVEN).features
    assert np.abs(features).max() < 120  # a model sees no more than in the longest expressions


# ---- pooled masks


def test_pooled_masks_are_the_masks_average_pooled() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        lengths = rng.integers(1, 12, size=rng.integers(1, 9))
        N = -(-lengths.sum() // ONLINE_STRIDE) * ONLINE_STRIDE
        owner = np.full(N, -1)
        owner[: lengths.sum()] = np.repeat(np.arange(len(lengths)), lengths)
        dense = owner == np.arange(len(lengths))[:, None]  # (M, N)
        pooled = dense.reshape(len(lengths), -1, ONLINE_STRIDE).mean(axis=2)
        assert_allclose(pooled_stroke_mask(lengths), pooled)
        assert (pooled_stroke_mask(lengths).sum(axis=1) > 0).all(), "no stroke vanishes"
