"""The NumPy encoders by hand: small cases that a reader can check."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.models import encoder_equations as enc

S_PLUS_2 = [[0], [1, 2], [3]]  # the paper's "s + 2": four strokes, the middle two make the plus


# ---- data


def test_features_cross_stroke_borders_and_clamp_at_the_end() -> None:
    ink = enc.traces([np.array([[0.0, 0.0], [1.0, 2.0]]), np.array([[4.0, 8.0]])])
    assert_allclose(
        enc.online_features(ink),
        [
            [0, 0, 1, 2, 4, 8, 1, 0],
            [1, 2, 3, 6, 3, 6, 0, 1],
            [4, 8, 0, 0, 0, 0, 0, 1],
        ],
    )


def test_masks_name_the_stroke_of_each_point_and_pixel() -> None:
    ink = enc.traces([np.zeros((2, 2)), np.zeros((1, 2))])
    assert_allclose(enc.online_stroke_masks(ink), [[1, 1, 0], [0, 0, 1]])
    crossing = enc.offline_stroke_masks([[(0, 0), (0, 1)], [(0, 1), (1, 1)]], 2, 2)
    assert_allclose(crossing, [[[1, 1], [0, 0]], [[0, 1], [0, 1]]])


# ---- encoder


def test_convolution_is_a_cross_correlation_with_zero_padding() -> None:
    kernel = np.array([[[[1.0, 10.0, 100.0]]]])
    assert_allclose(enc.convolve(np.array([[[1.0, 2.0, 3.0]]]), kernel), [[[210, 321, 32]]])
    assert_allclose(enc.convolve(np.array([[[1.0, 2.0, 3.0]]]), kernel, stride=2), [[[210, 32]]])


def test_a_dense_block_appends_and_a_transition_pools() -> None:
    norm = enc.BatchNorm(*(np.array([value]) for value in (2.0, 1.0, 3.0, 4.0 - 1e-5)))  # y = x - 3 + 1
    x = np.array([[[1.0, 2.0, 4.0, 6.0]]])
    double = np.array([[[[2.0]]]])
    assert_allclose(enc.dense_block(x, [[(norm, double)]]), [[[1, 2, 4, 6]], [[0, 0, 4, 8]]])
    assert_allclose(enc.transition(x, norm, double, (1, 2)), [[[0, 6]]])
    assert_allclose(enc.max_pool(x, (1, 2)), [[[2, 6]]])


def test_pooling_refuses_a_broken_tile() -> None:
    with pytest.raises(ValueError, match="1 x 2 tiles"):
        enc.average_pool(np.zeros((1, 1, 3)), (1, 2))


def test_gru_step_by_hand() -> None:
    # r = 1/2 (all zero), z = 1/4 by its bias, candidate = tanh(0.5 + r * 1 * h) with h = 1
    cell = {
        "W_ih": np.zeros((3, 1)),
        "W_hh": np.array([[0.0], [0.0], [1.0]]),
        "b_ih": np.array([0.0, -math.log(3), 0.5]),
        "b_hh": np.zeros(3),
    }
    h = enc.gru_cell(np.array([7.0]), np.array([1.0]), **cell)
    assert_allclose(h, [0.75 * math.tanh(1.0) + 0.25])


def test_torch_agrees_on_gru_and_convolution_and_batch_norm() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    theirs = torch.nn.GRU(3, 4, num_layers=2, bidirectional=True).double()
    names = {"W_ih": "weight_ih", "W_hh": "weight_hh", "b_ih": "bias_ih", "b_hh": "bias_hh"}

    def direction(layer: int, suffix: str) -> dict[str, enc.Array]:
        return {
            ours: getattr(theirs, f"{name}_l{layer}{suffix}").detach().numpy() for ours, name in names.items()
        }

    A = torch.randn(6, 3, dtype=torch.float64)
    layers = [(direction(layer, ""), direction(layer, "_reverse")) for layer in range(2)]
    assert_allclose(enc.bidirectional_gru(A.numpy(), layers), theirs(A)[0].detach().numpy())

    x, kernel = torch.randn(2, 5, 6).double(), torch.randn(3, 2, 3, 5).double()
    for stride in (1, 2):
        expected = torch.nn.functional.conv2d(x[None], kernel, padding=(1, 2), stride=stride)[0]
        assert_allclose(enc.convolve(x.numpy(), kernel.numpy(), stride), expected.numpy())
    mean, var, gamma, beta = torch.rand(4, 2).double()
    expected = torch.nn.functional.batch_norm(x[None], mean, var, gamma, beta)[0]
    norm = enc.BatchNorm(gamma.numpy(), beta.numpy(), mean.numpy(), var.numpy())
    assert_allclose(enc.batch_norm(x.numpy(), norm), expected.numpy())


def test_stroke_pooling_of_two_strokes() -> None:
    # three points and one point, pooled by 2: the second cell is shared half and half
    mask_on = np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    A = np.array([[3.0, 0.0], [0.0, 6.0]])
    assert_allclose(enc.online_stroke_features(A, mask_on, poolings=1), [[2, 2], [0, 6]])
    mask_off = np.array([[[1.0, 1, 0, 0], [0, 1, 1, 0]], [[0, 0, 0, 0], [0, 0, 0, 1]]])
    assert_allclose(enc.offline_stroke_features(A, mask_off, poolings=1), [[2.25, 1.5], [0.0, 6.0]])
    with pytest.raises(ValueError, match="stroke 0"):
        enc.stroke_pool(A, np.zeros((1, 2)))
