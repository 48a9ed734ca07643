"""LaTeX for the tokens, MathML and trace groups for the strokes."""

from __future__ import annotations

import time
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from inkscan.errors import LatexError
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_aligned_tokens, walk
from inkscan.latex.truth import WrittenSymbol, aligned_truth

from .conftest import crohme_files


def _math(body: str) -> Element:
    return fromstring(f"<math>{body}</math>")


def _written(*labels: str) -> list[WrittenSymbol]:
    return [WrittenSymbol(label, (number,), str(number)) for number, label in enumerate(labels)]


def _strokes(
    latex: str | None, math: Element | None, written: list[WrittenSymbol]
) -> list[tuple[str, tuple[int, ...]]]:
    aligned = aligned_truth(latex, math, written, len(written))
    return [
        (symbol.label, symbol.strokes) for symbol in walk(parse_tokens(aligned.tokens, aligned.alignment))
    ]


def test_labels_follow_latex_and_strokes_follow_mathml() -> None:
    math = _math('<mi xml:id="0">a</mi><mo xml:id="1">.</mo><mi xml:id="2">b</mi>')
    assert _strokes("$a\\cdot b$", math, _written("a", ".", "b")) == [
        ("a", (0,)),
        ("\\cdot", (1,)),
        ("b", (2,)),
    ]


def test_three_dots_are_one_symbol() -> None:
    dots = "".join(f'<mo xml:id="{number}">.</mo>' for number in (1, 2, 3))
    assert _strokes("a\\cdots", _math(f'<mi xml:id="0">a</mi>{dots}'), _written("a", ".", ".", ".")) == [
        ("a", (0,)),
        ("\\cdots", (1, 2, 3)),
    ]


def test_swapped_root() -> None:
    base, index = '<mn xml:id="1">5</mn>', '<mrow><mn xml:id="2">5</mn><mn xml:id="3">6</mn></mrow>'
    math = _math(f'<mroot xml:id="0">{base}{index}</mroot>')
    assert _strokes("\\sqrt[5]{56}", math, _written("\\sqrt", "5", "5", "6")) == [
        ("\\sqrt", (0,)),
        ("5", (1,)),
        ("5", (2,)),
        ("6", (3,)),
    ]


def test_mathml_replaces_latex_that_no_stroke_writes() -> None:
    math = _math('<mn xml:id="0">5</mn><mo xml:id="1">div</mo><mn xml:id="2">3</mn>')
    assert _strokes("5 div 3", math, _written("5", "\\div", "3")) == [
        ("5", (0,)),
        ("\\div", (1,)),
        ("3", (2,)),
    ]


def test_mathml_says_where_the_exponent_of_a_group_with_a_prime_stands() -> None:
    """As in CROHME 2013, 103_em_8, whose truth this is."""
    prime = '<msup><mi xml:id="0">y</mi><mo xml:id="1">\\prime</mo></msup>'
    math = _math(f'<msup>{prime}<mn xml:id="2">2</mn></msup>')
    aligned = aligned_truth(r"{y^{\prime}}^2", math, _written("y", "\\prime", "2"), 3)
    assert " ".join(aligned.tokens) == r"y ^ { \prime ^ { 2 } }"
    assert " ".join(aligned_truth(r"{y^{\prime}}^2", None, [], 0).tokens) == r"y ^ { \prime 2 }"


def test_mathml_alone_and_trace_groups_alone() -> None:
    assert _strokes(None, _math('<mi xml:id="0">a</mi>'), _written("a")) == [("a", (0,))]
    assert _strokes("\\foo", _math('<mi xml:id="0">a</mi>'), _written("a")) == [("a", (0,))]
    assert _strokes("a+b", None, _written("b", "+", "a")) == [("a", (2,)), ("+", (1,)), ("b", (0,))]
    with pytest.raises(LatexError):
        aligned_truth(None, None, [], 0)
    with pytest.raises(LatexError):
        aligned_truth("\\foo", None, [], 0)


def test_trace_groups_give_the_strokes_where_mathml_names_none() -> None:
    math = _math("<mi>a</mi><mo>+</mo><mi>b</mi>")
    assert _strokes("a+b", math, _written("b", "+", "a")) == [("a", (2,)), ("+", (1,)), ("b", (0,))]


def test_a_symbol_without_strokes_has_none() -> None:
    assert _strokes("ab", _math('<mi xml:id="9">a</mi>'), _written("x")) == [("a", ()), ("b", ())]


@pytest.mark.parametrize(
    ("latex", "body"),
    [
        ("x", "<mn>" + "1" * 7_000_000 + "</mn>"),
        ("a" * 10_000, "<mi>a</mi><mi>b</mi>" * 2_000),
        ("a" * 300, "<mi>a</mi><mi>b</mi>" * 150),
    ],
    ids=["a long number", "much to compare", "as much to compare as is allowed"],
)
def test_hostile_truth_takes_no_second(latex: str, body: str) -> None:
    started = time.process_time()
    assert len(aligned_truth(latex, _math(body), [], 1).tokens) == len(latex)
    assert time.process_time() - started < 5


@pytest.mark.slow
def test_crohme_training_set(shared_data: Path, reference_tokens: dict[str, tuple[str, ...]]) -> None:
    same = complete = total = 0
    for file in crohme_files(shared_data / "crohme-train.tar.xz"):
        aligned = aligned_truth(file.latex, file.math, file.written, file.stroke_count)
        row = parse_tokens(aligned.tokens, aligned.alignment)
        assert to_aligned_tokens(row) == aligned
        total += 1
        same += aligned.tokens == reference_tokens[file.stem]
        complete += all(symbol.strokes for symbol in walk(row))
    assert total == 8_835
    assert same >= 0.99 * total
    assert complete >= 0.999 * total


@pytest.mark.parametrize(
    ("archive", "count"), [("crohme-test2013.tar.xz", 671), ("crohme-test2014.tar.xz", 986)]
)
def test_crohme_test_sets(shared_data: Path, archive: str, count: int) -> None:
    complete = total = 0
    for file in crohme_files(shared_data / archive):
        aligned = aligned_truth(file.latex, file.math, file.written, file.stroke_count)
        row = parse_tokens(aligned.tokens, aligned.alignment)
        assert to_aligned_tokens(row) == aligned
        total += 1
        complete += all(symbol.strokes for symbol in walk(row))
    assert total == count
    assert complete >= 0.997 * total
