from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        (r"\{[a,b],[c,d]\}", "{ {: :} [ a , b ] , [ c , d ] }"),
        (r"x^{(a,b)}", "x^({: :} ( a , b ))"),
        (r"((a+b)c,(a,b)^2)", "( ( a + b ) c , ( a , b )^(2) )"),  # no matrix
        (r"\binom{a,b}{c}", "(({: a , b :}),(c))"),
        (r"f_{:}", "f_( : )"),  # `(:` is an angle
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


class AsciiMath:
    """What asciimath.org's grammar says of brackets: how many matrices a text has."""

    def __init__(self, text: str) -> None:
        text = text.replace("langle", "{:").replace("rangle", ":}")
        self.words = re.findall(r"\{:|:\}|[()\[\]{}|,]|[^\s()\[\]{}|,]+", text)
        self.at = self.matrices = 0
        while self.at < len(self.words):
            self.items("")
            self.at += 1  # over a closing bracket that none opened

    def items(self, opening: str) -> list[str]:
        """What stands before the sign that closes it; "P" and "S" for rows, with as many commas as they have."""
        found: list[str] = []
        while self.at < len(self.words):
            word = self.words[self.at]
            if word in (")", "]", "}", ":}") or (word == "|" == opening):
                break
            self.at += 1
            if word in ("(", "[", "{", "{:"):
                inside = self.items(word)
                self.at += 1
                closing = self.words[self.at - 1 : self.at]
                rows = {"()": "P", "[]": "S"}.get(word + "".join(closing), "x")
                found.append(rows + "," * inside.count(","))
            elif word == "|":
                start = self.at
                before = self.matrices
                inside = self.items("|")
                if self.words[self.at : self.at + 1] == ["|"]:
                    self.at += 1
                else:  # it had no partner
                    self.at, self.matrices = start, before
                found.append("x")
            else:
                found.append(word)
        if self.at == len(self.words) or not is_matrix(found):
            return found
        self.matrices += 1
        return ["x"]  # a table


def is_matrix(items: list[str]) -> bool:
    rows, between = items[::2], set(items[1::2])
    if not rows or len(items) % 2 == 0 or between - {","} or rows[0][0] not in "PS":
        return False
    return len(set(rows)) == 1 and (len(rows) > 1 or "," in rows[0])


PAIRS = [
    "( )",
    "[ ]",
    "\\{ \\}",
    "| |",
    "[ )",
    "\\langle{} \\rangle",
    "\\sqrt{ }",
    "x^{ }",
    "\\boxed{ }",
    "| ",
    "( ",
]


def bracketed(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inside, min_size=1, max_size=3).map(",".join)
    return st.builds(lambda pair, text: text.join(pair.split(" ")), st.sampled_from(PAIRS), lists)


@given(st.recursive(st.sampled_from(["a", "b", "a+b", "(c)^2"]), bracketed, max_leaves=8))
def test_no_brackets_become_a_matrix(text: str) -> None:
    assert AsciiMath(to_asciimath(parse_latex(text))).matrices == 0


@pytest.mark.parametrize(
    ("text", "matrices"),
    [("((a,b),(c,d))", 1), ("{: :} ((a,b),(c))", 0), ("({: :} (a,b),(c,d))", 0), ("|[a],[b]|", 1)],
)
def test_the_grammar_finds_matrices(text: str, matrices: int) -> None:
    assert AsciiMath(text).matrices == matrices


def test_binomials_alone_are_matrices() -> None:
    for latex in (r"\binom{n}{k}", r"(\binom{a,b}{(c,d)})^{2}", r"\frac{\binom{[a],[b]}{c}}{(a,b)}"):
        assert AsciiMath(to_asciimath(parse_latex(latex))).matrices == 1
