from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inkscan.features import FeatureBatch
from inkscan.runtime.segmentation import is_written, owners_of, segment, stroke_attention


def test_a_stroke_goes_to_the_symbol_that_looked_at_it_most() -> None:
    attention = np.array([[0.9, 0.1, 0.0], [0.5, 0.5, 0.0], [0.0, 0.6, 0.4]])
    assert segment(attention, [True, False, True]) == ((0,), (), (1, 2))


def test_a_symbol_left_without_strokes_takes_one_that_can_be_spared() -> None:
    attention = np.array([[0.5, 0.45, 0.05], [0.1, 0.4, 0.01], [0.0, 0.0, 0.9]])
    assert segment(attention, [True, True, True]) == ((0,), (1,), (2,))


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10_000))
def test_every_stroke_is_used_once_and_no_symbol_starves_without_need(
    tokens: int, strokes: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    written = [True, *(rng.random(tokens - 1) < 0.7).tolist()]
    groups = segment(rng.dirichlet(np.full(strokes, 0.3), tokens), written)
    assert sorted(stroke for group in groups for stroke in group) == list(range(strokes))
    assert not any(group for group, is_symbol in zip(groups, written, strict=True) if not is_symbol)
    assert sum(bool(group) for group in groups) == min(sum(written), strokes)


def test_structure_has_no_strokes() -> None:
    tokens = ["[", "\\sqrt", "[", "3", "]", "{", "x", "_", "{", "2", "}", "}", "]"]
    assert [token for token, written in zip(tokens, is_written(tokens), strict=True) if written] == [
        "[", "\\sqrt", "3", "x", "2", "]",
    ]  # fmt: skip


def test_attention_on_cells_becomes_shares_of_their_strokes() -> None:
    pmask = np.array([[[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]], dtype=np.float32)
    batch = FeatureBatch(np.ones((1, 2), dtype=np.bool_), pmask_on=pmask)
    alpha = np.array([[[0.2, 0.6, 0.2]], [[1.0, 0.0, 0.0]]], dtype=np.float32)
    np.testing.assert_allclose(
        stroke_attention(alpha, owners_of("points", batch, 0, 2), 2), [[0.5, 0.5], [1.0, 0.0]]
    )


def test_attention_on_empty_paper_is_shared_evenly() -> None:
    pmask = np.array([[[[1.0, 0.0]], [[1.0, 0.0]]]], dtype=np.float32)
    batch = FeatureBatch(np.ones((1, 2), dtype=np.bool_), pmask_off=pmask)
    alpha = np.array([[[0.0, 1.0]]], dtype=np.float32)
    np.testing.assert_allclose(stroke_attention(alpha, owners_of("pixels", batch, 0, 2), 2), [[0.5, 0.5]])
