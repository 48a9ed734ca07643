"""The grammar allows exactly the canonical sequences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.errors import LatexError, LatexSyntax
from inkscan.latex.grammar import Grammar
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_tokens
from inkscan.latex.vocabulary import CROHME, END, Vocabulary

from .conftest import random_tokens

GRAMMAR = Grammar(CROHME)


def _accepts(tokens: list[str] | tuple[str, ...], grammar: Grammar = GRAMMAR) -> bool:
    try:
        return grammar.follow((*CROHME.encode(tokens), CROHME.end)).done
    except LatexSyntax:
        return False


def _names(tokens: str, budget: int | None = None, grammar: Grammar = GRAMMAR) -> set[str]:
    mask = grammar.allowed(grammar.follow(CROHME.encode(tokens.split())), budget)
    return {token for token, ok in zip(CROHME.tokens, mask, strict=True) if ok}


def test_every_crohme_sequence_is_accepted(reference_tokens: dict[str, tuple[str, ...]]) -> None:
    for raw in reference_tokens.values():
        numbers = (*CROHME.encode(to_tokens(parse_tokens(raw))), CROHME.end)
        state = GRAMMAR.start
        for at, number in enumerate(numbers):
            budget = len(numbers) - at
            assert state.min_tokens_to_finish <= budget
            assert GRAMMAR.allowed(state)[number]
            assert GRAMMAR.allowed(state, budget)[number]
            state = GRAMMAR.advance(state, number)
        assert state.done


@given(st.integers(min_value=0))
def test_random_moves_make_canonical_sequences(seed: int) -> None:
    tokens = random_tokens(seed)
    assert to_tokens(parse_tokens(tokens)) == tokens
    assert len(tokens) < 60


@st.composite
def _nearly_canonical(draw: st.DrawFn) -> list[str]:
    """A canonical sequence with a token changed, put in or taken out, or a group of it doubled."""
    tokens = list(random_tokens(draw(st.integers(min_value=0)), longest=30))
    at = draw(st.integers(0, len(tokens)))
    few = ["{", "}", "^", "_", "[", "]", "'", "\\limits", "\\frac", "\\sqrt", "x"]
    patch = draw(
        st.sampled_from([[], [draw(st.sampled_from(few))], ["^", "{", "x", "}"], ["_", "{", "x", "}"]])
    )
    return tokens[:at] + patch + tokens[at + draw(st.integers(0, 1)) :]


@given(_nearly_canonical())
def test_accepted_exactly_when_canonical(tokens: list[str]) -> None:
    try:
        canonical = bool(tokens) and list(to_tokens(parse_tokens(tokens))) == tokens
    except LatexError:
        canonical = False
    assert _accepts(tokens) == canonical


@given(st.integers(min_value=0), st.integers(min_value=0))
def test_the_shortest_ending_is_found_and_is_shortest(seed: int, cut: int) -> None:
    numbers = CROHME.encode(random_tokens(seed))
    state = GRAMMAR.follow(numbers[: cut % (len(numbers) + 1)])
    shortest = state.min_tokens_to_finish
    assert not any(GRAMMAR.allowed(state, shortest - 1))
    for left in range(shortest, 0, -1):
        state = GRAMMAR.advance(state, GRAMMAR.allowed(state, left).index(1))
    assert state.done


def test_what_may_follow() -> None:
    assert END not in _names("")
    assert _names("x ^") == {"{"}
    assert _names("\\sqrt") == {"{", "["}
    assert "}" not in _names("x ^ {")
    assert {"^", "}", "x"} <= _names("\\frac { x _ { 1 }")
    assert "_" not in _names("x _ { 1 }")
    assert not {"_", "^"} & _names("x ^ { 1 }")
    assert "\\limits" not in _names("\\frac { a } { b }")
    assert _names("\\sum \\limits") == {"_", "^"}
    assert "]" not in _names("\\sqrt [")
    assert "'" not in _names("x")
    assert _names("x", budget=1) == {END}
    assert "\\frac" not in _names("x", budget=7)
    assert "\\frac" in _names("x", budget=8)
    assert GRAMMAR.follow(CROHME.encode(("x", "^"))).min_tokens_to_finish == 4


def test_depth_is_limited() -> None:
    flat = Grammar(CROHME, max_depth=1)
    assert "^" in _names("x", grammar=flat)
    assert not {"^", "\\frac", "\\sqrt", "\\limits"} & _names("x ^ { y", grammar=flat)
    assert _accepts(["x", "^", "{", "y", "}", "_"][:5], flat)
    deepest = ["x", "^", "{"] * GRAMMAR.max_depth + ["x"] + ["}"] * GRAMMAR.max_depth
    assert _accepts(deepest)
    assert list(to_tokens(parse_tokens(deepest))) == deepest


def test_states_share_few_masks() -> None:
    grammar = Grammar(CROHME)
    classes = set()
    for seed in range(200):
        state = grammar.start
        for number in CROHME.encode(random_tokens(seed)):
            classes.add(grammar.state_class(state))
            state = grammar.advance(state, number)
    assert len(classes) < 40


def test_errors() -> None:
    with pytest.raises(LatexSyntax) as caught:
        GRAMMAR.follow(CROHME.encode(["x", "^", "2"]))
    assert caught.value.position == 2
    done = GRAMMAR.follow((*CROHME.encode(("x",)), CROHME.end))
    assert not any(GRAMMAR.allowed(done))
    with pytest.raises(LatexSyntax):
        GRAMMAR.advance(done, CROHME.index["x"])


def test_other_vocabularies() -> None:
    vocabulary = Vocabulary.learn(
        [["\\hat", "{", "}", "x", "^", "\\mathbb{R}", "\\begin{matrix}", "&", "\\over"]]
    )
    grammar = Grammar(vocabulary)
    allowed = {t for t, ok in zip(vocabulary.tokens, grammar.allowed(grammar.start), strict=True) if ok}
    assert allowed == {"\\hat", "x", "\\mathbb{R}"}
    assert (
        grammar.follow(vocabulary.encode(["\\hat", "{", "x", "}", "^", "{", "x", "}"])).min_tokens_to_finish
        == 1
    )
