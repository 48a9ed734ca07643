"""Readings vote, and what single symbols look like weighs answers that come close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from inkscan.ink import Ink
from inkscan.runtime.beam import Found, Hypothesis
from inkscan.runtime.calibration import AGREED, Agreement
from inkscan.runtime.interpretation import Looked
from inkscan.runtime.language import Fluency
from inkscan.runtime.readings import Read, Reading
from inkscan.runtime.search import SearchSettings
from inkscan.runtime.symbol_shapes import SegmentedAnswer, Shapes
from inkscan.runtime.voting import CLOSE, TRUST, best_of, merged, repetition

SEARCH = SearchSettings()
LOOKED = Looked(np.ones((1, 1), np.float32), ((0,),))
DECODES = SimpleNamespace(vocabulary=SimpleNamespace(decode=lambda tokens: tuple(map(str, tokens))))


def found(*scored: tuple[int, float], where: str = "") -> Found:
    alphas = cast(Any, (where,))
    return Found(tuple(Hypothesis((token,), (score,), score, alphas) for token, score in scored))


def voting(*readings: list[tuple[int, float]], unread: Sequence[int] = ()) -> list[Read]:
    """Readings with hypotheses of one token and a score; of those in `unread` no stroke is read by any answer."""

    def looked(at: int) -> Looked:
        return replace(LOOKED, strokes=((),)) if at in unread else LOOKED

    return [
        Read(
            Reading(Ink.from_points([[(at, 0), (at, 1)]]), None, ()),
            found(*scored, where=str(at)),
            looked(at),
            cast(Any, DECODES),
            lambda hypothesis, at=at: looked(at),  # type: ignore[misc]
        )
        for at, scored in enumerate(readings)
    ]


class Likes:
    """Shapes that look like some tokens, and how well."""

    def __init__(self, **looks: float) -> None:
        self.looks = looks
        self.asked: list[list[str]] = []

    def weigh(self, answers: Sequence[SegmentedAnswer]) -> list[float]:
        self.asked.append([" ".join(answer.tokens) for answer in answers])
        return [self.looks.get(f"t{answer.tokens[0]}", 0.0) for answer in answers]


def shapes(likes: Likes) -> Shapes:
    return cast(Shapes, likes)


def test_hypotheses_of_all_readings_are_ranked_once_after_the_answer() -> None:
    best = found((1, -0.5), (2, -3.0))
    ranked = merged(best.best, best, found((3, -1.0), (1, -2.0), (2, -2.5)))
    assert [(h.tokens[0], h.score) for h in ranked.hypotheses] == [(1, -0.5), (3, -1.0), (2, -2.5)]


def test_of_one_model_alone_the_share_of_the_votes_tells_nothing_more() -> None:
    read = voting([(7, 0.0), (1, -1.0)], [(7, 0.0)])
    alone = best_of(read, SEARCH).agreement
    assert alone is not None and not alone.are_several and alone.kind not in AGREED
    of_another_model = replace(read[1], interpreter=cast(Any, object()))
    together = best_of([read[0], of_another_model], SEARCH).agreement
    assert together is not None and together.kind == "several"
    assert together.share == alone.share == pytest.approx(2 / (2 + np.exp(-TRUST)))


def test_the_answer_that_most_readings_find_likely_wins() -> None:
    alone, together = [(7, -0.3), (1, -1.0)], [(5, -0.4), (1, -1.0)]
    best = best_of(voting(alone, together, together), SEARCH)
    assert best.answer == (5,) and best.found.best.alphas == ("1",)  # type: ignore[comparison-overlap]
    assert [h.tokens[0] for h in best.found.hypotheses] == [5, 7, 1]
    assert best_of(voting(alone, together), SEARCH).answer == (7,)
    second = [(8, -0.35), (5, -0.36)]  # an answer is found in second place, too
    assert best_of(voting(alone, together, second), SEARCH).answer == (5,)


def test_of_two_readings_with_one_answer_the_likelier_counts_and_then_the_first() -> None:
    for scores, chosen in (((-0.5, -0.2), "1"), ((-0.2, -0.2), "0")):
        best = best_of(voting(*([(1, score)] for score in scores)), SEARCH)
        assert best.found.best.alphas == (chosen,)  # type: ignore[comparison-overlap]


def test_what_symbols_look_like_decides_between_answers_that_come_close() -> None:
    read = voting([(7, -0.3), (1, -0.5)])
    for difference, chosen in ((0.1, 7), (0.3, 1)):  # TRUST times it against 0.6 nats of votes
        likes = Likes(t1=difference)
        best = best_of(read, replace(SEARCH, shapes=TRUST), shapes(likes))
        assert best.answer == (chosen,)
        assert likes.asked == [["7", "1"]]
        assert best.agreement is not None and best.agreement.kind == "one weighed"
    # What was likelier is the first alternative.
    assert [h.tokens[0] for h in best.found.hypotheses] == [1, 7]
    assert best_of(read, replace(SEARCH, shapes=0.0), shapes(Likes(t1=9.0))).answer == (7,)


def test_the_share_counts_what_symbols_look_like() -> None:
    read = voting([(7, -0.3), (1, -0.5)])
    search = replace(SEARCH, shapes=TRUST)
    shares = [best_of(read, search, shapes(Likes(t1=-against))).agreement for against in (0.0, 0.5, 2.0)]
    sure = [cast(Agreement, one).share for one in shares]
    assert sure == sorted(set(sure)) and sure[0] == pytest.approx(1 / (1 + np.exp(-0.6)))


def test_an_answer_that_says_a_symbol_again_has_more_votes() -> None:
    (one,) = voting([(7, -0.3)])
    again, other = (Hypothesis(tokens, (), score) for tokens, score in (((7, 1, 7), -0.5), ((7, 1, 2), -0.3)))
    read = [replace(one, found=Found((other, again)))]
    for repeats, chosen in ((0.8, other), (0.95, again)):  # times log 2, against 0.6 nats of votes
        best = best_of(read, replace(SEARCH, repeats=repeats))
        assert best.answer == chosen.tokens and set(best.found.hypotheses) == {again, other}


def test_repetition_counts_letters_and_digits_alone() -> None:
    assert repetition((*"x^{2}+x^{2}+x+", "\\pi", "\\pi")) == pytest.approx(np.log(3) + 2 * np.log(2))
    assert repetition(tuple("(a)^{b}-(-c)_{d}")) == 0.0


def test_answers_far_behind_are_not_looked_at() -> None:
    likes = Likes(t1=99.0)
    far = -0.3 - CLOSE / TRUST - 0.1
    assert best_of(voting([(7, -0.3), (1, far)]), SEARCH, shapes(likes)).answer == (7,)
    assert not likes.asked  # nor is the only one that is left
    assert best_of(voting([(7, -0.3)], [(1, far)]), SEARCH, shapes(likes)).answer == (7,)
    assert not likes.asked  # what another reading found likeliest is no exception


def test_how_far_behind_is_told_from_the_answers_that_may_be_chosen() -> None:
    likes = Likes(t1=9.0)
    read = voting([(9, 2.0)], [(7, -0.3), (1, -0.4)], unread=[0])
    assert best_of(read, SEARCH, shapes(likes)).answer == (1,)
    assert likes.asked == [["7", "1"]]


def test_an_answer_whose_symbols_stand_otherwise_is_none_to_choose() -> None:
    (one,) = voting([(7, -0.3), (1, -0.31)])
    for look, chosen in ((one.look, 1), (lambda hypothesis: None, 7)):
        read = [replace(one, look=look)]
        assert best_of(read, SEARCH, shapes(Likes(t1=9.0))).answer == (chosen,)


def test_an_answer_that_leaves_strokes_unread_is_out_whatever_it_looks_like() -> None:
    read = voting([(7, -0.3), (1, -0.4)], [(5, -0.6)], unread=[0])
    assert best_of(read, SEARCH, shapes(Likes(t1=9.0, t7=9.0))).answer == (5,)
    alone = voting([(7, -0.3), (1, -0.4)], unread=[0])  # where all leave them, they are all in
    assert best_of(alone, SEARCH, shapes(Likes(t1=99.0))).answer == (1,)


def test_strokes_are_told_as_the_ink_has_them() -> None:
    (one,) = voting([(7, -0.3), (1, -0.4)])
    looked = Looked(np.ones((1, 3), np.float32), ((0, 2),))
    turned = replace(
        one, reading=replace(one.reading, order=(4, 3, 1)), looked=looked, look=lambda hypothesis: looked
    )
    seen: list[SegmentedAnswer] = []

    class Watching(Likes):
        def weigh(self, answers: Sequence[SegmentedAnswer]) -> list[float]:
            seen.extend(answers)
            return super().weigh(answers)

    best_of([turned], SEARCH, shapes(Watching()))
    assert seen == [SegmentedAnswer(("7",), ((1, 4),)), SegmentedAnswer(("1",), ((1, 4),))]


class Says:
    """Fluency of some tokens."""

    def __init__(self, **said: float) -> None:
        self.said = said
        self.asked: list[list[tuple[int, ...]]] = []

    def of(self, answers: Sequence[tuple[int, ...]]) -> list[float]:
        self.asked.append(list(answers))
        return [self.said.get(f"t{answer[0]}", -9.0) for answer in answers]


def fluency(says: Says) -> Fluency:
    return cast(Fluency, says)


def test_what_formulas_usually_say_decides_between_answers_that_come_close() -> None:
    read = voting([(7, -0.3), (1, -0.5)])
    search = replace(SEARCH, shapes=TRUST, fluency=TRUST)
    for likelier, chosen in ((0.1, 7), (0.3, 1)):  # against 0.2 in scores
        says = Says(t7=-2.0, t1=-2.0 + likelier)
        best = best_of(read, search, fluency=fluency(says))
        assert best.answer == (chosen,) and says.asked == [[(7,), (1,)]]
        assert best.agreement is not None and best.agreement.kind == "one weighed"
    says = Says(t7=-2.0, t1=-1.7)
    assert best_of(read, search, shapes(Likes(t7=0.2)), fluency(says)).answer == (7,), "both are added"
    assert best_of(read, replace(search, fluency=0.0), fluency=fluency(Says(t1=9.0))).answer == (7,)
