"""The SCAN paper's Eqs. (1)-(5) and the encoders' layers, as `equations.py` has the others: slow float64 NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = Mapping[str, Array]
Grid = tuple[int, int]


# ---- data: Eqs. (1)(2) and the stroke masks


def traces(strokes: Sequence[Array]) -> Array:
    """Eq. (1): strokes of (points, 2) as one sequence of [x_i, y_i, s_i]; s counts from 0 here. (N, 3)"""
    return np.array([[x, y, s] for s, stroke in enumerate(strokes) for x, y in stroke], dtype=np.float64)


def online_features(traces: Array) -> Array:
    """Eq. (2): the eight features of each (normalised) point. (N, 8)

    Open in the paper: differences run across stroke borders, the indices i+1 and i+2 are clamped to the last
    point, and pen-up marks each stroke's last point.
    """
    N = len(traces)
    X_on = np.zeros((N, 8))
    for i in range(N):
        x, y, s = traces[i]
        x1, y1, _ = traces[min(i + 1, N - 1)]
        x2, y2, _ = traces[min(i + 2, N - 1)]
        pen_up = i == N - 1 or traces[i + 1][2] != s
        X_on[i] = [x, y, x1 - x, y1 - y, x2 - x, y2 - y, not pen_up, pen_up]
    return X_on


def online_stroke_masks(traces: Array) -> Array:
    """Mask^on (Sec. 3.1.2): 1 where point i belongs to stroke j. (M, N)"""
    M = int(traces[:, 2].max()) + 1
    return np.array([[1.0 if s == j else 0.0 for s in traces[:, 2]] for j in range(M)])


def offline_stroke_masks(pixels: Sequence[Iterable[Grid]], H_in: int, W_in: int) -> Array:
    """Mask^off (Sec. 3.1.2): 1 on the pixels stroke j paints; strokes may share some. (M, H_in, W_in)"""
    mask = np.zeros((len(pixels), H_in, W_in))
    for j, painted in enumerate(pixels):
        for h, w in painted:
            mask[j, h, w] = 1.0
    return mask


# ---- DenseNet pieces (Secs. 3.2, 3.3, 5.1)


class BatchNorm(NamedTuple):
    """One batch norm at inference: scale, shift and running statistics, each (channels,)."""

    gamma: Array
    beta: Array
    mean: Array
    var: Array


Convolution = tuple[BatchNorm, Array]  # BN - ReLU - convolution with this kernel


def convolve(x: Array, kernel: Array, stride: int = 1) -> Array:
    """Cross-correlation, odd (out, in, kh, kw) kernel, zero 'same' padding. (in, H, W) -> (out, H', W')"""
    _, H, W = x.shape
    out, _, kh, kw = kernel.shape
    padded = np.pad(x, [(0, 0), (kh // 2, kh // 2), (kw // 2, kw // 2)])
    y = np.zeros((out, math.ceil(H / stride), math.ceil(W / stride)))
    for o, i, j in np.ndindex(*y.shape):
        top, left = i * stride, j * stride
        y[o, i, j] = np.sum(kernel[o] * padded[:, top : top + kh, left : left + kw])
    return y


def relu(x: Array) -> Array:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def batch_norm(x: Array, norm: BatchNorm, eps: float = 1e-5) -> Array:
    """Each channel centred and scaled by its running statistics. (channels, H, W)"""
    y = np.zeros_like(x)
    for c in range(len(x)):
        y[c] = norm.gamma[c] * (x[c] - norm.mean[c]) / np.sqrt(norm.var[c] + eps) + norm.beta[c]
    return y


def average_pool(x: Array, size: Grid) -> Array:
    """Mean of each kh x kw tile; only whole tiles ("N is a multiple of L"). (channels, H/kh, W/kw)"""
    return _pool(x, size, np.mean)


def max_pool(x: Array, size: Grid) -> Array:
    """Largest of each kh x kw tile (after the stem of DenseNet-99). (channels, H/kh, W/kw)"""
    return _pool(x, size, np.max)


def _pool(x: Array, size: Grid, reduce: Callable[[Array], np.float64]) -> Array:
    (channels, H, W), (kh, kw) = x.shape, size
    if H % kh or W % kw:
        raise ValueError(f"a {H} x {W} map is not made of {kh} x {kw} tiles")
    y = np.zeros((channels, H // kh, W // kw))
    for c, i, j in np.ndindex(*y.shape):
        y[c, i, j] = reduce(x[c, i * kh : (i + 1) * kh, j * kw : (j + 1) * kw])
    return y


def bn_relu_conv(x: Array, norm: BatchNorm, kernel: Array) -> Array:
    """BN - ReLU - convolution, the unit of every dense block and transition."""
    return convolve(relu(batch_norm(x, norm)), kernel)


def dense_block(x: Array, layers: Sequence[Sequence[Convolution]]) -> Array:
    """Each layer reads all maps so far and appends its own after them.

    A layer of DenseNet-20 is one convolution (1 x 3), a bottleneck of DenseNet-99 two (1 x 1, then 3 x 3).
    """
    for layer in layers:
        new = x
        for norm, kernel in layer:
            new = bn_relu_conv(new, norm, kernel)
        x = np.concatenate([x, new])
    return x


def transition(x: Array, norm: BatchNorm, kernel: Array, pool: Grid | None = None) -> Array:
    """BN - ReLU - 1 x 1 convolution, then average pooling where the architecture has it."""
    x = bn_relu_conv(x, norm, kernel)
    return x if pool is None else average_pool(x, pool)


def to_sequence(x: Array) -> Array:
    """A feature map as the vector sequence A' or B, row by row. (channels, H, W) -> (H*W, channels)"""
    _, H, W = x.shape
    return np.array([x[:, h, w] for h in range(H) for w in range(W)])


def fully_connected(A: Array, W: Array, b: Array | float = 0.0) -> Array:
    """The layer that brings each channel of the multi-modal encoder to D dimensions (Sec. 5.1). (T, D)"""
    return np.array([W @ a + b for a in A])


# ---- GRUs: Eq. (3)


def sigmoid(x: Array) -> Array:
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def gru_cell(x: Array, h: Array, *, W_ih: Array, W_hh: Array, b_ih: Array, b_hh: Array) -> Array:
    """Eq. (3): one GRU step in the convention of torch.nn.GRU, gates stacked [r; z; n]. (n,)

    The paper refers to TAP for the cell; the released TAP code computes this one (reset gate after the
    recurrent product, update gate keeping the old state) with a single bias per gate.
    """
    n = len(h)
    from_x, from_h = W_ih @ x + b_ih, W_hh @ h + b_hh
    r = sigmoid(from_x[:n] + from_h[:n])
    z = sigmoid(from_x[n : 2 * n] + from_h[n : 2 * n])
    candidate = np.tanh(from_x[2 * n :] + r * from_h[2 * n :])
    return (1.0 - z) * candidate + z * h


def gru(A: Array, weights: Weights) -> Array:
    """Eq. (3) along a sequence, from a zero state. (L, in) -> (L, n)"""
    h = np.zeros(weights["W_hh"].shape[1])
    states = []
    for a in A:
        h = gru_cell(a, h, **weights)
        states.append(h)
    return np.array(states)


def bidirectional_gru(A: Array, layers: Sequence[tuple[Weights, Weights]]) -> Array:
    """Stacked (forward, backward) GRUs; step t of a layer is [forward_t; backward_t]. (L, in) -> (L, 2n)"""
    for forward, backward in layers:
        A = np.concatenate([gru(A, forward), gru(A[::-1], backward)[::-1]], axis=1)
    return A


# ---- stroke-level features: Eqs. (4)(5)


def stroke_pool(features: Array, pmask: Array) -> Array:
    """Eqs. (4)(5): s_j = pmask_j / ||pmask_j||_1 times the features. (T, D), (M, T) -> (M, D)"""
    S = np.zeros((len(pmask), features.shape[1]))
    for j, weights in enumerate(pmask):
        norm = np.sum(np.abs(weights))
        if norm == 0:
            raise ValueError(f"stroke {j} has no point or pixel")
        for t, weight in enumerate(weights):
            S[j] += weight / norm * features[t]
    return S


def online_stroke_features(A: Array, mask_on: Array, poolings: int = 2) -> Array:
    """Eq. (4): S^on from points A (L, D) and masks (M, N), average-pooled 1 x 2 as often as the CNN pools."""
    pmask = mask_on[:, None, :]
    for _ in range(poolings):
        pmask = average_pool(pmask, (1, 2))
    return stroke_pool(A, pmask[:, 0, :])


def offline_stroke_features(B: Array, mask_off: Array, poolings: int = 4) -> Array:
    """Eq. (5): S^off from pixels B (H*W, D) and masks (M, H_in, W_in), average-pooled 2 x 2 likewise."""
    pmask = mask_off
    for _ in range(poolings):
        pmask = average_pool(pmask, (2, 2))
    return stroke_pool(B, pmask.reshape(len(pmask), -1))
