"""The grammar and the fitted model think up well-formed expressions of bounded length."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from inkscan.errors import BadCorpus
from inkscan.latex.symbols import INTEGRALS
from inkscan.latex.tokens import canonical_tokens, parse_latex
from inkscan.latex.tree import Row, to_tokens, walk
from inkscan.latex.vocabulary import CROHME, END
from inkscan.synthesis.expression_grammar import ExpressionGrammar
from inkscan.synthesis.expression_model import ExpressionModel
from inkscan.synthesis.expressions import symbol_count

CORPUS = [
    parse_latex(latex)
    for latex in (
        "x ^ { 2 } + 1", r"\frac { a } { b } + c", "f ( x ) = x", "( a + b ) ^ { 2 }", r"\sqrt { x + 1 }",
        r"\sum _ { i = 1 } ^ { n } a _ { i }", "| x | = 1", r"\int \limits _ { 0 } ^ { 1 } x d x",
    )
]  # fmt: skip


def grammar_rows(count: int, max_symbols: int = 30) -> list[Row]:
    rng = np.random.default_rng(0)
    return [ExpressionGrammar().sample(rng, max_symbols) for _ in range(count)]


def test_the_grammar_writes_canonical_tokens() -> None:
    for row in grammar_rows(500):
        tokens = to_tokens(row)
        assert canonical_tokens(" ".join(tokens)) == tokens


def test_the_grammar_can_write_every_crohme_token() -> None:
    seen = Counter(token for row in grammar_rows(6000) for token in to_tokens(row))
    assert set(CROHME.tokens) - {END, "'"} <= set(seen)
    assert set(seen) <= set(CROHME.tokens)


@pytest.mark.parametrize("max_symbols", [2, 5, 12, 40])
def test_expressions_stay_within_their_length(max_symbols: int) -> None:
    rng = np.random.default_rng(1)
    for source in (ExpressionGrammar(), ExpressionModel.fit(CORPUS)):
        for _ in range(60):
            row = source.sample(rng, max_symbols)
            assert 1 <= symbol_count(row) <= max(max_symbols, 3)


def test_lengths_are_spread() -> None:
    lengths = np.array([symbol_count(row) for row in grammar_rows(500)])
    assert (lengths <= 4).mean() > 0.05
    assert (lengths >= 20).mean() > 0.05


def test_the_model_makes_new_expressions_of_the_corpus_kind() -> None:
    model = ExpressionModel.fit(CORPUS)
    rng = np.random.default_rng(2)
    rows = [model.sample(rng, 20) for _ in range(400)]
    known = {to_tokens(row) for row in CORPUS}
    texts = [to_tokens(row) for row in rows]
    assert len({text for text in texts if text not in known}) > 20
    labels = {token for row in CORPUS for token in to_tokens(row)}
    for text in texts:
        assert set(text) <= labels
        assert canonical_tokens(" ".join(text)) == text
        assert text.count("(") == text.count(")")
        assert text.count("|") % 2 == 0


def test_the_model_needs_something_to_learn_from() -> None:
    with pytest.raises(BadCorpus):
        ExpressionModel.fit([])


def test_limits_are_said_of_integrals_alone() -> None:
    limited = {symbol.label for row in grammar_rows(4_000) for symbol in walk(row) if symbol.has_limits}
    assert r"\int" in limited
    assert limited <= INTEGRALS


def test_brackets_pair_as_in_the_corpus_and_nothing_foreign_is_written() -> None:
    corpus = [parse_latex(text) for text in ("[ 0 , 1 )", r"[ 2 , \otimes )", "[ 3 , 5 )")]
    model, rng = ExpressionModel.fit(corpus), np.random.default_rng(2)
    rows = [to_tokens(model.sample(rng)) for _ in range(40)]
    assert {token for row in rows for token in row} <= {*"[),01235", r"\otimes"}
    assert len({row for row in rows if row[0] == "[" and row[-1] == ")"}) > 3
