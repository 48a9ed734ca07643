"""The oracle against numbers worked out by hand, against torch's own layers, and against the paper map."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.models import encoder_equations as enc
from tests.models import equations as eq
from tests.models import search_equations as search

S_PLUS_2 = [[0], [1, 2], [3]]  # the paper's "s + 2": four strokes, the middle two make the plus


def weights(rng: np.random.Generator, **shapes: tuple[int, ...]) -> dict[str, enc.Array]:
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def attention_weights(
    rng: np.random.Generator, n: int, D: int, kernel: enc.Grid, n_att: int = 5, q: int = 2
) -> dict[str, enc.Array]:
    return weights(rng, W_att=(n_att, n), U_att=(n_att, D), U_f=(n_att, q), v_att=(n_att,), Q=(q, 1, *kernel))


def gru_weights(rng: np.random.Generator, inputs: int, n: int) -> dict[str, enc.Array]:
    return weights(rng, W_ih=(3 * n, inputs), W_hh=(3 * n, n), b_ih=(3 * n,), b_hh=(3 * n,))


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
    sums: list[enc.Array] = []

    def attend(h_hat: enc.Array, past: Sequence[enc.Array]) -> eq.Attended:
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


def toy(y: tuple[int, ...]) -> enc.Array:
    """Symbols a = 0, b = 1 and <eos> = 2: a looks better at first, b is better in the end."""
    table = {(): [0.6, 0.4, 0.0], (0,): [0.4, 0.3, 0.3], (1,): [0.05, 0.05, 0.9]}
    return np.array(table.get(y, [0.25, 0.25, 0.5]))


def test_a_narrow_beam_is_greedy_and_a_wide_one_exact() -> None:
    best = search.exact_search(toy, 3, 2, longest=4)
    assert best.y == (1, 2)
    assert best.score == pytest.approx(-math.log(0.36))
    assert search.beam_search(toy, 2, longest=4, width=1)[0].y == (0, 0, 2)
    assert search.beam_search(toy, 2, longest=4, width=2)[0] == best
    assert search.beam_search(toy, 2, longest=4, width=3**4)[0] == best


def test_a_beam_that_holds_everything_is_exact_on_any_model() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        model = functools.cache(lambda y, rng=rng: rng.dirichlet(np.ones(3)))
        found = search.beam_search(model, 2, longest=4, width=3**4)
        assert found[0] == search.exact_search(model, 3, 2, longest=4)
        assert len(found) == 1 + 2 + 4 + 8  # every finished sequence of up to four symbols


def test_length_changes_the_ranking_only_when_asked() -> None:
    by_length = search.beam_search(toy, 2, longest=3, width=81, by_length=True)
    rates = [hypothesis.score / len(hypothesis.y) for hypothesis in by_length]
    assert rates == sorted(rates)
    assert [h.y for h in by_length] != [h.y for h in search.beam_search(toy, 2, longest=3, width=81)]


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
            equation(name)
        if row[1].startswith(" ("):
            cited = {n for name in re.findall(r"`(\w+)`", row[3]) for n in cited_equations(name)}
            assert int(row[1].strip(" ()")) in cited, f"no docstring in {row[3]} cites Eq.{row[1]}"


def equation(name: str) -> Callable[..., object]:
    functions: set[Callable[..., object]] = {
        vars(module)[name] for module in (enc, eq, search) if name in vars(module)
    }
    (function,) = functions
    return function


def cited_equations(name: str) -> set[int]:
    """The equation numbers in a function's docstring: (4), (15)-(19)."""
    ranges = re.findall(r"\((\d+)\)(?:-\((\d+)\))?", equation(name).__doc__ or "")
    return {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}
