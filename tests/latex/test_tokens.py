"""LaTeX text <-> canonical tokens."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.errors import LatexError, LatexSyntax, LatexTooDeep, UnknownToken
from inkscan.latex.mathml import read_mathml
from inkscan.latex.tokens import (
    MAX_LENGTH,
    canonical_tokens,
    latex_from_tokens,
    parse_foreign_tokens,
    parse_latex,
    tokenize,
)
from inkscan.latex.tree import to_tokens
from inkscan.latex.typeset import to_mathml

from .conftest import random_tokens


@pytest.mark.parametrize(
    ("latex", "canonical"),
    [
        ("$x^2$", "x ^ { 2 }"),
        (" { \\mbox { j } \\lt \\lambda \\left ( n \\right ) } ", "j < \\lambda ( n )"),
        ("\\int^a_b f dx", "\\int _ { b } ^ { a } f d x"),
        ("M\\ltN", "M < N"),
        ("x \\to \\infty", "x \\rightarrow \\infty"),
        ("log x + \\mathrm{sin} y", "\\log x + \\sin y"),
        ("cosh x + arcsin y - tan h", "\\cosh x + \\arcsin y - \\tanh"),
        ("f''(x)", "f ^ { \\prime \\prime } ( x )"),
        ("\\mathbb{R}^n \\to \\mathcal C", "\\mathbb{R} ^ { n } \\rightarrow \\mathcal{C}"),
        ("\\dfrac12 \\le \\dots", "\\frac { 1 } { 2 } \\leq \\ldots"),
        ("\\left. x \\right|_0", "x | _ { 0 }"),
        ("α ≤ 2×β − 1", "\\alpha \\leq 2 \\times \\beta - 1"),
        ("\\overline{ab}", "\\overline { a b }"),
        ("a % comment\n+ b", "a + b"),
        ("\\displaystyle\\sum\\nolimits_i \\, x_i\\!", "\\sum _ { i } x _ { i }"),
        ("\\[ x \\]", "x"),
        ("50\\%", "5 0 \\%"),
        ("\\operatorname*{lim}_x", "\\lim _ { x }"),
        ("a \\boldsymbol* b", "a * b"),
        ("\\operatorname{cosh}x + \\mathrm{arctan} x", "\\cosh x + \\arctan x"),
        ("\\text{using} + x^\\mathrm{ab}_1", "u s i n g + x _ { 1 } ^ { a b }"),
        ("\\text{single-valued}", "s i n g l e - v a l u e d"),
        ("\\mbox{cost (using)} \\mathrm{sin}x", "c o s t ( u s i n g ) \\sin x"),
        ("\\left<x\\right> \\bigl<y\\bigr> < z", "\\langle x \\rangle \\langle y \\rangle < z"),
        ("\\bigl. x \\bigr|_0", "x | _ { 0 }"),
        ("\\left[ a \\over b \\right]^2", "[ \\frac { a } { b } ] ^ { 2 }"),
        (
            "\\left(\\left( n \\choose k\\right) \\over c\\right)",
            "( \\frac { ( \\binom { n } { k } ) } { c } )",
        ),
    ],
)
def test_canonical_tokens(latex: str, canonical: str) -> None:
    assert " ".join(canonical_tokens(latex)) == canonical


@pytest.mark.parametrize(
    ("latex", "error", "position"),
    [
        ("a + \\foo", UnknownToken, 4),
        ("a + é", UnknownToken, 4),
        ("[\\begin{matrix}a & b\\end{matrix}]", UnknownToken, 1),
        ("x + {y", LatexSyntax, 4),
        ("x}", LatexSyntax, 1),
        ("a\\", LatexSyntax, 1),
        ("\\mathbb{\\frac12}", LatexSyntax, 0),
        ("", LatexSyntax, None),
        ("$ $", LatexSyntax, None),
        ("{}", LatexSyntax, None),
    ],
)
def test_errors_have_a_code_and_a_position(latex: str, error: type[LatexError], position: int | None) -> None:
    with pytest.raises(error) as caught:
        canonical_tokens(latex)
    assert caught.value.position == position
    assert caught.value.code.startswith("latex.")


def test_foreign_commands_are_tokens() -> None:
    latex = "\\mathbb{R}\\begin{matrix}1&\\foo\\\\2\\end{matrix}"
    assert [(token.text, token.position) for token in tokenize(latex)] == [
        ("\\mathbb{R}", 8),
        ("\\begin{matrix}", 10),
        ("1", 24),
        ("&", 25),
        ("\\foo", 26),
        ("\\\\", 30),
        ("2", 32),
        ("\\end{matrix}", 33),
    ]


@pytest.mark.parametrize(
    "latex",
    [
        "x^{2}",
        "\\frac{a}{b}",
        "\\sin x+\\cos \\theta",
        "\\sin(x)",
        "\\sum\\limits_{i=0}^{n}i",
        "\\alpha x\\beta",
        "\\sqrt[3]{x}",
        "\\log_{2}8",
        "\\{1,2\\}",
        "\\mathop{=}\\limits^{?}",
        "\\mathop{\\hat{x}}\\limits_{i}+\\mathop{\\bigcirc}\\limits_{i}",
        "\\overbrace{\\mathop{m}\\limits^{a}b}\\limits^{n}",
    ],
)
def test_clean_latex(latex: str) -> None:
    assert latex_from_tokens(canonical_tokens(latex)) == latex


def test_round_trip_on_crohme(reference_tokens: dict[str, tuple[str, ...]]) -> None:
    for tokens in list(reference_tokens.values())[::3]:
        canonical = canonical_tokens(" ".join(tokens))
        assert canonical_tokens(latex_from_tokens(canonical)) == canonical


def test_tokens_from_outside_are_made_canonical_or_refused_as_latex_is() -> None:
    given = ["\\left", "(", "x", "\\right", ")", "\\le", "≥", "l", "o", "g"]
    assert to_tokens(parse_foreign_tokens(given)) == ("(", "x", ")", "\\leq", "\\geq", "l", "o", "g")
    for tokens, error, position in (
        (["\\,", "x", "$"], UnknownToken, 2),
        (["\\,", "x", "}"], LatexSyntax, 2),
        ([], LatexSyntax, None),
    ):
        with pytest.raises(error) as caught:
            parse_foreign_tokens(tokens)
        assert caught.value.position == position


_HOSTILE = {
    "unclosed braces": "{" * 50,
    "10,000 nested braces": "{" * 10_000 + "x" + "}" * 10_000,
    "10,000 nested roots": "\\sqrt{" * 10_000 + "x" + "}" * 10_000,
    "10,000 scripts": "x^" * 10_000 + "x",
    "10,000 \\over": "x\\over " * 10_000 + "x",
    "empty": "",
    "binary": random.Random(1).randbytes(5_000).decode("latin-1"),
    "control characters": "\x00\x01\x02",
    "very long": "x" * 10_000_000,
    "backslashes": "\\" * 9_999,
    "surrogate": "\ud800",
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_latex(name: str) -> None:
    started = time.process_time()
    with pytest.raises(LatexError) as caught:
        canonical_tokens(_HOSTILE[name])
    assert caught.value.code in ("latex.syntax", "latex.too_deep", "latex.unknown_token")
    assert time.process_time() - started < 5


def test_nested_braces_are_too_deep() -> None:
    with pytest.raises(LatexTooDeep):
        canonical_tokens(_HOSTILE["10,000 nested braces"])


@given(st.text(max_size=60))
def test_any_text_parses_or_fails_cleanly(text: str) -> None:
    try:
        canonical = canonical_tokens(text)
    except LatexError:
        return
    assert canonical_tokens(" ".join(canonical)) == canonical


@given(st.integers(min_value=0))
def test_random_sequences_survive_clean_latex(seed: int) -> None:
    tokens = random_tokens(seed)
    text = " ".join(tokens)
    if not any(word in text for word in ("s i n", "c o s", "t a n", "l o g", "l i m")):  # read as functions
        assert canonical_tokens(latex_from_tokens(tokens)) == tokens


@pytest.mark.parametrize("unit", ["x", "x_1", "1"])
def test_the_longest_formula_is_typeset_and_read_back_in_time(unit: str) -> None:
    started = time.process_time()
    row = parse_latex(unit * (MAX_LENGTH // len(unit)))
    assert read_mathml(to_mathml(row)) == row
    assert time.process_time() - started < 5
