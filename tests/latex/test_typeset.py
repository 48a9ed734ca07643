from __future__ import annotations

import sys
from types import FrameType

import pytest

from inkscan.latex.tokens import parse_latex
from inkscan.latex.typeset import to_mathml

NESTED = {
    "bars": "|+" * 2000 + "x" + "|x" * 2000,
    "double bars": "\\|+" * 1600 + "x" + "\\|x" * 1200,
    "brackets around much": "(" * 100 + "x" * 9800 + ")" * 100,
    "brackets in powers": ("x^{" + "(" * 38) * 63 + "x" * 4000 + (")" * 38 + "}") * 63,
    "bars in powers": ("x^{" + "|+" * 30) * 63 + "x" * 1500 + ("|x" * 30 + "}") * 63,
    "\\left and \\right": "\\left(" * 99 + "x" * 8000 + "\\right)" * 99,
}


@pytest.mark.parametrize("name", NESTED)
def test_fences_within_fences_take_no_square_of_their_number(name: str) -> None:
    row = parse_latex(NESTED[name])
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        to_mathml(row)
    finally:
        sys.setprofile(None)
    assert calls < 200 * len(NESTED[name])


@pytest.mark.parametrize(
    ("latex", "stretches"),
    [
        ("(x)", [False]),
        ("(\\frac12)", [True]),
        ("((x)+\\frac12)", [True, False]),
        ("(x^{\\frac12})", [True]),
        (
            "((x)^{\\frac12})",
            [True, False],
        ),  # what the inner closing fence carries stands within the outer pair
        ("|x|+|\\sum x|", [False, True]),
    ],
)
def test_fences_grow_around_tall_things_only(latex: str, stretches: list[bool]) -> None:
    opening = to_mathml(parse_latex(latex)).split('form="prefix" fence="true"')[1:]
    assert [not rest.startswith(' stretchy="false"') for rest in opening] == stretches


@pytest.mark.parametrize(("latex", "shown"), [("\\&", "&amp;"), ("\\%", "%"), ("\\infty", "∞")])
def test_signs_that_are_no_letters_stand_upright(latex: str, shown: str) -> None:
    assert f'<mi mathvariant="normal">{shown}</mi>' in to_mathml(parse_latex(latex))
