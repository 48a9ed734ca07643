from __future__ import annotations

import re

import pytest

from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import ACCENTS
from inkscan.web.asciimath import to_asciimath

SIMPLE = (
    r"\w+|\|[^|]*\||\((\([^()]*\)|[^()])*\)|\{: .* :\}|[a-z]+(\([^()]*\)){1,2}"  # for asciimath.org's `S`
)
BASES = [r"x", r"12", r"(a+b)", r"|x|", r"\frac{a}{b}", r"\binom{n}{k}", r"\sqrt{x}", r"\sqrt[3]{x}", r"\sin"]


@pytest.mark.parametrize(
    ("latex", "asciimath"),
    [
        (r"12.5x_{1}^{2}", "12.5 x_(1)^(2)"),
        (r"\frac{-b\pm\sqrt{b^2-4ac}}{2a}", "frac(- b +- sqrt(b^(2) - 4 a c))(2 a)"),
        (r"\sqrt[3]{i\in n}", "root(3)(i in n)"),
        (r"\sum\limits_{i=0}^{\infty}\alpha_i", "sum_(i = 0)^(oo) alpha_(i)"),
        (r"\lim_{x\rightarrow 0}\sin x\leq 1", "lim_(x -> 0) sin x <= 1"),
        (r"\binom{n}{k}\times\overline{z}", "((n),(k)) xx bar(z)"),
        (r"\{x'\}", "{ x^(') }"),
        (r"\bar{x}+\check{y}", "bar(x) + overset(ˇ)(y)"),
        (r"\overbrace{ab}^{n}\boxed{x}", "obrace(a b)^(n) {: x :}"),
        (r"\frac{a}{b}^{2}", "frac(a)(b)^(2)"),
        (r"\sin\frac{x}{2}", "sin frac(x)(2)"),
        (r"a\_b", 'a "_" b'),
        (r"(a+b)/c", "( a + b ) // c"),  # one slash would be a fraction, without the brackets
    ],
)
def test_formulas_are_written_as_asciimath_reads_them(latex: str, asciimath: str) -> None:
    assert to_asciimath(parse_latex(latex)) == asciimath


@pytest.mark.parametrize("base", [*BASES, *(f"{label}{{x}}" for label in sorted(ACCENTS))])
def test_what_carries_a_script_is_one_simple_expression(base: str) -> None:
    """Only such a one keeps the script for itself; a sign outside its brackets would leave it to a part."""
    written, scripted = (to_asciimath(parse_latex(latex)) for latex in (base, base + "_{1}^{2}"))
    assert scripted == f"{written}_(1)^(2)"
    assert re.fullmatch(SIMPLE, written)
