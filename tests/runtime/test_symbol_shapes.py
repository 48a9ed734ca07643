"""What the symbols of answers look like, in exact numbers of a classifier that is not one."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from inkscan.features.symbol_pictures import StrokeGroup
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.network import Float32
from inkscan.runtime.symbol_shapes import FLOOR, WITHOUT_STROKES, SegmentedAnswer, Shapes

VOCABULARY = Vocabulary(("<eos>", "x", "y", "z", "^", "{", "}"))
CLASSES = len(VOCABULARY) + 1
INK = Ink.from_points([[(x, 0), (x, 9)] for x in range(4)])
ANY = Constraint(VOCABULARY)


class Table:
    """A classifier with the scores of some groups by token, 0 where none is given."""

    def __init__(self, **scores: float) -> None:
        self.info = SimpleNamespace(vocabulary=VOCABULARY)
        self.scores_of = scores
        self.asked: list[list[StrokeGroup]] = []

    def scores(self, ink: Ink, groups: Sequence[StrokeGroup]) -> Float32:
        assert ink is INK
        self.asked.append(list(groups))
        row = [self.scores_of.get(token, 0.0) for token in (*VOCABULARY.tokens, "none")]
        return np.array([row] * len(groups), np.float32)


def shapes(table: Table, constraint: Constraint = ANY) -> Shapes:
    return Shapes(cast(Any, table), INK, constraint)


def answer(*symbols: tuple[str, StrokeGroup]) -> SegmentedAnswer:
    return SegmentedAnswer(tuple(token for token, _ in symbols), tuple(group for _, group in symbols))


NOTHING = answer()


def test_symbols_are_as_likely_as_the_classifier_says() -> None:
    table = Table(x=2.0, y=1.0)
    total = exp(2) + exp(1) + CLASSES - 2
    found = shapes(table).weigh([answer(("x", (0,)), ("y", (1,))), answer(("z", (0, 1)))])
    assert found == pytest.approx([log(exp(2) / total) + log(exp(1) / total), log(1 / total)], rel=1e-6)


def test_symbols_that_all_answers_have_alike_are_not_counted() -> None:
    table = Table(x=2.0)
    same = ("x", (0,))
    found = shapes(table).weigh([answer(same, ("y", (1,))), answer(same, ("z", (1,))), answer(same)])
    assert found == pytest.approx([-log(exp(2) + CLASSES - 1)] * 2 + [0.0], rel=1e-6)
    assert table.asked == [[(1,)]]
    assert shapes(table).weigh([answer(same), answer(same)]) == [0.0, 0.0]
    assert len(table.asked) == 1


def test_a_token_on_other_strokes_is_another_symbol() -> None:
    table = Table(x=2.0)
    found = shapes(table).weigh([answer(("x", (0,))), answer(("x", (0, 1)))])
    assert found[0] == found[1] < 0
    assert table.asked == [[(0,), (0, 1)]]


def test_a_symbol_that_an_answer_has_more_often_counts_so_often() -> None:
    twice, once = (answer(*[("x", ())] * count) for count in (3, 1))
    assert shapes(Table()).weigh([twice, once]) == [2 * WITHOUT_STROKES, 0.0]


def test_a_symbol_without_strokes_is_not_looked_at() -> None:
    table = Table()
    assert shapes(table).weigh([answer(("x", ())), NOTHING]) == [WITHOUT_STROKES, 0.0]
    assert table.asked == []


def test_what_no_stroke_writes_does_not_count() -> None:
    power = answer(("x", (0,)), ("^", ()), ("{", ()), ("y", (1,)), ("}", ()))
    row = answer(("x", (0,)), ("y", (1,)))
    assert shapes(Table(x=3.0)).weigh([power, row]) == [0.0, 0.0]


def test_no_symbol_speaks_louder_than_the_floor() -> None:
    for lead, wanted in ((-FLOOR - 1, 1 + FLOOR), (-FLOOR + 1, FLOOR), (1e4, FLOOR)):
        found = shapes(Table(x=lead)).weigh([answer(("y", (0,))), NOTHING])
        assert found == pytest.approx([wanted, 0.0], abs=1e-3)


def test_what_may_not_be_answered_has_no_probability_and_the_rest_sums_to_one() -> None:
    scores = {"x": 1.0, "y": 5.0, "z": 2.0, "none": 1.5, "^": -1.0}
    forbidding = Constraint(VOCABULARY, forbid=("y",))
    found = {
        token: shapes(Table(**scores), forbidding).weigh([answer((token, (0,))), NOTHING])[0]
        for token in "xyz"
    }
    assert found["y"] == FLOOR
    rest = sum(exp(scores.get(token, 0.0)) for token in (*VOCABULARY.tokens, "none") if token != "y")
    assert found["x"] == pytest.approx(1.0 - log(rest), rel=1e-6)
    assert found["z"] == pytest.approx(2.0 - log(rest), rel=1e-6)
    allowing = Constraint(VOCABULARY, allow=("x",))
    (only,) = shapes(Table(x=1.0, none=1.0, y=9.0, z=9.0), allowing).weigh([answer(("x", (0,))), NOTHING])[:1]
    possible = [token for token in VOCABULARY.tokens if allowing.allows(token)]
    assert only == pytest.approx(1.0 - log(2 * exp(1.0) + len(possible) - 1), rel=1e-6)


def test_each_group_is_looked_at_once() -> None:
    table = Table()
    one = shapes(table)
    first = one.weigh([answer(("x", (1,)), ("y", (0,))), answer(("z", (1,))), answer(("y", (0, 1)))])
    assert table.asked == [[(0,), (0, 1), (1,)]]
    assert one.weigh([answer(("x", (1,)), ("y", (0,))), answer(("z", (1,))), answer(("y", (0, 1)))]) == first
    one.weigh([answer(("y", (1,))), answer(("z", (2,)))])
    assert table.asked[1:] == [[(2,)]]
