"""Sub-expressions are expressions, with exactly their own strokes."""

from __future__ import annotations

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_tokens, walk
from inkscan.synthesis.subexpression import random_piece, subexpressions

from .conftest import check_alignment, written


def texts(latex: str, min_symbols: int = 2) -> set[str]:
    return {" ".join(sample.tokens) for sample in subexpressions(written(latex), min_symbols)}


def test_runs_of_terms() -> None:
    assert texts("a x + b = 0") == {"a x", "a x + b", "b = 0"}


def test_attached_rows() -> None:
    found = texts(r"\frac { x + 1 } { 2 y } ^ { - k }")
    assert found == {"x + 1", "2 y", "- k"}
    assert texts(r"\sqrt [ n + 1 ] { a b }") == {"n + 1", "a b"}
    assert texts(r"\int \limits _ { - 1 } ^ { + 1 } x", 2) == {"- 1", "+ 1"}


def test_brackets_hold_together_and_open() -> None:
    assert texts("( a + b ) - c") == {"( a + b )", "a + b"}
    assert texts("2 ( a + b c )") == {"a + b c", "b c"}


def test_single_symbols_on_request() -> None:
    assert texts("a + b", 1) == {"a", "b"}


def test_pieces_are_runs_of_one_row() -> None:
    rng = np.random.default_rng(0)
    found = {
        " ".join(piece.tokens) for _ in range(300) if (piece := random_piece(written("x ^ { 2 } + y"), rng))
    }
    assert found == {"x ^ { 2 }", "+", "y", "x ^ { 2 } +", "+ y", "x ^ { 2 } + y", "2"}


def test_pieces_have_their_own_strokes(samples: list[Sample]) -> None:
    rng = np.random.default_rng(1)
    pieces = [piece for sample in samples if (piece := random_piece(sample, rng))]
    assert len(pieces) > len(samples) // 2
    for piece in pieces:
        check_alignment(piece)
        assert to_tokens(parse_tokens(piece.tokens)) == piece.tokens


def test_strokes_follow(samples: list[Sample]) -> None:
    total = 0
    for sample in samples:
        strokes = set(sample.ink.strokes)
        for part in subexpressions(sample):
            total += 1
            check_alignment(part)
            assert set(part.ink.strokes) <= strokes
            assert len(part.ink) < len(sample.ink)
            row = parse_tokens(part.tokens, part.alignment)
            assert to_tokens(row) == part.tokens
            assert len(list(walk(row))) >= 2
    assert total > len(samples)


def test_each_symbol_keeps_its_own_ink() -> None:
    sample = written("a + b ^ { 2 }", 4)
    part = next(part for part in subexpressions(sample) if part.tokens[0] == "b")
    for token in ("b", "2"):
        ours = part.alignment[part.tokens.index(token)]
        theirs = sample.alignment[sample.tokens.index(token)]
        assert [part.ink.strokes[i] for i in ours] == [sample.ink.strokes[i] for i in theirs]


def test_incomplete_or_foreign_truth_gives_none() -> None:
    ink = Ink.from_points([[(0, 0), (1, 1)], [(2, 2), (3, 3)]])
    assert subexpressions(Sample("a", ink, ("a", "b", "+", "c"), ((0,), (), (), (1,)))) == []
    assert subexpressions(Sample("b", ink, ("a", "}", "+"), ((0,), (), (1,)))) == []
    shared = Sample("c", ink, ("a", "b", "+", "c"), ((0,), (1,), (1,), (1,)))
    assert all(part.tokens != ("a", "b") for part in subexpressions(shared))
