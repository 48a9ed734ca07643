"""Pictures of symbols against slow ones, and what must not change them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose, assert_array_equal
from tests.ink.strategies import inks as any_inks

from inkscan.features.symbol_pictures import (
    CHANNELS,
    FILLED,
    LEAST_MEASURE,
    MEASURES,
    MOST_STROKES,
    PEN_STEP,
    SIDE,
    SMALLEST,
    WINDOW,
    StrokeGroup,
    SymbolPictures,
    symbol_pictures,
)
from inkscan.features.trace import MAX_POINTS_PER_STROKE, average_stroke_height
from inkscan.ink import Ink
from inkscan.synthesis.generate import Generator

NEAR, NEAR_OTHERS, AROUND, AROUND_OTHERS = range(CHANNELS)
TOUCHED = 2.0  # pixels beyond its extent that ink touches, one more or less
Floats = npt.NDArray[np.float64]
Points = list[tuple[float, float]]


@pytest.fixture(scope="module")
def inks() -> list[Ink]:
    return [sample.ink for sample in Generator(max_symbols=12, care=0.3).samples(6, seed=1)]


def groups_of(ink: Ink) -> list[StrokeGroup]:
    """Each stroke alone, and with the next."""
    numbers = range(len(ink))
    return [(one,) for one in numbers] + list(pairwise(numbers))


def bar(x: float, top: float, bottom: float) -> Points:
    return [(x, top), (x, bottom)]


def seen(picture: npt.NDArray[np.float32]) -> tuple[list[int], list[int]]:
    """The columns and the rows that hold any ink."""
    return np.flatnonzero(picture.any(axis=0)).tolist(), np.flatnonzero(picture.any(axis=1)).tolist()


# ---- slow pictures, pixel by pixel


def slow_places(stroke: Floats, step: float) -> Points:
    """Along the stroke by the pen's step: whole fours of places, the first and the last at its ends."""
    points = [(x, y) for x, y in stroke.tolist()]
    segments = [(a, b, math.dist(a, b)) for a, b in pairwise(points)]
    length = sum(long for *_, long in segments)
    count = min(4 * max(round(length / step / 4), 1), MAX_POINTS_PER_STROKE)
    places = []
    for k in range(count):
        left = length * k / (count - 1)
        x, y = points[0]
        for (ax, ay), (bx, by), long in segments:
            if long > 0:
                share = min(left / long, 1.0)
                x, y = ax + share * (bx - ax), ay + share * (by - ay)
            if left <= long:
                break
            left -= long
        places.append((x, y))
    return places


def slow_picture(strokes: list[Floats], middle: Floats, scale: float) -> Floats:
    """Each place of the pen blackens a pixel by how near its centre is, across and down."""
    centres = np.arange(SIDE) + 0.5
    picture = np.zeros((SIDE, SIDE))
    for stroke in strokes:
        for x, y in slow_places(stroke, PEN_STEP / scale):
            across = np.maximum(1 - np.abs((x - middle[0]) * scale + SIDE / 2 - centres), 0)
            down = np.maximum(1 - np.abs((y - middle[1]) * scale + SIDE / 2 - centres), 0)
            picture += np.outer(down, across)
    return np.minimum(picture, 1.0)


def slow_pictures(ink: Ink, group: StrokeGroup) -> Floats:
    """Near, other strokes are drawn only where their box reaches into the picture itself."""
    strokes = [stroke.xy for stroke in ink.strokes]
    own = [strokes[number] for number in group]
    others = [stroke for number, stroke in enumerate(strokes) if number not in group]
    size = average_stroke_height(strokes)
    box = ink.box(group)
    middle = np.array([(box.left + box.right) / 2, (box.top + box.bottom) / 2])
    near = FILLED / max(box.width, box.height, SMALLEST * size)
    around = SIDE / WINDOW / size
    reach = SIDE / 2 / near
    low, high = middle - reach, middle + reach
    beside = [one for one in others if (one.min(axis=0) <= high).all() and (one.max(axis=0) >= low).all()]
    drawn = ((own, near), (beside, near), (own, around), (others, around))
    return np.stack([slow_picture(some, middle, scale) for some, scale in drawn])


def test_pictures_are_those_drawn_pixel_by_pixel(inks: list[Ink]) -> None:
    compared = 0
    for ink in inks[:3]:
        groups = groups_of(ink)[::3]
        for image, group in zip(symbol_pictures(ink, groups).images, groups, strict=True):
            assert_allclose(image, slow_pictures(ink, group), atol=1e-5)
            compared += 1
    assert compared > 10


# ---- by hand


def test_two_bars_by_hand() -> None:
    ink = Ink.from_points([bar(0, 0, 20), bar(5, 10, 30)])  # 20 are 22 pixels near, and 8 in the window
    (image,) = symbol_pictures(ink, [(0,)]).images
    assert seen(image[NEAR]) == ([15, 16], list(range(4, 28)))  # from 5 to 27, between two columns
    assert seen(image[NEAR_OTHERS]) == ([21], list(range(15, 32)))  # 5.5 to the right, from the middle down
    assert seen(image[AROUND]) == ([15, 16], list(range(11, 21)))
    assert seen(image[AROUND_OTHERS]) == ([17, 18], list(range(15, 25)))
    inner = slice(6, 26)
    assert_allclose(image[NEAR, inner, 15], image[NEAR, inner, 16], atol=1e-6)
    assert (image[NEAR_OTHERS, 17:, 21] == 1).all()  # 2.5 places a pixel are more than black


def test_a_dot_blackens_the_four_pixels_in_the_middle() -> None:
    (image,) = symbol_pictures(Ink.from_points([[(3.0, 4.0)]]), [(0,)]).images
    wanted = np.zeros((SIDE, SIDE))
    wanted[15:17, 15:17] = 1
    nothing = np.zeros_like(wanted)
    assert_array_equal(image, [wanted, nothing, wanted, nothing])


@pytest.mark.parametrize(("width", "height"), [(10, 20), (20, 10), (60, 10), (10, 60), (20, 20)])
def test_a_symbol_fills_its_picture_near(width: float, height: float) -> None:
    ink = Ink.from_points([[(0, 0), (width, height)], *(bar(x, 0, 20) for x in (5, 15))])
    columns, rows = seen(symbol_pictures(ink, [(0,)]).images[0, NEAR])
    for side, places in ((width, columns), (height, rows)):
        assert len(places) == pytest.approx(FILLED * side / max(width, height) + TOUCHED, abs=1)
    for places in (columns, rows):
        assert places[0] + places[-1] == SIDE - 1, "it stands in the middle"


def test_what_is_very_small_is_not_magnified_further() -> None:
    for height in (10.0, 5.0, 1.0):  # which do not count among the heights
        ink = Ink.from_points([bar(0, 0, height), *(bar(x, 0, 100) for x in (50, 60))])
        size = average_stroke_height([stroke.xy for stroke in ink.strokes])
        assert size == 100
        _, rows = seen(symbol_pictures(ink, [(0,)]).images[0, NEAR])
        assert len(rows) == pytest.approx(FILLED * height / (SMALLEST * size) + TOUCHED, abs=1)


def test_nothing_is_seen_from_outside_the_windows() -> None:
    alone = symbol_pictures(Ink.from_points([bar(0, 0, 20)]), [(0,)]).images[0]
    near, far = 20 / FILLED * SIDE / 2, 20 * WINDOW / 2  # from the middle to the edges
    for distance, is_near, is_around in (
        (0.9 * near, True, True),
        (1.1 * near, False, True),
        (0.95 * far, False, True),
        (1.05 * far, False, False),
    ):
        for x, y in ((distance, 0), (-distance, 0), (0, distance + 10), (0, -distance - 10)):
            ink = Ink.from_points([bar(0, 0, 20), bar(x, y, y + 20)])
            (image,) = symbol_pictures(ink, [(0,)]).images
            assert (image[NEAR_OTHERS].any(), image[AROUND_OTHERS].any()) == (is_near, is_around)
            assert_array_equal(image[[NEAR, AROUND]], alone[[NEAR, AROUND]])


def test_measures_are_logarithms_in_average_stroke_heights_and_a_count() -> None:
    tall = [bar(x, 0, 40) for x in range(100, 112)]
    box: Points = [(0, 0), (20, 0), (20, 60)]
    ink = Ink.from_points([*tall, box])
    size = average_stroke_height([stroke.xy for stroke in ink.strokes])
    found = symbol_pictures(ink, [(12,), (0,), (0, 11), tuple(range(12))]).measures
    least = math.log(LEAST_MEASURE)
    assert_allclose(
        found,
        [
            [math.log(20 / size), math.log(60 / size), 1],
            [least, math.log(40 / size), 1],  # without width
            [math.log(11 / size), math.log(40 / size), 2],
            [math.log(11 / size), math.log(40 / size), MOST_STROKES],  # more are not counted
        ],
        rtol=1e-6,
    )


# ---- what does not matter


def same(found: SymbolPictures, wanted: SymbolPictures) -> None:
    assert_allclose(found.images, wanted.images, atol=1e-5)
    assert_allclose(found.measures, wanted.measures, atol=1e-5)


@pytest.mark.parametrize(("scale", "shift"), [(1, 1e4), (1, -0.1), (1000, 0), (1 / 1000, 0), (1 / 3, 77.7)])
def test_neither_place_nor_scale_matters(inks: list[Ink], scale: float, shift: float) -> None:
    for ink in inks:
        moved = Ink.from_points([stroke.xy * scale + [shift, -2 * shift] for stroke in ink.strokes])
        same(symbol_pictures(moved, groups_of(ink)), symbol_pictures(ink, groups_of(ink)))


def test_the_direction_of_strokes_does_not_matter(inks: list[Ink]) -> None:
    for ink in inks:
        turned = Ink.from_points([stroke.xy[::-1] for stroke in ink.strokes])
        same(symbol_pictures(turned, groups_of(ink)), symbol_pictures(ink, groups_of(ink)))


def test_the_order_of_strokes_does_not_matter(inks: list[Ink]) -> None:
    rng = np.random.default_rng(0)
    for ink in inks:
        order = rng.permutation(len(ink)).tolist()
        place = np.argsort(order).tolist()
        groups = groups_of(ink)
        moved = [tuple(place[stroke] for stroke in group) for group in groups]
        same(symbol_pictures(ink.only(order), moved), symbol_pictures(ink, groups))
        backwards = [group[::-1] for group in groups]
        same(symbol_pictures(ink, backwards), symbol_pictures(ink, groups))


def test_groups_are_seen_each_by_itself(inks: list[Ink]) -> None:
    ink = inks[0]
    groups = groups_of(ink)
    together = symbol_pictures(ink, groups)
    for at, group in enumerate(groups):
        alone = symbol_pictures(ink, [group])
        assert_array_equal(alone.images[0], together.images[at])
        assert_array_equal(alone.measures[0], together.measures[at])
    none = symbol_pictures(ink, [])
    assert none.images.shape == (0, CHANNELS, SIDE, SIDE) and none.measures.shape == (0, MEASURES)


# ---- any ink


def check(ink: Ink, groups: list[StrokeGroup]) -> None:
    found = symbol_pictures(ink, groups)
    assert found.images.dtype == found.measures.dtype == np.float32
    assert found.images.shape == (len(groups), CHANNELS, SIDE, SIDE)
    assert np.isfinite(found.images).all() and np.isfinite(found.measures).all()
    assert found.images.min() >= 0 and found.images.max() <= 1
    assert found.images[:, NEAR].any(axis=(1, 2)).all(), "each group is seen"
    for image, group in zip(found.images, groups, strict=True):
        if len(set(group)) == len(ink):
            assert not image[[NEAR_OTHERS, AROUND_OTHERS]].any(), "there is nothing else"


DEGENERATE: dict[str, list[Points]] = {
    "a dot": [[(3, 4)]],
    "one point many times": [[(3, 4)] * 50],
    "dots": [[(3, 4)], [(9, 4)], [(9, 4)]],
    "a bar": [bar(5, 0, 30)],
    "a nearly vertical bar": [[(5 + 1e-9 * y, y) for y in range(20)]],
    "a minus": [[(0, 5), (30, 5)]],
    "a dot beside a bar": [bar(5, 0, 30), [(9, 30)]],
    "far from the origin": [[(1e9 - x, -1e9 + x) for x in range(20)], [(1e9, -1e9)]],
    "far from each other": [[(-1e9, -1e9), (-1e9, 1)], [(1e9, 1e9)], [(0, 0), (1, 1)]],
    "a long bar and a small sign": [[(0, 0), (5000, 0)], *(bar(x, 5, 15) for x in range(0, 400, 10))],
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_ink(name: str) -> None:
    ink = Ink.from_points(DEGENERATE[name])
    check(ink, [*groups_of(ink), tuple(range(len(ink)))])


def test_hundreds_of_strokes() -> None:
    rng = np.random.default_rng(0)
    ink = Ink.from_points([rng.normal(size=(5, 2)) * 9 + rng.uniform(0, 900, 2) for _ in range(400)])
    check(ink, [(0,), tuple(range(100)), tuple(range(400))])


@settings(max_examples=150, deadline=None)
@given(any_inks(channels=False))
def test_any_ink_has_pictures(ink: Ink) -> None:
    box = ink.box()
    extent = max(box.width, box.height)
    assume(extent == 0 or extent > 1e-300)  # smaller, its scale overflows
    check(ink, [*groups_of(ink), tuple(range(len(ink)))])
