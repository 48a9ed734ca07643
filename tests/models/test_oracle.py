"""The torch modules against the NumPy oracle of the paper's equations, with the same weights, in float64."""

from __future__ import annotations

import itertools
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from tests.models import encoder_equations as enc
from tests.models import equations as eq
from tests.models.generated_ink import ALL_SYSTEMS, K, tensors, tiny, whole_ink
from tests.models.oracle import (
    array,
    attention_weights,
    bidirectional,
    decoder_weights,
    densenet,
    oracle_decode,
    oracle_memories,
    re_attention_weights,
)
from torch import Tensor

from inkscan.models.attention import CoverageAttention, MultiModalAttention, ReAttention
from inkscan.models.decoder import DecoderState
from inkscan.models.memory import Memory, mean_features, stroke_pool
from inkscan.models.scan import Decoded, TensorBatch
from inkscan.models.systems import System, View
from inkscan.training.batches import TrainingBatch
from inkscan.training.loss import objective, oracle_maps

assert_equal = partial(assert_allclose, rtol=1e-8, atol=1e-10)  # to rounding
GRID = (3, 5)


# ---- an expression that fills whole cells of both encoders


def slow_pixels(stroke: enc.Array) -> list[enc.Grid]:
    """The pixels that a 3 x 3 pen inks on the way through whole coordinates, 12 in from the corner."""
    painted = set()
    path = [*itertools.pairwise(stroke), (stroke[-1], stroke[-1])]
    for (x0, y0), (x1, y1) in path:
        steps = int(max(abs(x1 - x0), abs(y1 - y0), 1))
        for k in range(steps):
            x, y = int(x0 + (x1 - x0) * k / steps) + 12, int(y0 + (y1 - y0) * k / steps) + 12
            painted |= {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
    return sorted(painted)


class Expression(NamedTuple):
    """The same expression for both sides: unpooled arrays for the oracle, a batch of one for torch."""

    X_on: enc.Array
    X_off: enc.Array
    masks: dict[bool, enc.Array]
    batch: TensorBatch


def expression(system: System) -> Expression:
    ink = whole_ink()
    trace = enc.traces([stroke.xy for stroke in ink.strokes])
    mask_off = enc.offline_stroke_masks([slow_pixels(stroke.xy) for stroke in ink.strokes], 64, 64)
    batch = tensors([ink], system)
    # Both sides get the same float32 points: the recipe behind them has tests of its own.
    X_on = array(batch.points[0]) if batch.points is not None else np.zeros((0, 8))
    return Expression(
        X_on, mask_off.max(axis=0), {True: enc.online_stroke_masks(trace), False: mask_off}, batch
    )


def test_the_expression_is_whole_and_the_same_on_both_sides() -> None:
    e = expression(next(s for s in ALL_SYSTEMS if s.name == "man"))
    batch = e.batch
    assert batch.points is not None and batch.point_mask is not None
    assert batch.image is not None and batch.image_mask is not None
    assert bool(batch.point_mask.all())
    assert bool(batch.image_mask.all())
    assert_allclose(array(batch.image[0]), e.X_off)
    strokes = [stroke.xy for stroke in whole_ink().strokes]
    shift, scale = strokes[0][0] - 0.0, (strokes[0][1] - strokes[0][0])[0] / e.X_on[0, 2]
    mean = shift - e.X_on[0, :2] * scale
    X_on = enc.online_features(enc.traces([(stroke - mean) / scale for stroke in strokes]))  # Eqs. (1) (2)
    assert_allclose(e.X_on, X_on, atol=1e-5)


# ---- equation by equation


def test_densenet_of_both_encoders() -> None:
    rng = np.random.default_rng(0)
    model = tiny("man")
    assert model.online is not None and model.offline is not None
    X_on, X_off = rng.normal(size=(1, 8, 1, 16)), rng.random((1, 1, 32, 48))
    for net, x, shape in [(model.online.densenet, X_on, (1, 4)), (model.offline.densenet, X_off, (2, 3))]:
        maps, mask = net(torch.from_numpy(x), torch.ones(1, *x.shape[2:], dtype=torch.bool))
        assert maps.shape[2:] == shape
        assert bool(mask.all())
        assert_equal(array(maps[0]), densenet(x[0], net))


def test_bidirectional_gru() -> None:
    model = tiny("tap")
    assert model.online is not None
    A = torch.randn(1, 7, model.online.densenet.channels, dtype=torch.float64)
    expected = enc.bidirectional_gru(array(A[0]), [bidirectional(gru) for gru in model.online.grus])
    mask = torch.ones(1, 7, dtype=torch.bool)
    for gru in model.online.grus:
        A = gru(A, mask)
    assert_equal(array(A[0]), expected)  # Eq. (3)


def test_stroke_pooling() -> None:
    rng = np.random.default_rng(1)
    features, pmask = rng.normal(size=(6, 3)), rng.random((4, 6)) * (rng.random((4, 6)) < 0.7)
    every = torch.ones(1, 4, dtype=torch.bool)
    s = stroke_pool(torch.from_numpy(pmask[None]), torch.from_numpy(features[None]), every)
    assert_equal(array(s.features[0, 0]), enc.stroke_pool(features, pmask))  # Eqs. (4) (5)


def memory(rng: np.random.Generator, D: int) -> tuple[Memory, enc.Array]:
    S = rng.normal(size=(1, *GRID, D))
    return Memory(torch.from_numpy(S), torch.ones(1, *GRID, dtype=torch.bool)), S.reshape(-1, D)


def past(rng: np.random.Generator) -> tuple[Tensor, enc.Array]:
    alpha = rng.random((1, *GRID))
    return torch.from_numpy(alpha), alpha.reshape(-1)


@pytest.mark.parametrize("kernel", [(1, 7), (3, 3), (11, 11)])
def test_coverage_attention(kernel: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    attention = CoverageAttention(4, 5, 6, 3, kernel).double()
    (S, S_), (alpha_past, past_), h_hat = memory(rng, 4), past(rng), rng.normal(size=(1, 5))
    terms = attention.terms
    U_f_F = (
        eq.coverage(past_, GRID, array(terms.Q.weight)) @ array(terms.U_f.weight).T
    )  # Eq. (11), inside (12)
    folded = terms.coverage_term(alpha_past, attention.prepare([S])[0].kernel)
    assert_equal(array(folded[0].T), U_f_F)
    step = attention(torch.from_numpy(h_hat), attention.prepare([S]), (alpha_past,))
    alpha, c = eq.coverage_attention(
        h_hat[0], S_, past_, GRID, **attention_weights(attention)
    )  # Eqs. (8) (13)
    assert_equal(array(step.alphas[0][0]).reshape(-1), alpha)
    assert_equal(array(step.context[0]), c)
    assert_equal(array(step.coverage[0][0]).reshape(-1), past_ + alpha)


@pytest.mark.parametrize("kind", [MultiModalAttention, ReAttention])
def test_attention_over_two_memories(kind: type[MultiModalAttention] | type[ReAttention]) -> None:
    rng = np.random.default_rng(3)
    attention = kind((4, 3), 7, 5, 6, 2, [(1, 7), (3, 3)]).double()
    (S_on, on), (S_off, off), h_hat = memory(rng, 4), memory(rng, 3), rng.normal(size=(1, 5))
    spent = [past(rng) for _ in attention.initial_coverage([S_on, S_off])]
    prepared = attention.prepare([S_on, S_off])
    step = attention(torch.from_numpy(h_hat), prepared, tuple(alpha_past for alpha_past, _ in spent))
    pasts = [flat for _, flat in spent]
    if isinstance(attention, ReAttention):  # Eqs. (15) to (19); torch has the pre-attention first
        weights = re_attention_weights(attention)
        alphas, c_mm = eq.re_attention(h_hat[0], pasts[2:] + pasts[:2], (on, off), (GRID, GRID), **weights)
        after = [*alphas[2:], *alphas[:2]]
    else:
        parts = {
            name: attention_weights(a) for name, a in zip(("on", "off"), attention.attentions, strict=True)
        }
        W_FC = array(attention.W_FC.weight)
        alphas, c_mm = eq.multi_modal_attention(h_hat[0], pasts, (on, off), (GRID, GRID), **parts, W_FC=W_FC)
        after = list(alphas)
    assert_equal(array(step.context[0]), c_mm)
    for ours, expected in zip(step.alphas, alphas[:2], strict=True):
        assert_equal(array(ours[0]).reshape(-1), expected)
    for ours, before, alpha in zip(step.coverage, pasts, after, strict=True):
        assert_equal(array(ours[0]).reshape(-1), before + alpha)


def test_decoder_step_and_read_out() -> None:
    rng = np.random.default_rng(4)
    model = tiny("onscan")
    assert model.online is not None
    decoder, D = model.decoder, model.online.D
    S, S_ = memory(rng, D)
    state = decoder.start([S])
    assert_equal(array(mean_features(S)[0]), S_.mean(axis=0))
    assert_equal(array(state.h[0]), eq.initial_state(S_, W_init=array(decoder.W_start.weight)))
    assert not bool(decoder.embed(torch.tensor([K])).any())
    weights = decoder_weights(decoder)
    y = eq.one_hot([3], K)[0]  # Eq. (6)
    embedded = decoder.embed(torch.tensor([3]))
    step = decoder.step(embedded, DecoderState(state.h, state.coverage), decoder.attention.prepare([S]))
    h_hat = eq.decoder_h_hat(y, array(state.h[0]), E=weights["E"], GRU_1=weights["GRU_1"])  # Eq. (7)
    _, c = eq.coverage_attention(
        h_hat, S_, np.zeros(15), GRID, **attention_weights(decoder.attention)
    )  # Eq. (8)
    h = eq.decoder_h(c, h_hat, GRU_2=weights["GRU_2"])  # Eq. (9)
    assert_equal(array(step.h[0]), h)
    p = eq.symbol_probability(
        y, h, c, **{name: weights[name] for name in ("E", "W_o", "W_h", "W_c")}
    )  # Eq. (10)
    logits = decoder.read_out(embedded, step.h, step.context)
    assert_equal(array(logits.softmax(dim=1)[0]), p)


# ---- the ten systems from points and pixels to the objective


TOKENS = [2, 5, 0, 7, 2, K - 1]
STROKES: list[list[int]] = [
    [0],
    [1, 2],
    [],
    [3],
    [0, 3],
    [],
]  # of each token


def oracle_gamma(view: View, e: Expression) -> enc.Array:
    """gamma over strokes, or each stroke's share spread over the points or pixels under it. (C, T)"""
    M = len(whole_ink())
    gamma = np.array([eq.oracle_attention(strokes, M) for strokes in STROKES])
    if view.strokes:
        return gamma
    pmask, pool, times = e.masks[view.online], (1, 2) if view.online else (2, 2), 2 if view.online else 4
    pmask = pmask[:, None] if view.online else pmask
    for _ in range(times):
        pmask = enc.average_pool(pmask, pool)
    pmask = pmask.reshape(M, -1)
    spread: enc.Array = gamma @ (pmask / pmask.sum(axis=1, keepdims=True))
    return spread


@pytest.mark.parametrize("system", ALL_SYSTEMS, ids=lambda system: system.name)
def test_a_whole_system(system: System) -> None:
    model, e = tiny(system.name, seed=5), expression(system)
    memories = oracle_memories(model, e.X_on, e.X_off, e.masks)
    for ours, expected in zip(model.encode(e.batch), memories, strict=True):
        assert ours.features.shape[1:3] == expected.grid
        assert_equal(array(ours.features[0]).reshape(expected.features.shape), expected.features)

    p, alphas = oracle_decode(model, memories, TOKENS)
    decoded = model(e.batch, torch.tensor([TOKENS]))
    assert_equal(array(decoded.logits.softmax(dim=2)[0]), p)
    for alpha, wanted in zip(decoded.alphas, alphas, strict=True):
        assert_equal(array(alpha[0]), wanted)

    views = system.views[: len(memories)]  # after encoder fusion one attention is left
    G = [
        sum(eq.guider(oracle_gamma(view, e)[t], alpha[t]) for view, alpha in zip(views, alphas, strict=True))
        for t in range(len(TOKENS))
    ]  # Eqs. (14) (20)
    loss = objective(decoded, training(e.batch), system, guider=0.2, smoothing=0.0)
    assert_allclose(loss.total.item() * len(TOKENS), eq.objective(p, TOKENS, G), rtol=1e-8)  # Eq. (25)
    assert_allclose(loss.guider.item() * len(TOKENS), sum(G), rtol=1e-8)


def training(batch: TensorBatch) -> TrainingBatch:
    gamma = torch.tensor(np.array([eq.oracle_attention(strokes, len(whole_ink())) for strokes in STROKES]))
    tokens = torch.tensor([TOKENS])
    return TrainingBatch(batch, tokens, torch.ones_like(tokens, dtype=torch.bool), gamma[None])


def test_guider_of_two_stroke_views_is_the_multi_modal_guider() -> None:
    system = next(s for s in ALL_SYSTEMS if s.name == "mmscan-d")
    rng = np.random.default_rng(6)
    alphas = [rng.dirichlet(np.ones(4), size=6) for _ in range(2)]
    batch = training(expression(system).batch)
    decoded = Decoded(torch.randn(1, 6, K).double(), tuple(torch.from_numpy(alpha[None]) for alpha in alphas))
    gammas = [array(gamma)[0] for gamma in oracle_maps(batch, system)]
    assert_allclose(gammas[0], gammas[1])
    G = sum(eq.multi_modal_guider(gammas[0][t], alphas[0][t], alphas[1][t]) for t in range(6))  # Eq. (20)
    loss = objective(decoded, batch, system, guider=1.0, smoothing=0.0)
    assert_allclose(loss.guider.item() * 6, G, rtol=1e-8)


def test_the_objective_ignores_padded_tokens() -> None:
    system = next(s for s in ALL_SYSTEMS if s.name == "onscan")
    batch = training(expression(system).batch)
    decoded = Decoded(torch.randn(1, 6, K).double(), (torch.rand(1, 6, 4).double(),))
    whole = objective(decoded, batch, system, guider=0.2, smoothing=0.1)
    longer = Decoded(_lengthened(decoded.logits), tuple(_lengthened(alpha) for alpha in decoded.alphas))
    padded = TrainingBatch(
        batch.features, *(_lengthened(part, 0) for part in (batch.tokens, batch.token_mask, batch.gamma))
    )
    assert_allclose(
        objective(longer, padded, system, guider=0.2, smoothing=0.1).total.item(), whole.total.item()
    )


def _lengthened(part: Tensor, value: float = 0.7) -> Tensor:
    """Two more steps, filled with a value that must not matter."""
    return torch.cat([part, torch.full_like(part[:, :2], value)], dim=1)
