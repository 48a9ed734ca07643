from __future__ import annotations

import pytest

from inkscan.latex.tokens import parse_latex
from inkscan.web.asciimath import to_asciimath


@pytest.mark.parametrize(
    ("latex", "asciimath"),
    [
        (r"12.5x_{1}^{2}", "12.5 x_(1)^(2)"),
        (r"\frac{-b\pm\sqrt{b^2-4ac}}{2a}", "(- b +- sqrt(b^(2) - 4 a c))/(2 a)"),
        (r"\sqrt[3]{i\in n}", "root(3)(i in n)"),
        (r"\sum\limits_{i=0}^{\infty}\alpha_i", "sum_(i = 0)^(oo) alpha_(i)"),
        (r"\lim_{x\rightarrow 0}\sin x\leq 1", "lim_(x -> 0) sin x <= 1"),
        (r"\binom{n}{k}\times\overline{z}", "((n),(k)) xx bar(z)"),
        (r"\{x'\}", "{ x^(') }"),
        (r"\bar{x}+\check{y}", "bar(x) + overset(ˇ)(y)"),
        (r"\overbrace{ab}^{n}\boxed{x}", "obrace(a b)^(n) {: x :}"),
    ],
)
def test_formulas_are_written_as_asciimath_reads_them(latex: str, asciimath: str) -> None:
    assert to_asciimath(parse_latex(latex)) == asciimath
