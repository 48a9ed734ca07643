"""Where symbols stand may say that an answer is another one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkscan import Ink, load
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_tokens
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.interpretation import Looked
from inkscan.runtime.search import SearchSettings
from inkscan.runtime.standing import as_it_stands, with_standing
from inkscan.synthesis.generate import Generator

EXAMPLES = Path(__file__).parents[2] / "examples" / "ink"


def bar(left: float, right: float, top: float, bottom: float) -> list[tuple[float, float]]:
    """A stroke that fills its box; y runs downwards, and small letters stand from 0 to 100."""
    return [(left, top), (right, bottom)]


def written(
    tokens: str, *strokes: Sequence[tuple[float, float]]
) -> tuple[Ink, list[str], list[tuple[int, ...]]]:
    """An ink with one stroke for each token that is written, in their order."""
    labels = tokens.split()
    numbers = iter(range(len(strokes)))
    groups: list[tuple[int, ...]] = [
        () if label in ("{", "}", "^", "_", "[", "]") else (next(numbers),) for label in labels
    ]
    assert next(numbers, None) is None
    return Ink.from_points(strokes), labels, groups


def mended(tokens: str, *strokes: Sequence[tuple[float, float]]) -> str | None:
    found = as_it_stands(*written(tokens, *strokes))
    return None if found is None else " ".join(found.tokens)


@pytest.mark.parametrize(
    ("height", "read"), [(95, "x . a"), (86, "x . a"), (75, None), (40, None)]
)  # of the dot, on the way down from the top of the letters
def test_a_dot_on_the_line_is_a_point(height: float, read: str | None) -> None:
    x, a = bar(0, 90, 0, 100), bar(200, 290, 0, 100)
    assert mended(r"x \cdot a", x, bar(140, 142, height, height + 2), a) == read


def test_a_row_of_dots_has_to_stand_lower() -> None:
    plus = [bar(at, at + 100, -10, 96) for at in (0, 400)]
    assert mended(r"+ \cdots +", plus[0], bar(150, 350, 88, 92), plus[1]) is None
    assert mended(r"+ \cdots +", plus[0], bar(150, 350, 102, 106), plus[1]) == r"+ \ldots +"


def test_letters_with_tails_and_scripts_do_not_lower_the_line() -> None:
    y, squared, a = bar(0, 90, 0, 175), bar(95, 130, -60, 0), bar(200, 290, 0, 100)
    at_the_line = bar(160, 162, 99, 101)
    assert mended(r"y ^ { 2 } \cdot a", y, squared, at_the_line, a) == r"y ^ { 2 } . a"
    raised = bar(160, 162, 59, 61)  # and yet far above the foot of the y
    assert mended(r"y ^ { 2 } \cdot a", y, squared, raised, a) is None


def test_a_dot_within_a_script_is_measured_by_its_own_row() -> None:
    x = bar(0, 90, 0, 100)
    small = [bar(at, at + 40, -60, -10) for at in (100, 200)]
    assert mended(r"x ^ { a \cdot a }", x, small[0], bar(160, 161, -12, -11), small[1]) == r"x ^ { a . a }"
    assert mended(r"x ^ { a \cdot a }", x, small[0], bar(160, 161, -36, -35), small[1]) is None


def test_a_dot_with_no_letter_beside_it_is_left_alone() -> None:
    assert mended(r"\cdot", bar(0, 2, 0, 2)) is None


def test_what_begins_beyond_the_bar_of_a_root_does_not_stand_under_it() -> None:
    root = bar(0, 300, -50, 120)
    x, plus, y = (bar(at, at + 60, 0, 100) for at in (80, 320, 400))
    assert mended(r"\sqrt { x + y }", root, x, plus, y) == r"\sqrt { x } + y"
    index = bar(-20, 10, -60, -10)
    assert mended(r"\sqrt [ 3 ] { x + y }", root, index, x, plus, y) == r"\sqrt [ 3 ] { x } + y"


def test_a_bar_may_end_one_symbol_too_soon() -> None:
    root, x, y, squared = (
        bar(0, 200, -50, 120),
        bar(80, 140, 0, 100),
        bar(220, 280, 0, 100),
        bar(285, 300, -40, 0),
    )
    assert mended(r"\sqrt { x y ^ { 2 } }", root, x, y, squared) is None


def test_an_inner_root_gives_to_the_outer_one_what_that_covers_with_its_scripts() -> None:
    outer, inner = bar(0, 500, -80, 130), bar(60, 200, -50, 120)
    x, plus, y = bar(120, 180, 0, 100), bar(300, 360, 0, 100), bar(380, 440, 0, 100)
    minus, z, squared = bar(520, 580, 50, 52), bar(600, 660, 0, 100), bar(665, 680, -40, 0)
    assert (
        mended(r"\sqrt { \sqrt { x + y - z ^ { 2 } } }", outer, inner, x, plus, y, minus, z, squared)
        == r"\sqrt { \sqrt { x } + y } - z ^ { 2 }"
    )


def test_a_root_without_a_bar_keeps_what_stands_behind_it() -> None:
    x, plus, y = (bar(at, at + 60, 0, 100) for at in (60, 130, 200))
    assert mended(r"\sqrt { x + y }", bar(0, 50, 0, 100), x, plus, y) is None


@pytest.mark.parametrize(
    "tokens",
    [
        r"\sqrt { a b c } ^ { 3 }",  # whose script would change its owner
        r"\sqrt { - b c }",
        r"\sqrt { ( b c }",
        r"\sqrt { = b c }",
    ],
)
def test_a_root_keeps_what_it_cannot_give_away(tokens: str) -> None:
    strokes = [bar(0, 200, -50, 120), *(bar(at, at + 60, 0, 100) for at in (80, 220, 300, 380))]
    written_tokens = sum(token not in "{}^_" for token in tokens.split())
    assert mended(tokens, *strokes[:written_tokens]) is None


def test_an_index_is_not_closed_by_a_bracket_that_leaves_a_root_in_it() -> None:
    tokens = [r"\sqrt", r"[", r"\sqrt", r"{", r"a", r"]", r"b", r"}", r"]", r"{", r"x", r"}"]
    strokes = [(0,), (), (1,), (), (2,), (3,), (4,), (), (), (), (5,), ()]
    boxes = [(0, 500), (0, 50), (10, 40), (60, 90), (100, 130), (200, 300)]
    ink = Ink.from_points([bar(left, right, 0, 100) for left, right in boxes])
    assert as_it_stands(ink, tokens, strokes) is None


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6))
def test_whatever_stands_where_it_is_still_an_answer(seed: int) -> None:
    """Random expressions whose symbols stand anywhere: every token stays, and the grammar and the parser take it."""
    rng = np.random.default_rng(seed)
    (sample,) = Generator().samples(1, seed)
    labels, groups = list(sample.tokens), list(sample.alignment)
    places = rng.uniform(0, 300, (len(sample.ink), 2))
    ink = Ink.from_points([bar(x, x + 40, y, y + 40) for x, y in places])
    found = as_it_stands(ink, labels, groups)
    if found is not None:
        assert sorted(found.order) == list(range(len(labels)))
        assert to_tokens(parse_tokens(found.tokens)) == found.tokens


def test_every_row_of_the_answer_goes_with_its_token_and_the_old_answer_is_an_alternative() -> None:
    root, x, plus, y = bar(0, 200, -50, 120), *(bar(at, at + 60, 0, 100) for at in (80, 220, 300))
    ink, tokens, groups = written(r"\sqrt { x + y }", root, x, plus, y)
    numbers = CROHME.encode(tokens)
    log_probs = (-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7)
    other = Hypothesis(CROHME.encode(["x"]), (-3.0, -3.0), -2.0)
    alpha = np.arange(24, dtype=np.float32).reshape(6, 1, 4)
    found = Found((Hypothesis(numbers, log_probs, -1.0, ((alpha,),)), other))
    search = SearchSettings(standing=7.0, length_power=1.0)
    changed, looked = with_standing(
        ink, found, Looked(alpha[:, 0], tuple(groups)), CROHME, Constraint(CROHME), search
    )
    answer, old, last = changed.hypotheses
    assert CROHME.decode(answer.tokens) == ("\\sqrt", "{", "x", "}", "+", "y")
    assert answer.log_probs == (-0.1, -0.2, -0.3, -0.6, -0.4, -0.5, -0.7)
    assert answer.score == -1.0
    assert (old.tokens, old.score, last) == (numbers, -2.0, other)
    assert sum(old.log_probs) == pytest.approx(sum(answer.log_probs) - 7.0)  # it is no rival by its own ink
    assert looked.strokes == ((0,), (), (1,), (), (2,), (3,))
    np.testing.assert_array_equal(looked.alignment, alpha[[0, 1, 2, 5, 3, 4], 0])
    np.testing.assert_array_equal(changed.best.alphas[0][0], alpha[[0, 1, 2, 5, 3, 4]])


def test_nothing_is_mended_into_what_a_call_forbids() -> None:
    recognizer = load("onscan-wide")
    ink, tokens, groups = written(
        r"x \cdot a", bar(0, 90, 0, 100), bar(140, 142, 95, 97), bar(200, 290, 0, 100)
    )
    for forbid, read in (((), "."), ((".",), None)):
        allows = recognizer.constraint_of(SearchSettings(forbid=forbid)).allows
        found = as_it_stands(ink, tokens, groups, allows)
        assert (found and found.tokens[1]) == read


def test_the_cube_root_of_the_examples_ends_where_its_bar_does() -> None:
    ink = Ink.read(EXAMPLES / "cube-root.inkml")
    recognizer = load("onscan-wide")
    assert recognizer(ink, standing=0).latex == r"\sqrt[3]{x+y\leq 7}"  # what the network alone reads
    answer = recognizer(ink)
    assert answer.latex == r"\sqrt[3]{x+y}\leq 7"
    assert recognizer(ink, standing=0).latex in [one.latex for one in answer.alternatives]
    (seven,) = [symbol for symbol in answer.symbols if symbol.token == "7"]
    assert seven.strokes == (9, 10)
