"""Padding of many inks into one batch."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.features.settings import OFFLINE_STRIDE, ONLINE_STRIDE
from inkscan.ink import Ink


def ink_of(lengths: list[int]) -> Ink:
    rng = np.random.default_rng(len(lengths))
    return Ink.from_points(
        [rng.uniform(0, 40, size=(n, 2)) + np.array([30 * j, 0]) for j, n in enumerate(lengths)]
    )


lengths = st.lists(st.integers(1, 20), min_size=1, max_size=6)


@pytest.mark.parametrize("trace", ["tap", "even"])
@settings(max_examples=20, deadline=None, derandomize=True)
@given(inks=st.lists(lengths, min_size=1, max_size=4))
def test_a_batch_holds_its_members_and_zeros(trace: Literal["tap", "even"], inks: list[list[int]]) -> None:
    features = [
        ink_features(ink_of(n), FeatureSettings(trace=trace), online=True, offline=True) for n in inks
    ]
    batch = pad_batch(features)
    assert batch.points is not None and batch.point_mask is not None and batch.pmask_on is not None
    assert batch.image is not None and batch.image_mask is not None and batch.pmask_off is not None
    assert batch.points.shape[1] % ONLINE_STRIDE == 0
    assert batch.points.shape[1] // ONLINE_STRIDE == batch.pmask_on.shape[2]
    assert [side // OFFLINE_STRIDE for side in batch.image.shape[1:]] == list(batch.pmask_off.shape[2:])
    assert [side % OFFLINE_STRIDE for side in batch.image.shape[1:]] == [0, 0]
    assert_array_equal(batch.stroke_mask.sum(axis=1), [len(n) for n in inks])
    for i, ink in enumerate(features):
        assert ink.trace is not None and ink.raster is not None
        N, (height, width) = len(ink.trace.features), ink.raster.image.shape
        assert_array_equal(batch.points[i, :N], ink.trace.features)
        assert_array_equal(batch.image[i, :height, :width], ink.raster.image)
        assert batch.point_mask[i].sum() == N
        assert batch.image_mask[i].sum() == height * width
        assert not batch.points[i, N:].any()
        assert not batch.image[i][~batch.image_mask[i]].any()
        for pmask in (batch.pmask_on[i], batch.pmask_off[i]):
            mass = pmask.reshape(len(pmask), -1).sum(axis=1)
            assert_array_equal(mass > 0, batch.stroke_mask[i])
        assert_allclose(batch.pmask_on[i].sum() * ONLINE_STRIDE, N)


def test_a_modality_that_is_not_used_is_left_out() -> None:
    batch = pad_batch([ink_features(ink_of([5]), FeatureSettings(), online=True, offline=False)])
    assert list(batch.arrays()) == ["stroke_mask", "points", "point_mask", "pmask_on"]
