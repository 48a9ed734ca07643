"""tokens <-> layout tree."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.errors import LatexSyntax, LatexTooDeep, UnknownToken
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import MAX_DEPTH, Symbol, depth, to_aligned_tokens, to_tokens, walk

from .conftest import random_tokens


def test_places_of_the_rows() -> None:
    (fraction,) = parse_tokens(["\\frac", "{", "a", "}", "{", "b", "}", "^", "{", "c", "}"])
    assert (fraction.above, fraction.below, fraction.sup) == ((Symbol("a"),), (Symbol("b"),), (Symbol("c"),))
    (root,) = parse_tokens(["\\sqrt", "[", "n", "]", "{", "x", "}"])
    assert (root.above, root.inside) == ((Symbol("n"),), (Symbol("x"),))
    (total,) = parse_tokens(["\\sum", "\\limits", "_", "{", "i", "}", "^", "{", "n", "}"])
    assert (total.below, total.above, total.sub) == ((Symbol("i"),), (Symbol("n"),), ())
    (total,) = parse_tokens(["\\sum", "_", "{", "i", "}", "^", "{", "n", "}"])
    assert (total.sub, total.sup, total.below) == ((Symbol("i"),), (Symbol("n"),), ())


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("x ^ 2 _ 1", "x _ { 1 } ^ { 2 }"),
        ("{ { x } } y", "x y"),
        ("{ x y } ^ { 2 }", "x y ^ { 2 }"),
        ("\\frac 1 2", "\\frac { 1 } { 2 }"),
        ("\\sqrt [ 3 ] x", "\\sqrt [ 3 ] { x }"),
        ("f ' '", "f ^ { \\prime \\prime }"),
        ("f ' ^ 2", "f ^ { \\prime 2 }"),
        ("{ f ' } ^ { 2 }", "f ^ { \\prime 2 }"),
        ("{ f ^ { ' ' } } ^ 2", "f ^ { \\prime \\prime 2 }"),
        ("{ { a b ' _ 1 } } ^ { 2 }", "a b _ { 1 } ^ { \\prime 2 }"),
        ("{ f ' } '", "f ^ { \\prime \\prime }"),
        ("f ^ { ' }", "f ^ { \\prime }"),
        ("f ^ { ' ' }", "f ^ { \\prime \\prime }"),
        ("{ a \\over b } c", "\\frac { a } { b } c"),
        ("\\underset { x } { \\lim } y", "\\lim \\limits _ { x } y"),
        ("x _ { }", "x"),
        ("\\hat x", "\\hat { x }"),
        ("y \\prime", "y \\prime"),
    ],
)
def test_canonical_form(written: str, canonical: str) -> None:
    assert " ".join(to_tokens(parse_tokens(written.split()))) == canonical


@pytest.mark.parametrize(
    ("tokens", "position"),
    [
        ("{ x", 0),
        ("x }", 1),
        ("x ^ { 2", 2),
        ("x ^ 2 ^ 3", 3),
        ("{ x ^ 2 } ^ 3", 5),
        ("{ x ' ^ 2 } ^ 3", 6),
        ("{ x _ ' } _ 3", 5),
        ("^ 2", 0),
        ("\\limits _ x", 0),
        ("\\frac { a }", None),
        ("\\frac { } { b }", 1),
        ("x \\limits y", 1),
        ("\\sqrt [ 3 { x }", 1),
        ("\\frac { a } { b } \\limits _ { c }", 7),
    ],
)
def test_syntax_errors_have_a_position(tokens: str, position: int | None) -> None:
    with pytest.raises(LatexSyntax) as caught:
        parse_tokens(tokens.split())
    assert caught.value.position == position


def test_arrays_are_unknown() -> None:
    with pytest.raises(UnknownToken) as caught:
        parse_tokens(["x", "\\begin{matrix}", "a", "&", "b", "\\end{matrix}"])
    assert caught.value.position == 1


def test_depth_is_limited_both_ways() -> None:
    deep = ["x", *["^", "{", "x"] * MAX_DEPTH, *["}"] * MAX_DEPTH]
    row = parse_tokens(deep)
    assert depth(row) == MAX_DEPTH + 1
    assert list(to_tokens(row)) == deep
    with pytest.raises(LatexTooDeep):
        to_tokens((Symbol("y", sup=row),))
    for opener in ("{", "\\sqrt", "^", "\\frac", "x ^ {", "\\sqrt ["):
        with pytest.raises((LatexTooDeep, LatexSyntax)):
            parse_tokens((opener + " ").split() * 10_000)


def test_alignment_goes_to_the_symbols() -> None:
    tokens = ["\\frac", "{", "a", "}", "{", "\\sqrt", "[", "3", "]", "{", "b", "}", "}"]
    alignment = [[1], [], [0], [], [], [2, 3], [], [4], [], [], [5], [], []]
    row = parse_tokens(tokens, alignment)
    assert [(symbol.label, symbol.strokes) for symbol in walk(row)] == [
        ("\\frac", (1,)),
        ("a", (0,)),
        ("\\sqrt", (2, 3)),
        ("3", (4,)),
        ("b", (5,)),
    ]
    aligned = to_aligned_tokens(row)
    assert aligned.tokens == tuple(tokens)
    assert aligned.alignment == tuple(tuple(strokes) for strokes in alignment)
    with pytest.raises(LatexSyntax):
        parse_tokens(tokens, alignment[1:])


def test_what_tokens_cannot_write() -> None:
    for symbol in (
        Symbol("\\frac", above=(Symbol("a"),)),
        Symbol("x", sub=(Symbol("a"),), below=(Symbol("b"),)),
        Symbol("x", inside=(Symbol("a"),)),
        Symbol("\\sqrt", above=(Symbol("]"),), inside=(Symbol("a"),)),
    ):
        with pytest.raises(LatexSyntax):
            to_tokens((symbol,))


def test_round_trip_on_crohme(reference_tokens: dict[str, tuple[str, ...]]) -> None:
    for tokens in reference_tokens.values():
        canonical = to_tokens(parse_tokens(tokens))
        alignment = tuple((number,) for number in range(len(canonical)))
        symbols = list(walk(parse_tokens(canonical, alignment)))
        assert to_tokens(parse_tokens(canonical)) == canonical
        assert [symbol.strokes for symbol in symbols] == sorted(symbol.strokes for symbol in symbols)
        assert all(canonical[symbol.strokes[0]] == symbol.label for symbol in symbols)


@given(st.integers(min_value=0))
def test_round_trip_of_random_sequences(seed: int) -> None:
    tokens = random_tokens(seed)
    assert to_tokens(parse_tokens(tokens)) == tokens


@given(
    st.lists(
        st.sampled_from(
            [
                "{",
                "}",
                "^",
                "_",
                "[",
                "]",
                "'",
                "\\limits",
                "\\frac",
                "\\sqrt",
                "\\over",
                "\\hat",
                "\\overset",
                "x",
                "1",
                "|",
            ]
        )
    )
)
def test_any_tokens_parse_or_fail_cleanly(tokens: list[str]) -> None:
    try:
        canonical = to_tokens(parse_tokens(tokens))
    except LatexSyntax:
        return
    assert to_tokens(parse_tokens(canonical)) == canonical


def test_primes_take_time_in_proportion() -> None:
    started = time.process_time()
    row = parse_tokens(["x", *["'"] * 20_000])
    assert len(row[0].sup) == 20_000
    assert time.process_time() - started < 1
