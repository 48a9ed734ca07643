"""MathML in, MathML out."""

from __future__ import annotations

import time
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.errors import LatexError, MathmlSyntax
from inkscan.latex.mathml import read_mathml, row_from_mathml
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import to_aligned_tokens, to_tokens
from inkscan.latex.typeset import to_mathml

from .conftest import random_tokens


def _tokens(mathml: str) -> str:
    return " ".join(to_tokens(read_mathml(f"<math>{mathml}</math>")))


@pytest.mark.parametrize(
    ("mathml", "tokens"),
    [
        ("<mrow><mi>a</mi><mrow><mo>+</mo><mi>b</mi></mrow></mrow>", "a + b"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "( a ) ^ { 2 }"),
        ("<msub><msub><mi>e</mi><mi>f</mi></msub><mi>g</mi></msub>", "e _ { f _ { g } }"),
        ("<msup><msub><mi>e</mi><mi>f</mi></msub><mi>g</mi></msup>", "e _ { f } ^ { g }"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt [ 3 ] { x }"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "\\sqrt { x + 1 }"),
        (
            "<munderover><mo>sum</mo><mi>i</mi><mi>infin</mi></munderover>",
            "\\sum \\limits _ { i } ^ { \\infty }",
        ),
        ("<munder><mo>im</mo><mi>x</mi></munder>", "\\lim \\limits _ { x }"),
        ("<mo>\\lt</mo><mo>{</mo><mo>hellip</mo><mo>ne</mo>", "< \\{ \\ldots \\neq"),
        ("<mn>12.5</mn>", "1 2 . 5"),
        ("<mfenced open='[' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[ a ; b )"),
        ("<mover accent='true'><mi>x</mi><mo>→</mo></mover>", "\\vec { x }"),
        ("<msub><mn>0</mn></msub>", "0"),
        ("<mi>f</mi><mo>&#x2061;</mo><mi>x</mi>", "f x"),
        ("<semantics><mi>x</mi><annotation>y</annotation></semantics>", "x"),
        ("<menclose notation='radical'><mi>x</mi></menclose>", "\\sqrt { x }"),
        ("<menclose notation='box'><mi>x</mi></menclose>", "\\boxed { x }"),
        ("<mi mathvariant='double-struck'>R</mi><mi mathvariant='bold'>x</mi>", "\\mathbb{R} x"),
        ("<maction selection='2'><mi>a</mi><mi>b</mi></maction>", "b"),
        ("<mi>x</mi><mtext>in</mtext>", "x i n"),
    ],
)
def test_reading(mathml: str, tokens: str) -> None:
    assert _tokens(mathml) == tokens


def test_ids_name_the_strokes() -> None:
    math = fromstring(
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac xml:id="-_1"><mi xml:id="a">sin</mi>'
        '<msqrt xml:id="r"><mn xml:id="b">2</mn></msqrt></mfrac></math>'
    )
    aligned = to_aligned_tokens(row_from_mathml(math, {"-_1": (2,), "a": (0, 1), "r": (3,), "b": (4,)}))
    assert [(token, strokes) for token, strokes in zip(aligned.tokens, aligned.alignment, strict=True)] == [
        ("\\frac", (2,)),
        ("{", ()),
        ("\\sin", (0, 1)),
        ("}", ()),
        ("{", ()),
        ("\\sqrt", (3,)),
        ("{", ()),
        ("2", (4,)),
        ("}", ()),
        ("}", ()),
    ]


_BOMB = '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><math><mi>&b;</mi></math>'
_HOSTILE = {
    "empty": "",
    "not XML": "x^2",
    "truncated": "<math><mi>x</mi>",
    "entity bomb": _BOMB,
    "external entity": '<!DOCTYPE m [<!ENTITY e SYSTEM "file:///etc/passwd">]><math><mi>&e;</mi></math>',
    "table": "<math><mtable><mtr><mtd><mi>x</mi></mtd></mtr></mtable></math>",
    "missing argument": "<math><mfrac><mi>x</mi></mfrac></math>",
    "empty argument": "<math><msqrt></msqrt></math>",
    "deep": "<math>" + "<msqrt>" * 10_000 + "<mi>x</mi>" + "</msqrt>" * 10_000 + "</math>",
    "a long number": "<math><mn>" + "1" * 400_000 + "</mn></math>",
    "no symbol": "<math><mi>\\foo</mi></math>",
    "a token of structure": "<math><mi>\\limits</mi></math>",
    "a bare hat": "<math><mi>x</mi><mo>^</mo></math>",
    "very long": "<math>" + "<mi>x</mi>" * 200_000 + "</math>",
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_mathml(name: str) -> None:
    started = time.process_time()
    with pytest.raises(LatexError) as caught:
        read_mathml(_HOSTILE[name])
    assert caught.value.code in ("latex.mathml", "latex.too_deep")
    assert time.process_time() - started < 5


def test_groups_may_nest_without_end() -> None:
    assert _tokens("<mrow>" * 10_000 + "<mi>x</mi>" + "</mrow>" * 10_000) == "x"


@pytest.mark.parametrize(
    ("latex", "piece"),
    [
        ("12.5x", "<mn>12.5</mn><mi>x</mi>"),
        ("12^{3}", "<msup><mn>12</mn><mn>3</mn></msup>"),
        ("\\sin x", '<mi>sin</mi><mspace width="0.167em"/><mi>x</mi>'),
        ("a=-1", '<mo stretchy="false" form="prefix">−</mo><mn>1</mn>'),
        ("(\\frac{a}{b})", '<mo form="prefix" fence="true">(</mo>'),
        ("(a)", '<mo form="prefix" fence="true" stretchy="false">(</mo>'),
        ("\\sum\\limits_{i}x", '<munder><mo movablelimits="false">∑</mo><mi>i</mi></munder>'),
        ("\\sum_{i}x", '<munder><mo movablelimits="true">∑</mo><mi>i</mi></munder>'),
        ("\\int_{0}^{1}x", "<msubsup><mo"),
        ("|x|", '<mo form="postfix" fence="true" stretchy="false">|</mo>'),
        ("f'", '<msup><mi>f</mi><mo lspace="0" rspace="0">′</mo></msup>'),
        (
            "{f'}^{2}",
            '<msup><mi>f</mi><mrow><mo lspace="0" rspace="0">′</mo><mn>2</mn></mrow></msup>',
        ),
        ("a<b", "&lt;"),
        ("\\mathbb{R}", "<mi>ℝ</mi>"),
        ("\\int xdx", '<mspace width="0.167em"/><mi>d</mi>'),
    ],
)
def test_writing(latex: str, piece: str) -> None:
    assert piece in to_mathml(parse_latex(latex))


def test_display() -> None:
    row = parse_latex("x")
    assert 'display="block"' in to_mathml(row)
    assert 'display="inline"' in to_mathml(row, display=False)


@pytest.mark.parametrize(
    "latex",
    [
        r"f(\binom{n}{k})",
        r"((\binom{n}{k}))",
        r"\binom{n}{k}(x)",
        r"\mathbb{1}_A",
        r"\mathcal{P}(X)",
        r"\mathscr{l}",
    ],
)
def test_what_mathml_says_is_what_it_was_made_of(latex: str) -> None:
    row = parse_latex(latex)
    assert to_tokens(read_mathml(to_mathml(row))) == tuple(
        token.replace("mathscr", "mathcal") for token in to_tokens(row)
    )


def test_nested_fences_do_not_recurse() -> None:
    started = time.process_time()
    row = parse_tokens(["("] * 5_000 + ["x"] + [")"] * 5_000)
    assert to_tokens(read_mathml(to_mathml(row))) == to_tokens(row)
    assert time.process_time() - started < 5


def test_round_trip_on_crohme(reference_tokens: dict[str, tuple[str, ...]]) -> None:
    for tokens in list(reference_tokens.values())[::3]:
        row = parse_tokens(tokens)
        assert read_mathml(to_mathml(row)) == row


@given(st.integers(min_value=0))
def test_round_trip_of_random_rows(seed: int) -> None:
    row = parse_tokens(random_tokens(seed))
    try:
        again = read_mathml(to_mathml(row))
    except MathmlSyntax as error:
        raise AssertionError(to_mathml(row)) from error
    assert to_tokens(again) == to_tokens(row)
