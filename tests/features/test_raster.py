"""The image against the known facts of WAP's images, and the pooled masks against dense ones."""

from __future__ import annotations

import math
import time

import numpy as np
import numpy.typing as npt
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from inkscan.errors import BadSetting
from inkscan.features import FeatureSettings
from inkscan.features import raster as raster_module
from inkscan.features.raster import raster
from inkscan.features.settings import OFFLINE_STRIDE
from inkscan.ink import Ink

DEFAULT = FeatureSettings()
RELEASED = FeatureSettings(whole_height=True)


def slow_masks(ink: Ink, height: int, width: int) -> npt.NDArray[np.float64]:
    """Every stroke drawn by itself, pixel by pixel, on an image of whole cells. (M, H_in, W_in)"""
    heights = [np.ptp(stroke.xy[:, 1]) for stroke in ink.strokes]
    scale = 28 / np.mean([h for h in heights if h > 0.1 * max(heights)])
    side = OFFLINE_STRIDE
    masks = np.zeros((len(ink), -(-height // side) * side, -(-width // side) * side))
    for mask, stroke in zip(masks, ink.strokes, strict=True):
        path = [((x - ink.box().left) * scale + 12, (y - ink.box().top) * scale + 12) for x, y in stroke.xy]
        for (x0, y0), (x1, y1) in zip(path, [*path[1:], path[-1]], strict=True):
            steps = max(math.ceil(max(abs(x1 - x0), abs(y1 - y0)) - 1e-6), 1)
            for k in range(steps):
                x = int(x0 + (x1 - x0) * k / steps + 1e-6)
                y = int(y0 + (y1 - y0) * k / steps + 1e-6)
                mask[y - 1 : y + 2, x - 1 : x + 2] = 1.0
    return masks


def test_size_margins_and_pen() -> None:
    # heights 28 and 14, average 21: scale 28 / 21
    image = raster(Ink.from_points([[(0, 0), (0, 28)], [(60, 14), (60, 28)]]), DEFAULT).image
    height, width = int(28 * 28 / 21) + 24, 80 + 24
    assert image.shape == (height, width)
    rows, columns = np.nonzero(image)
    # the pen's centre keeps the margins, and the pen is 3 x 3
    assert (columns.min(), rows.min()) == (12 - 1, 12 - 1)
    assert (columns.max(), rows.max()) == (width - 11, height - 11)
    assert (image[:, 11:14].sum(axis=1) == 3)[11:50].all()
    assert set(np.unique(image)) == {0.0, 1.0}


def test_small_images_have_small_margins_and_a_fine_pen() -> None:
    ink = Ink.from_points([[(0, 0), (0, 28)], [(60, 0), (60, 28)]])
    drawn = raster(ink, FeatureSettings(image_height=14, pen=1))
    assert drawn.image.shape == (14 + 1 + 12, 30 + 1 + 12)
    assert (drawn.scale, drawn.margin) == (0.5, 6)
    assert sorted(set(np.nonzero(drawn.image)[1])) == [6, 36]
    assert drawn.image.sum() == 2 * 15
    with pytest.raises(BadSetting):
        FeatureSettings(pen=9)


def test_whole_heights_are_cut_as_in_the_released_images() -> None:
    ink = Ink.from_points([[(0, 0), (100, 29)], [(0, 0), (0, 28)]])  # average 28.5
    assert raster(ink, RELEASED).image.shape[1] == 100 + 26
    assert raster(ink, DEFAULT).image.shape[1] == int(100 * 28 / 28.5) + 24
    small = Ink.from_points([[(0, 0), (10, 2.9)], [(0, 0), (0, 2.8)]])
    assert raster(small, RELEASED).scale == raster(small, DEFAULT).scale


# Boxes and average heights of CROHME's 18_em_0 and HAMEX's formulaire027-equation007, and the sizes of their images
@pytest.mark.parametrize(
    ("low", "high", "average", "shape"),
    [
        ((34, 38), (409, 89), 24.1333, (85, 464)),
        ((5.6536, 20.733), (18.8266, 21.7762), 0.18664, (183, 2009)),
    ],
)
def test_sizes_of_released_images(
    low: tuple[float, float], high: tuple[float, float], average: float, shape: tuple[int, int]
) -> None:
    ink = Ink.from_points([[low, (low[0], low[1] + average)], [(high[0], high[1] - average), high]])
    image = raster(ink, FeatureSettings(whole_height=True, max_image_side=2200)).image
    assert image.shape == shape
    rows, columns = np.nonzero(image)
    assert (columns.min(), rows.min()) == (12, 12)
    assert (shape[1] - 1 - columns.max(), shape[0] - 1 - rows.max()) == (11, 11)


def test_a_long_bar_does_not_shrink_released_images() -> None:
    ink = Ink.from_points([[(0, 40), (700, 41)], [(0, 0), (9, 28)], [(0, 50), (9, 78)]])
    assert raster(ink, RELEASED).scale == 1


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.1), (1 / 3, 0.7), (97.3, -1e5), (1e-3, 12.34)])
def test_rounding_moves_no_pixel(scale: float, shift: float) -> None:
    # at scale one every point lies on a pixel's border
    strokes = [np.array([(0, 0), (4, 9), (1, 17), (7, 28)]), np.array([(20, 12), (13, 22), (28, 40)])]
    drawn = raster(Ink.from_points(strokes), DEFAULT)
    moved = raster(Ink.from_points([stroke * scale + shift for stroke in strokes]), DEFAULT)
    assert_array_equal(moved.image, drawn.image)
    assert_array_equal(moved.pooled_masks, drawn.pooled_masks)


def test_a_long_scribble_is_drawn_in_time() -> None:
    points = np.random.default_rng(3).uniform(0, 500, size=(9000, 2))  # found by fuzzing: three seconds
    started = time.process_time()
    drawn = raster(Ink.from_points([points, [(0, 0), (0, 28)]]), DEFAULT)
    assert time.process_time() - started < 5
    few = raster(Ink.from_points([points[:40], [(0, 0), (0, 28)]]), DEFAULT)
    assert 0 < few.image.mean() < drawn.image.mean()


def test_strokes_are_drawn_in_parts_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ink = Ink.from_points([np.random.default_rng(4).uniform(0, 90, size=(60, 2)), [(3, 3)]])
    whole = raster(ink, DEFAULT)
    monkeypatch.setattr(raster_module, "STEPS_AT_ONCE", 37)
    assert_array_equal(raster(ink, DEFAULT).image, whole.image)


def test_strokes_are_drawn_without_gaps() -> None:
    rng = np.random.default_rng(0)
    ink = Ink.from_points([rng.uniform(0, 300, size=(6, 2))])
    image = raster(ink, DEFAULT).image > 0
    ys, xs = np.nonzero(image)
    seen, todo = set(), [(int(ys[0]), int(xs[0]))]
    while todo:
        y, x = todo.pop()
        if (y, x) in seen or not image[y, x]:
            continue
        seen.add((y, x))
        todo += [(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    assert len(seen) == len(ys)


def test_sizes_on_test2014_are_near_the_released_ones(test2014_inks: list[Ink]) -> None:
    """The released images have a median of 99 x 247, of which set is not known."""
    shapes = np.array([raster(ink, RELEASED).image.shape for ink in test2014_inks])
    height, width = np.median(shapes, axis=0)
    assert height == pytest.approx(99, rel=0.1)
    assert width == pytest.approx(247, rel=0.05)


def test_image_and_pooled_masks_are_those_of_strokes_drawn_one_by_one(test2014_inks: list[Ink]) -> None:
    for ink in test2014_inks[::70]:
        drawn = raster(ink, DEFAULT)
        height, width = drawn.image.shape
        masks = slow_masks(ink, height, width)
        assert_allclose(drawn.image, masks.max(axis=0)[:height, :width])
        M, H_in, W_in = masks.shape
        cells = masks.reshape(
            M, H_in // OFFLINE_STRIDE, OFFLINE_STRIDE, W_in // OFFLINE_STRIDE, OFFLINE_STRIDE
        )
        assert_allclose(drawn.pooled_masks, cells.mean(axis=(2, 4)), atol=1e-7)


def test_no_stroke_vanishes(test2014_inks: list[Ink]) -> None:
    for ink in test2014_inks[::10]:
        assert (raster(ink, DEFAULT).pooled_masks.sum(axis=(1, 2)) >= 9 / 256).all()  # a dot is 3 x 3
    twice = Ink.from_points([[(0, 0), (0, 30)], [(0, 0), (0, 30)], [(0, 15)]])  # hidden behind another stroke
    assert (raster(twice, DEFAULT).pooled_masks.sum(axis=(1, 2)) > 0).all()


def test_a_huge_drawing_is_scaled_down() -> None:
    ink = Ink.from_points([[(0, 0), (1, 1)], [(1_000_000, 0), (1_000_001, 1)]])
    image = raster(ink, DEFAULT).image
    assert max(image.shape) <= DEFAULT.max_image_side
    assert raster(ink, DEFAULT).pooled_masks.all(axis=0).sum() == 0


@pytest.mark.parametrize("points", [[(3, 4)], [(5, 0), (5, 30)], [(0, 5), (30, 5)], [(1e9, -1e9)]])
def test_degenerate_ink(points: list[tuple[float, float]]) -> None:
    drawn = raster(Ink.from_points([points]), DEFAULT)
    assert min(drawn.image.shape) == 24
    assert max(drawn.image.shape) == (24 if len(points) == 1 else 52)
    assert drawn.image.any()
    assert drawn.pooled_masks.any()
