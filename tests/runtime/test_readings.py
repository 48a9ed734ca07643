"""Ink in several orders: the better answer is given, and its strokes are numbered as they were written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.runtime.test_voting import voting
from tests.web import inks as polynomial

from inkscan.ink import Ink
from inkscan.ink.forward import forward
from inkscan.ink.reading_order import in_reading_order
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.member import member_of
from inkscan.runtime.models import find_model, read_model
from inkscan.runtime.readings import (
    MENDED_STROKES,
    TWICE_STROKES,
    Read,
    ReadingPlan,
    is_near,
    is_sure,
)
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer

EXAMPLES = Path(__file__).parents[2] / "examples" / "ink"
NAMES = ("euler", "pythagoras", "trigonometry", "polynomial", "quadratic", "limit")


@pytest.fixture(scope="module")
def both() -> Recognizer:
    return Recognizer([member_of(read_model(find_model("onscan-wide")))])


@pytest.fixture(scope="module")
def one(both: Recognizer) -> Recognizer:
    """The same model that reads as written only."""
    (member,) = both.members
    return Recognizer([replace(member, info=replace(member.info, reading_order=False))])


@pytest.fixture(scope="module")
def inks() -> list[Ink]:
    return [Ink.read(EXAMPLES / f"{name}.inkml") for name in NAMES]


def shuffled(ink: Ink, seed: int) -> Ink:
    return ink.only(np.random.default_rng(seed).permutation(len(ink)).tolist())


def drawn(answer: Recognition) -> list[tuple[str, set[bytes]]]:
    """Each symbol with the points of its strokes, whatever their numbers."""
    return [
        (symbol.token, {answer.ink.strokes[stroke].xy.tobytes() for stroke in symbol.strokes})
        for symbol in answer.symbols
    ]


def test_the_order_of_writing_does_not_matter_and_strokes_keep_their_numbers(
    both: Recognizer, one: Recognizer, inks: list[Ink]
) -> None:
    lost = 0
    for seed, ink in enumerate(inks):
        sorted_ink, mixed = ink.only(in_reading_order(ink)), shuffled(ink, seed)
        truth, answer = one(sorted_ink), both(mixed)
        assert (answer.tokens, drawn(answer)) == (truth.tokens, drawn(truth))
        assert answer.ink is mixed and answer.ink_as_read == forward(sorted_ink)
        strokes = [s for symbol in answer.symbols for s in symbol.strokes]
        assert sorted([*strokes, *answer.unread]) == list(range(len(mixed)))  # none is lost or counted twice
        np.testing.assert_allclose(answer.alignment.sum(axis=1), 1, rtol=1e-4)
        places = in_reading_order(mixed)  # the alignment has the numbers of the strokes, too
        np.testing.assert_allclose(answer.alignment[:, places], truth.alignment, atol=1e-4)
        lost += one(mixed).tokens != truth.tokens
    assert lost >= 4  # as written alone most of them are misread: this test can fail


def test_many_inks_are_read_as_each_by_itself(both: Recognizer, inks: list[Ink]) -> None:
    mixed = [*inks, *(shuffled(ink, seed) for seed, ink in enumerate(inks))]
    for alone, answer in zip(map(both, mixed), both.many(mixed), strict=True):
        assert (answer.tokens, drawn(answer)) == (alone.tokens, drawn(alone))
        assert answer.ink_as_read == alone.ink_as_read


def test_an_ink_in_reading_order_is_read_once(both: Recognizer, inks: list[Ink]) -> None:
    ink = forward(inks[0].only(in_reading_order(inks[0])))
    plan = ReadingPlan.of(ink)
    read = both._reader.read([both._reader.reading(ink, None)], both._task(None, {}, None))
    assert plan.at_once == [None] and plan.next(read) is None
    assert both(ink).ink_as_read is ink


@pytest.mark.parametrize(
    ("order", "near"),
    [
        ((0, 1, 2, 3), True),
        ((1, 0, 2, 3), True),  # neighbours changed places
        ((1, 0, 3, 2), True),
        ((3, 0, 1, 2), False),  # the leftmost stroke was written last
        ((0, 1, 3, 2), True),
        ((2, 0, 1, 3), False),
        ((1, 2, 3, 0), False),  # what stands last was written first
    ],
)
def test_orders_that_hardly_differ(order: tuple[int, ...], near: bool) -> None:
    assert is_near(order) == near


def test_a_sure_answer_to_ink_nearly_in_order_is_not_read_again(
    both: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    ink = inks[0].only(in_reading_order(inks[0]))
    plus = next(s.strokes for s in both(ink).symbols if s.token == "+")
    places = list(range(len(ink)))
    places[plus[0]], places[plus[1]] = plus[1], plus[0]
    swapped = ink.only(places)  # the strokes of + in the other order
    searched: list[int] = []
    search = both._reader.read
    monkeypatch.setattr(both._reader, "read", lambda r, task: searched.append(len(r)) or search(r, task))  # type: ignore[func-returns-value]
    assert both(swapped).tokens == both(ink).tokens and searched == [1, 1]
    monkeypatch.setattr("inkscan.runtime.readings.is_sure", lambda found: False)
    searched.clear()
    both(swapped)
    assert searched == [1, 1]
    searched.clear()
    monkeypatch.setattr("inkscan.runtime.readings.MENDED_STROKES", 0)  # no third reading
    both.many([swapped, shuffled(inks[1], 1)])
    assert sum(searched) == 4


def test_an_answer_is_sure_by_its_tokens_on_average() -> None:
    def found(*log_probs: float) -> Found:
        return Found((Hypothesis((1,), log_probs, 0.0),))

    assert is_sure(found(-0.29, -0.0)) and not is_sure(found(-0.31, -0.0))


@pytest.mark.parametrize("length", [50, 35, 20])
def test_a_minus_written_last_in_front_is_read_however_short(both: Recognizer, length: int) -> None:
    late = polynomial.line(175 - length, 187, 175, 187, 8)
    answer = both(Ink.from_points([*polynomial.POLYNOMIAL, late]))
    assert (answer.latex, answer.unread) == ("-x^{2}+1", ())


def leaving(one: Read, unread: int) -> Read:
    """The same with its first strokes unread, and all others read by its first token."""
    tokens, strokes = one.looked.alignment.shape
    groups = (tuple(range(unread, strokes)), *((),) * (tokens - 1))
    return replace(one, looked=replace(one.looked, strokes=groups))


def test_an_answer_that_leaves_strokes_unread_loses_however_likely_it_is(
    both: Recognizer, inks: list[Ink]
) -> None:
    mixed = shuffled(inks[0], 0)
    task = both._task(None, {}, None)
    question = both._question(mixed, task)
    plan = question.plan
    read = both._reader.read([both._reader.reading(plan.ink, order) for order in plan.at_once], task)
    scores = [one.found.best.score for one in read]
    assert len(read) == 2 and len({one.answer for one in read}) == 2
    for unread, best in (((0, 0), scores.index(max(scores))), ((0, 1), 0), ((2, 1), 1)):
        answer = question.answer(list(map(leaving, read, unread)))
        assert (answer.ink_as_read is mixed) == (best == 0)
        assert answer.tokens == both.vocabulary.decode(read[best].answer)
        probabilities = [other.probability for other in answer.alternatives]
        assert sum(probabilities) <= 1 + 1e-9 and max(probabilities) == probabilities[0]


def test_readings_that_disagree_call_for_what_came_late_to_be_put_back() -> None:
    def late(count: int) -> Ink:
        row: list[list[tuple[float, float]]] = [[(20 * at, 0), (20 * at, 10)] for at in range(count)]
        return Ink.from_points([row[0], *row[2:], row[1]])

    plan, agreed, parted = (
        ReadingPlan.of(late(6)),
        voting([(1, -0.5)], [(1, -0.2)]),
        voting([(1, -0.5)], [(2, -0.2)]),
    )
    straight = (0, 5, 1, 2, 3, 4)
    assert plan.at_once == [None, straight] and plan.next(agreed) is None
    assert plan.next(parted) is None  # it would be the reading order again
    ink = late(6)
    turned = ink.only([1, 0, 2, 3, 4, 5])  # as someone writes who begins with the second stroke
    assert (mended := ReadingPlan.of(turned).next(parted)) and turned.only(mended) != turned
    assert (
        ReadingPlan.of(late(MENDED_STROKES + 1).only([1, 0, *range(2, MENDED_STROKES + 1)])).next(parted)
        is None
    )
    assert ReadingPlan.of(turned).next([*parted, *parted]) is None
    assert len(ReadingPlan.of(late(TWICE_STROKES)).at_once) == 2
    assert ReadingPlan.of(late(TWICE_STROKES + 1)).at_once == [None]


def test_slanted_ink_is_read_upright_and_answered_where_it_was_written(both: Recognizer) -> None:
    written = Ink.read(EXAMPLES / "trigonometry.inkml")
    slanted = Ink.from_points([stroke.xy @ np.array([[1.0, 0.0], [-0.5, 1.0]]) for stroke in written])
    assert ReadingPlan.of(slanted).ink is not slanted
    answer = both(slanted)
    assert answer.latex == both(written).latex
    assert answer.ink is slanted and answer.ink_as_read is not slanted
    for symbol in answer.symbols:
        assert symbol.box == slanted.box(symbol.strokes)
