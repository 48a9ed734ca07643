"""The oracle against numbers worked out by hand, against torch's own layers, and against the paper map."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.models import equations as eq

S_PLUS_2 = [[0], [1, 2], [3]]  # the paper's "s + 2": four strokes, the middle two make the plus


def weights(rng: np.random.Generator, **shapes: tuple[int, ...]) -> dict[str, eq.Array]:
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def attention_weights(
    rng: np.random.Generator, n: int, D: int, kernel: eq.Grid, n_att: int = 5, q: int = 2
) -> dict[str, eq.Array]:
    return weights(rng, W_att=(n_att, n), U_att=(n_att, D), U_f=(n_att, q), v_att=(n_att,), Q=(q, 1, *kernel))


def gru_weights(rng: np.random.Generator, inputs: int, n: int) -> dict[str, eq.Array]:
    return weights(rng, W_ih=(3 * n, inputs), W_hh=(3 * n, n), b_ih=(3 * n,), b_hh=(3 * n,))


# ---- data


def test_features_cross_stroke_borders_and_clamp_at_the_end() -> None:
    ink = eq.traces([np.array([[0.0, 0.0], [1.0, 2.0]]), np.array([[4.0, 8.0]])])
    assert_allclose(
        eq.online_features(ink),
        [
            [0, 0, 1, 2, 4, 8, 1, 0],
            [1, 2, 3, 6, 3, 6, 0, 1],
            [4, 8, 0, 0, 0, 0, 0, 1],
        ],
    )


def test_masks_name_the_stroke_of_each_point_and_pixel() -> None:
    ink = eq.traces([np.zeros((2, 2)), np.zeros((1, 2))])
    assert_allclose(eq.online_stroke_masks(ink), [[1, 1, 0], [0, 0, 1]])
    crossing = eq.offline_stroke_masks([[(0, 0), (0, 1)], [(0, 1), (1, 1)]], 2, 2)
    assert_allclose(crossing, [[[1, 1], [0, 0]], [[0, 1], [0, 1]]])


# ---- encoder


def test_convolution_is_a_cross_correlation_with_zero_padding() -> None:
    kernel = np.array([[[[1.0, 10.0, 100.0]]]])
    assert_allclose(eq.convolve(np.array([[[1.0, 2.0, 3.0]]]), kernel), [[[210, 321, 32]]])
    assert_allclose(eq.convolve(np.array([[[1.0, 2.0, 3.0]]]), kernel, stride=2), [[[210, 32]]])


def test_a_dense_block_appends_and_a_transition_pools() -> None:
    norm = eq.BatchNorm(*(np.array([value]) for value in (2.0, 1.0, 3.0, 4.0 - 1e-5)))  # y = x - 3 + 1
    x = np.array([[[1.0, 2.0, 4.0, 6.0]]])
    double = np.array([[[[2.0]]]])
    assert_allclose(eq.dense_block(x, [[(norm, double)]]), [[[1, 2, 4, 6]], [[0, 0, 4, 8]]])
    assert_allclose(eq.transition(x, norm, double, (1, 2)), [[[0, 6]]])
    assert_allclose(eq.max_pool(x, (1, 2)), [[[2, 6]]])


def test_pooling_refuses_a_broken_tile() -> None:
    with pytest.raises(ValueError, match="1 x 2 tiles"):
        eq.average_pool(np.zeros((1, 1, 3)), (1, 2))


def test_gru_step_by_hand() -> None:
    # r = 1/2 (all zero), z = 1/4 by its bias, candidate = tanh(0.5 + r * 1 * h) with h = 1
    cell = {
        "W_ih": np.zeros((3, 1)),
        "W_hh": np.array([[0.0], [0.0], [1.0]]),
        "b_ih": np.array([0.0, -math.log(3), 0.5]),
        "b_hh": np.zeros(3),
    }
    h = eq.gru_cell(np.array([7.0]), np.array([1.0]), **cell)
    assert_allclose(h, [0.75 * math.tanh(1.0) + 0.25])


def test_torch_agrees_on_gru_and_convolution_and_batch_norm() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    theirs = torch.nn.GRU(3, 4, num_layers=2, bidirectional=True).double()
    names = {"W_ih": "weight_ih", "W_hh": "weight_hh", "b_ih": "bias_ih", "b_hh": "bias_hh"}

    def direction(layer: int, suffix: str) -> dict[str, eq.Array]:
        return {
            ours: getattr(theirs, f"{name}_l{layer}{suffix}").detach().numpy() for ours, name in names.items()
        }

    A = torch.randn(6, 3, dtype=torch.float64)
    layers = [(direction(layer, ""), direction(layer, "_reverse")) for layer in range(2)]
    assert_allclose(eq.bidirectional_gru(A.numpy(), layers), theirs(A)[0].detach().numpy())

    x, kernel = torch.randn(2, 5, 6).double(), torch.randn(3, 2, 3, 5).double()
    for stride in (1, 2):
        expected = torch.nn.functional.conv2d(x[None], kernel, padding=(1, 2), stride=stride)[0]
        assert_allclose(eq.convolve(x.numpy(), kernel.numpy(), stride), expected.numpy())
    mean, var, gamma, beta = torch.rand(4, 2).double()
    expected = torch.nn.functional.batch_norm(x[None], mean, var, gamma, beta)[0]
    norm = eq.BatchNorm(gamma.numpy(), beta.numpy(), mean.numpy(), var.numpy())
    assert_allclose(eq.batch_norm(x.numpy(), norm), expected.numpy())


def test_stroke_pooling_of_two_strokes() -> None:
    # three points and one point, pooled by 2: the second cell is shared half and half
    mask_on = np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    A = np.array([[3.0, 0.0], [0.0, 6.0]])
    assert_allclose(eq.online_stroke_features(A, mask_on, poolings=1), [[2, 2], [0, 6]])
    mask_off = np.array([[[1.0, 1, 0, 0], [0, 1, 1, 0]], [[0, 0, 0, 0], [0, 0, 0, 1]]])
    assert_allclose(eq.offline_stroke_features(A, mask_off, poolings=1), [[2.25, 1.5], [0.0, 6.0]])
    with pytest.raises(ValueError, match="stroke 0"):
        eq.stroke_pool(A, np.zeros((1, 2)))


# ---- attention and decoder


def test_softmax_sums_to_one_and_ignores_a_common_shift() -> None:
    assert_allclose(eq.softmax(np.log([1.0, 2.0, 5.0]) + 700), [0.125, 0.25, 0.625])


def test_maxout_takes_adjacent_pairs() -> None:
    assert_allclose(eq.maxout(np.array([1.0, 4.0, 3.0, 2.0])), [4, 3])


def test_one_hot_attention_returns_the_stroke_itself() -> None:
    assert_allclose(eq.context(np.array([0.0, 1.0, 0.0]), np.arange(6.0).reshape(3, 2)), [2, 3])


def test_coverage_turns_attention_away_from_what_was_read() -> None:
    # one unit everywhere, e_j = tanh(s_j - past_j): the read stroke drops from tanh 1 to tanh 0
    one = np.ones((1, 1))
    alpha, c = eq.coverage_attention(
        np.zeros(1),
        np.array([[1.0], [1.0]]),
        np.array([1.0, 0.0]),
        (1, 2),
        W_att=one,
        U_att=one,
        U_f=-one,
        v_att=np.ones(1),
        Q=np.array([[[[0.0, 1.0, 0.0]]]]),
    )
    assert_allclose(alpha, np.array([1.0, math.exp(math.tanh(1))]) / (1 + math.exp(math.tanh(1))))
    assert_allclose(c, [1.0])


def test_coverage_lies_on_the_grid_row_by_row() -> None:
    below = np.zeros((1, 1, 3, 3))
    below[0, 0, 2, 1] = 1.0
    F = eq.coverage(np.arange(6.0), (2, 3), below)
    assert_allclose(F, [[3], [4], [5], [0], [0], [0]])


def test_read_out_by_hand() -> None:
    p = eq.symbol_probability(
        np.array([0.0, 1.0]),
        np.array([2.0]),
        np.array([3.0]),
        E=np.array([[9.0, 2.0], [9.0, 0.0]]),
        W_h=np.array([[1.0], [0.0]]),
        W_c=np.array([[0.0], [1.0]]),
        W_o=np.array([[1.0], [0.0]]) * math.log(3) / 4,
    )  # units 2 + 2 and 0 + 3: maxout 4
    assert_allclose(p, [0.75, 0.25])


def test_decoding_keeps_a_running_sum_of_every_alpha() -> None:
    rng = np.random.default_rng(0)
    n, m, K, D = 3, 4, 5, 2
    S = rng.normal(size=(4, D))
    attention = attention_weights(rng, n, D, (1, 3))
    sums: list[eq.Array] = []

    def attend(h_hat: eq.Array, past: Sequence[eq.Array]) -> eq.Attended:
        sums.append(past[0])
        return eq.single_modal_attention(h_hat, past, S, (1, 4), attention)

    p, (alpha,) = eq.decode(
        [1, 3, 0],
        eq.initial_state(S, W_init=rng.normal(size=(n, D))),
        attend,
        [4],
        GRU_1=gru_weights(rng, m, n),
        GRU_2=gru_weights(rng, D, n),
        **weights(rng, E=(m, K), W_o=(K, m // 2), W_h=(m, n), W_c=(m, D)),
    )
    assert p.shape == (3, K)
    assert_allclose(p.sum(axis=1), 1)
    assert_allclose(alpha.sum(axis=1), 1)
    assert_allclose(sums, [np.zeros(4), alpha[0], alpha[0] + alpha[1]])


# ---- fusion


def test_re_attention_without_exchange_is_multi_modal_attention() -> None:
    """With U_p = 0 and fine weights equal to the pre-attention's, Eqs. (15)-(19) fall back to MAN."""
    rng = np.random.default_rng(1)
    n, D = 3, 2
    on, off = attention_weights(rng, n, D, (1, 3)), attention_weights(rng, n, D, (3, 3))
    off |= {"W_att": on["W_att"], "v_att": on["v_att"]}
    S_on, S_off, h_hat = rng.normal(size=(3, D)), rng.normal(size=(4, D)), rng.normal(size=n)
    S, grids = (S_on, S_off), ((1, 3), (2, 2))
    past_on, past_off, W_FC = rng.random(3), rng.random(4), rng.normal(size=(D, 2 * D))
    man = functools.partial(eq.multi_modal_attention, on=on, off=off, W_FC=W_FC)
    (alpha_on, alpha_off), c_mm = man(h_hat, [past_on, past_off], S, grids)
    (pre_on, pre_off), _ = man(h_hat, [past_on**2, past_off**2], S, grids)
    re_attention = functools.partial(
        eq.re_attention,
        h_hat,
        [past_on, past_off, past_on**2, past_off**2],  # pre-attention has a coverage of its own
        S,
        grids,
        pre_on=on,
        pre_off=off,
        W_att=on["W_att"],
        v_att=on["v_att"],
        W_FC=W_FC,
        **{f"{name}_on": on[name] for name in ("U_att", "U_f", "Q")},
        **{f"{name}_off": off[name] for name in ("U_att", "U_f", "Q")},
    )
    zero, some = np.zeros((5, D)), rng.normal(size=(5, D))
    alphas, c = re_attention(U_p_on=zero, U_p_off=zero)
    for ours, expected in zip(alphas, (alpha_on, alpha_off, pre_on, pre_off), strict=True):
        assert_allclose(ours, expected)
    assert_allclose(c, c_mm)
    (fine_on, fine_off, *_), _ = re_attention(U_p_on=some, U_p_off=zero)  # U_p^on enters Eq. (17) alone
    assert_allclose(fine_on, alpha_on)
    F = eq.coverage(past_off, (2, 2), off["Q"])
    inside = off["W_att"] @ h_hat + S_off @ off["U_att"].T + F @ off["U_f"].T + some @ (pre_on @ S_on)
    assert_allclose(fine_off, eq.softmax(np.tanh(inside) @ off["v_att"]))


def test_encoder_fusion_stacks_stroke_by_stroke() -> None:
    assert_allclose(eq.encoder_fusion(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]])), [[1, 3], [2, 4]])


# ---- guider and objective


def test_guider_of_s_plus_2() -> None:
    gamma = eq.oracle_attention(S_PLUS_2[1], 4)
    assert_allclose(gamma, [0, 0.5, 0.5, 0])
    alpha = np.array([0.0, 0.25, 0.5, 0.25])
    assert eq.guider(gamma, alpha) == pytest.approx(1.5 * math.log(2))
    assert eq.guider(gamma, gamma) == pytest.approx(math.log(2))  # cross entropy is least, not zero, at gamma
    assert eq.guider(eq.oracle_attention([], 4), alpha) == 0
    assert eq.multi_modal_guider(gamma, alpha, gamma) == pytest.approx(2.5 * math.log(2))


def test_objective_by_hand() -> None:
    p = np.array([[0.5, 0.5], [0.75, 0.25]])
    assert eq.objective(p, [0, 1], [math.log(2), 0.0]) == pytest.approx(3.2 * math.log(2))


# ---- search


def toy(y: tuple[int, ...]) -> eq.Array:
    """Symbols a = 0, b = 1 and <eos> = 2: a looks better at first, b is better in the end."""
    table = {(): [0.6, 0.4, 0.0], (0,): [0.4, 0.3, 0.3], (1,): [0.05, 0.05, 0.9]}
    return np.array(table.get(y, [0.25, 0.25, 0.5]))


def test_a_narrow_beam_is_greedy_and_a_wide_one_exact() -> None:
    best = eq.exact_search(toy, 3, 2, longest=4)
    assert best.y == (1, 2)
    assert best.score == pytest.approx(-math.log(0.36))
    assert eq.beam_search(toy, 2, longest=4, width=1)[0].y == (0, 0, 2)
    assert eq.beam_search(toy, 2, longest=4, width=2)[0] == best
    assert eq.beam_search(toy, 2, longest=4, width=3**4)[0] == best


def test_a_beam_that_holds_everything_is_exact_on_any_model() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        model = functools.cache(lambda y, rng=rng: rng.dirichlet(np.ones(3)))
        found = eq.beam_search(model, 2, longest=4, width=3**4)
        assert found[0] == eq.exact_search(model, 3, 2, longest=4)
        assert len(found) == 1 + 2 + 4 + 8  # every finished sequence of up to four symbols


def test_length_changes_the_ranking_only_when_asked() -> None:
    by_length = eq.beam_search(toy, 2, longest=3, width=81, by_length=True)
    rates = [hypothesis.score / len(hypothesis.y) for hypothesis in by_length]
    assert rates == sorted(rates)
    assert [h.y for h in by_length] != [h.y for h in eq.beam_search(toy, 2, longest=3, width=81)]


# ---- the paper map


def test_the_paper_map_names_every_equation_and_only_functions_that_exist() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "paper-map.md"
    rows = [
        line.split("|") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    numbers = [int(row[1].strip(" ()")) for row in rows if row[1].startswith(" (")]
    assert numbers == list(range(1, 28))
    for row in rows:
        for name in re.findall(r"`(\w+)`", row[3]):
            assert callable(getattr(eq, name)), name
        if row[1].startswith(" ("):
            cited = {n for name in re.findall(r"`(\w+)`", row[3]) for n in cited_equations(name)}
            assert int(row[1].strip(" ()")) in cited, f"no docstring in {row[3]} cites Eq.{row[1]}"


def cited_equations(name: str) -> set[int]:
    """The equation numbers in a function's docstring: (4), (15)-(19)."""
    ranges = re.findall(r"\((\d+)\)(?:-\((\d+)\))?", getattr(eq, name).__doc__)
    return {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}
