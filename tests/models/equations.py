"""The SCAN paper's Eqs. (6)-(25), one expression at a time, in slow float64 NumPy: the oracle of the models.

Letters and shapes are the paper's: N points, M strokes, L encoded points, H x W encoded pixels, T the length
of any memory (L, M or H*W), D features, C output symbols, K vocabulary, m embedding, n decoder units,
n' attention units, q coverage channels. Feature maps are (channels, height, width). Nothing is padded or
folded. Weights come by name. The paper prints no bias in read-out and attention, so they have none here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from tests.models.encoder_equations import Array, Grid, Weights, convolve, gru_cell, to_sequence

One = TypeVar("One")
Both = tuple[One, One]  # of the online and of the offline modality
Attended = tuple[
    tuple[Array, ...], Array
]  # the alphas of one step, each with a running sum of its own; the context
Attend = Callable[[Array, Sequence[Array]], Attended]  # (h_hat_t, past sum of each alpha) -> Attended


# ---- decoder: Eqs. (6)-(10), and (22)-(24), which are (7)-(9) over S^mm


def one_hot(w: Sequence[int], K: int) -> Array:
    """Eq. (6): the LaTeX sequence Y. (C, K)"""
    Y = np.zeros((len(w), K))
    for t, symbol in enumerate(w):
        Y[t, symbol] = 1.0
    return Y


def initial_state(*memories: Array, W_init: Array, b_init: Array | float = 0.0) -> Array:
    """h_0, open in the paper: tanh(W mean of the features), the means of two memories stacked. (n,)"""
    h_0: Array = np.tanh(W_init @ np.concatenate([S.mean(axis=0) for S in memories]) + b_init)
    return h_0


def decoder_h_hat(y_prev: Array, h_prev: Array, *, E: Array, GRU_1: Weights) -> Array:
    """Eqs. (7)(22): h_hat_t = GRU_1(y_{t-1}, h_{t-1}), the symbol embedded by the E of Eq. (10). (n,)"""
    return gru_cell(E @ y_prev, h_prev, **GRU_1)


def decoder_h(c: Array, h_hat: Array, *, GRU_2: Weights) -> Array:
    """Eqs. (9)(24): h_t = GRU_2(c_t, h_hat_t). (n,)"""
    return gru_cell(c, h_hat, **GRU_2)


def softmax(x: Array) -> Array:
    """g: exp(x_k) over their sum."""
    e: Array = np.exp(x - x.max())
    return np.array(e / e.sum())


def maxout(x: Array) -> Array:
    """phi: the larger of each pair of adjacent units. (m,) -> (m/2,)"""
    return np.array([max(x[i], x[i + 1]) for i in range(0, len(x), 2)])


def symbol_probability(
    y_prev: Array, h: Array, c: Array, *, E: Array, W_o: Array, W_h: Array, W_c: Array
) -> Array:
    """Eq. (10): p(y_t) = g(W_o phi(E y_{t-1} + W_h h_t + W_c c_t)). (K,)"""
    return softmax(W_o @ maxout(E @ y_prev + W_h @ h + W_c @ c))


def decode(
    w: Sequence[int],
    h_0: Array,
    attend: Attend,
    lengths: Sequence[int],
    *,
    E: Array,
    GRU_1: Weights,
    GRU_2: Weights,
    W_o: Array,
    W_h: Array,
    W_c: Array,
) -> tuple[Array, tuple[Array, ...]]:
    """Eqs. (7)-(10) fed with the truth w: p(y_t) of every step (C, K), and each alpha over the steps (C, T).

    `attend` is Eq. (8) or what replaces it, `lengths` the T of each of its alphas.
    y_0, open in the paper, is all zero.
    """
    y = [np.zeros(E.shape[1]), *one_hot(w, E.shape[1])]
    h, past = h_0, [np.zeros(T) for T in lengths]
    probabilities, steps = [], []
    for t in range(1, len(w) + 1):
        h_hat = decoder_h_hat(y[t - 1], h, E=E, GRU_1=GRU_1)
        alphas, c = attend(h_hat, past)
        h = decoder_h(c, h_hat, GRU_2=GRU_2)
        probabilities.append(symbol_probability(y[t - 1], h, c, E=E, W_o=W_o, W_h=W_h, W_c=W_c))
        past = [total + alpha for total, alpha in zip(past, alphas, strict=True)]
        steps.append(alphas)
    return np.array(probabilities), tuple(np.array(alpha) for alpha in zip(*steps, strict=True))


# ---- attention: Eqs. (8), (11)-(13)


def coverage(alpha_past: Array, grid: Grid, Q: Array) -> Array:
    """Eq. (11): F = Q * sum of past alphas, laid out on the grid; Q is (q, 1, kh, kw). (T,) -> (T, q)"""
    return to_sequence(convolve(alpha_past.reshape(1, *grid), Q))


def energies(
    h_hat: Array, S: Array, F: Array, *, W_att: Array, U_att: Array, U_f: Array, v_att: Array
) -> Array:
    """Eq. (12): e_tj = v^T tanh(W_att h_hat + U_att s_j + U_f f_j). (T,)"""
    return np.array(
        [v_att @ np.tanh(W_att @ h_hat + U_att @ s_j + U_f @ f_j) for s_j, f_j in zip(S, F, strict=True)]
    )


def context(alpha: Array, S: Array) -> Array:
    """Eq. (13) right, and Eq. (18): c_t = sum_j alpha_tj s_j. (D,)"""
    c = np.zeros(S.shape[1])
    for alpha_j, s_j in zip(alpha, S, strict=True):
        c += alpha_j * s_j
    return c


def coverage_attention(
    h_hat: Array,
    S: Array,
    alpha_past: Array,
    grid: Grid,
    *,
    W_att: Array,
    U_att: Array,
    U_f: Array,
    v_att: Array,
    Q: Array,
) -> tuple[Array, Array]:
    """Eqs. (8)(23), by (11)-(13): alpha_t = g(e_t) over a 1 x T or H x W memory S; its context. (T,), (D,)"""
    F = coverage(alpha_past, grid, Q)
    alpha = softmax(energies(h_hat, S, F, W_att=W_att, U_att=U_att, U_f=U_f, v_att=v_att))
    return alpha, context(alpha, S)


def single_modal_attention(
    h_hat: Array, past: Sequence[Array], S: Array, grid: Grid, weights: Weights
) -> Attended:
    """Eq. (8) in the shape `decode` takes."""
    alpha, c = coverage_attention(h_hat, S, past[0], grid, **weights)
    return (alpha,), c


# ---- decoder fusion: Eqs. (15)-(19)


def pre_attention(
    h_hat: Array, past: Sequence[Array], S: Both[Array], grids: Both[Grid], *, on: Weights, off: Weights
) -> Both[Both[Array]]:
    """Eq. (15): two attentions, nothing shared: ((alpha_hat_on, alpha_hat_off), (c_hat_on, c_hat_off))."""
    alpha_hat_on, c_hat_on = coverage_attention(h_hat, S[0], past[0], grids[0], **on)
    alpha_hat_off, c_hat_off = coverage_attention(h_hat, S[1], past[1], grids[1], **off)
    return (alpha_hat_on, alpha_hat_off), (c_hat_on, c_hat_off)


def fine_attention(
    h_hat: Array,
    S: Array,
    alpha_past: Array,
    grid: Grid,
    c_hat_other: Array,
    *,
    W_att: Array,
    v_att: Array,
    U_att: Array,
    U_f: Array,
    U_p: Array,
    Q: Array,
) -> Array:
    """Eqs. (16)(17): attention over one modality, helped by the other's pre-attention context. (T,)

    U_p belongs to the other modality: Eq. (16) for `on` takes U_p^off and c_hat^off. The coverage f_j comes
    from the past fine alphas of this modality.
    """
    F = coverage(alpha_past, grid, Q)
    e = [
        v_att @ np.tanh(W_att @ h_hat + U_att @ s_j + U_f @ f_j + U_p @ c_hat_other)
        for s_j, f_j in zip(S, F, strict=True)
    ]
    return softmax(np.array(e))


def fuse_contexts(c_on: Array, c_off: Array, W_FC: Array) -> Array:
    """Eq. (19): c_mm = tanh(W_FC [c_on; c_off]). (D,)"""
    c_mm: Array = np.tanh(W_FC @ np.concatenate([c_on, c_off]))
    return c_mm


def multi_modal_attention(
    h_hat: Array,
    past: Sequence[Array],
    S: Both[Array],
    grids: Both[Grid],
    *,
    on: Weights,
    off: Weights,
    W_FC: Array,
) -> Attended:
    """Decoder fusion without re-attention (MAN, the "+" systems): Eq. (15), then (19) on its contexts."""
    alphas, (c_on, c_off) = pre_attention(h_hat, past, S, grids, on=on, off=off)
    return alphas, fuse_contexts(c_on, c_off, W_FC)


def re_attention(
    h_hat: Array,
    past: Sequence[Array],
    S: Both[Array],
    grids: Both[Grid],
    *,
    pre_on: Weights,
    pre_off: Weights,
    W_att: Array,
    v_att: Array,
    U_att_on: Array,
    U_att_off: Array,
    U_f_on: Array,
    U_f_off: Array,
    U_p_on: Array,
    U_p_off: Array,
    Q_on: Array,
    Q_off: Array,
    W_FC: Array,
) -> Attended:
    """Eqs. (15)-(19): alphas, like their past sums, ordered fine on, fine off, pre on, pre off; c_mm."""
    S_on, S_off = S
    alpha_hats, (c_hat_on, c_hat_off) = pre_attention(h_hat, past[2:], S, grids, on=pre_on, off=pre_off)
    alpha_on = fine_attention(
        h_hat, S_on, past[0], grids[0], c_hat_off,
        W_att=W_att, v_att=v_att, U_att=U_att_on, U_f=U_f_on, U_p=U_p_off, Q=Q_on,
    )  # fmt: skip
    alpha_off = fine_attention(
        h_hat, S_off, past[1], grids[1], c_hat_on,
        W_att=W_att, v_att=v_att, U_att=U_att_off, U_f=U_f_off, U_p=U_p_on, Q=Q_off,
    )  # fmt: skip
    c_mm = fuse_contexts(context(alpha_on, S_on), context(alpha_off, S_off), W_FC)
    return (alpha_on, alpha_off, *alpha_hats), c_mm


# ---- encoder fusion: Eq. (21); the decoder over S^mm, Eqs. (22)-(24), is Eqs. (7)-(9)


def encoder_fusion(S_on: Array, S_off: Array) -> Array:
    """Eq. (21): s_mm_j = [s_on_j; s_off_j]. (M, 2D)"""
    return np.array([np.concatenate([on, off]) for on, off in zip(S_on, S_off, strict=True)])


# ---- guiders and objective: Eqs. (14)(20)(25)


def oracle_attention(strokes: Iterable[int], M: int) -> Array:
    """gamma_t (Sec. 3.5): 1/M' on the M' strokes of symbol w_t; all zero for symbols without strokes. (M,)"""
    belonging = set(strokes)
    return np.array([1.0 / len(belonging) if j in belonging else 0.0 for j in range(M)])


def guider(gamma: Array, alpha: Array) -> float:
    """Eq. (14): G_t = -sum_j gamma_tj log alpha_tj; no guider where gamma_t is zero."""
    return -sum(float(g) * math.log(a) for g, a in zip(gamma, alpha, strict=True) if g > 0)


def multi_modal_guider(gamma: Array, alpha_on: Array, alpha_off: Array) -> float:
    """Eq. (20): G_t over both modalities, on the fine attention."""
    return guider(gamma, alpha_on) + guider(gamma, alpha_off)


def objective(p: Array, w: Sequence[int], G: Sequence[float], lambda_: float = 0.2) -> float:
    """Eq. (25): O = -sum_t log p(w_t) + lambda sum_t G_t over one expression, <eos> among its steps."""
    cross_entropy = -sum(math.log(p_t[w_t]) for p_t, w_t in zip(p, w, strict=True))
    return cross_entropy + lambda_ * sum(G)
