"""A second model is asked where the first is in doubt, and their readings vote."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest

from inkscan import Ink, Recognizer, load
from inkscan.errors import DamagedModel, InkTooLarge
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime import recognizer as recognizer_module
from inkscan.runtime.beam import Found
from inkscan.runtime.bench import measure
from inkscan.runtime.calibration import Agreement, with_agreement
from inkscan.runtime.interpretation import UNREAD
from inkscan.runtime.member import member_of
from inkscan.runtime.models import DEFAULT, find_model, read_model
from inkscan.runtime.reader import Reader, SecondOpinion, Task
from inkscan.runtime.readings import Read, Reading
from inkscan.synthesis.generate import Generator

EXPORTED = read_model(find_model(DEFAULT))


@pytest.fixture(scope="module")
def inks() -> list[Ink]:
    """Scrawls, some of which leave a doubt."""
    return [sample.ink for sample in Generator(care=0.0, max_symbols=12).samples(6, seed=0)]


@pytest.fixture
def twice() -> Recognizer:
    """A model whose second opinion is its own."""
    return Recognizer([member_of(EXPORTED)], second=SecondOpinion(EXPORTED))


def counted(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many readings each call of a reader has, in a list that grows with them."""
    sizes: list[int] = []
    read = reader.read

    def read_and_count(readings: Sequence[Reading], task: Task) -> list[Read]:
        sizes.append(len(readings))
        return read(readings, task)

    monkeypatch.setattr(reader, "read", read_and_count)
    return sizes


def asked_by(twice: Recognizer, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    assert twice.second is not None
    return counted(twice.second.reader, monkeypatch)


def test_only_doubtful_inks_are_read_by_the_second_model(
    twice: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, read = asked_by(twice, monkeypatch), counted(twice._reader, monkeypatch)
    settled = 0
    for ink in inks:
        read.clear()
        alone = twice(ink, doubt=0.0)
        assert asked == []
        is_settled = len(read) == 1  # and no further reading makes it surer
        if is_settled:
            settled += 1
            twice(ink, doubt=alone.confidence)
            assert asked == []
        answer = twice(ink, doubt=min(alone.confidence + 1e-6, 1.0))
        assert asked
        assert not is_settled or answer.tokens == alone.tokens  # it has no other opinion
        asked.clear()
    assert settled


def test_in_doubt_the_second_model_is_asked_before_the_first_reads_again(
    twice: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, read = asked_by(twice, monkeypatch), counted(twice._reader, monkeypatch)
    again = 0
    for ink in inks:
        read.clear()
        twice(ink, doubt=0.0)
        again += len(read) > 1
        read.clear()
        twice(ink, doubt=1.0)
        assert len(read) == 1 and asked
        asked.clear()
    assert again  # left to itself it reads some of them again


def test_many_inks_are_answered_as_one_by_one(twice: Recognizer, inks: list[Ink]) -> None:
    doubt = 0.9
    answers = twice.many(inks, doubt=doubt)
    assert any(answer.confidence < doubt for answer in answers)
    for ink, answer in zip(inks, answers, strict=True):
        alone = twice(ink, doubt=doubt)
        assert (answer.latex, [s.strokes for s in answer.symbols]) == (
            alone.latex,
            [s.strokes for s in alone.symbols],
        )
        assert answer.confidence == pytest.approx(alone.confidence, abs=1e-4)


def only(tokens: tuple[int, ...], found: Found) -> Found:
    """The same with these tokens alone, and more than sure, where they were found."""
    sure = [replace(one, score=1.0) for one in found.hypotheses if one.tokens == tokens]
    return replace(found, hypotheses=tuple(sure)) if sure else found


def test_the_second_model_can_change_the_answer_and_then_says_its_name(
    twice: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second model that is sure of what the first had in second place."""
    ink, before = next((ink, answer) for ink in inks if len((answer := twice(ink, doubt=0)).alternatives) > 1)
    other = before.alternatives[1].tokens
    assert twice.second is not None
    second = Reader([member_of(replace(EXPORTED, info=replace(EXPORTED.info, name="second")))])
    read = second.read

    def convinced(readings: Sequence[Reading], task: Task) -> list[Read]:
        tokens = tuple(twice.vocabulary.encode(other))
        return [replace(one, found=only(tokens, one.found)) for one in read(readings, task)]

    monkeypatch.setattr(second, "read", convinced)
    monkeypatch.setitem(vars(twice.second), "reader", second)
    monkeypatch.setattr("inkscan.runtime.interpretation.Looked.unread", ())
    answer = twice(ink, doubt=1.0)
    assert (answer.tokens, answer.model) == (other, "second")
    assert before.tokens in [alternative.tokens for alternative in answer.alternatives]


def test_the_more_the_models_agree_the_surer_is_the_answer(twice: Recognizer, inks: list[Ink]) -> None:
    def votes(share: float) -> Agreement:
        return Agreement(share, are_several=True, is_weighed=False)

    sure = [with_agreement(0.4, votes(share)) for share in (0.0, 0.2, 0.5, 0.9, 1.0)]
    assert sure == sorted(set(sure)) and sure[0] > 0 and sure[-1] < 1
    assert with_agreement(0.2, votes(0.5)) < with_agreement(0.6, votes(0.5))
    changed = [twice(ink, doubt=1.0).confidence != twice(ink, doubt=0).confidence for ink in inks]
    assert all(changed)  # the same model twice is of one mind, but its votes are counted


def test_however_the_models_agree_an_answer_that_leaves_strokes_unread_is_not_sure(
    twice: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inkscan.runtime.interpretation.Looked.unread", {0})
    assert all(twice(ink, doubt=1.0).confidence <= UNREAD for ink in inks)


def test_an_ink_that_is_too_much_for_the_second_model_keeps_its_first_answer(
    twice: Recognizer, inks: list[Ink], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert twice.second is not None
    first = twice(inks[0], doubt=0)
    asked = asked_by(twice, monkeypatch)

    def refuse(ink: Ink) -> None:
        raise InkTooLarge("its image")

    monkeypatch.setattr(recognizer_module, "SECOND_STROKES", len(inks[0]) - 1)
    assert twice(inks[0], doubt=1.0).latex == first.latex and not asked
    monkeypatch.setattr(recognizer_module, "SECOND_STROKES", 99)
    monkeypatch.setattr(twice.second.reader, "features", refuse)
    assert twice(inks[0], doubt=1.0).latex == first.latex and not asked


def test_it_is_made_ready_when_it_is_first_asked_and_travels_to_other_processes(inks: list[Ink]) -> None:
    twice = Recognizer([member_of(EXPORTED)], second=SecondOpinion(EXPORTED))
    twice(inks[0], doubt=0)
    assert twice.second is not None and "reader" not in vars(twice.second)
    twice(inks[0], doubt=1.0)
    assert "reader" in vars(twice.second)
    copy = pickle.loads(pickle.dumps(twice.with_search(beam=3)))
    assert copy.second is not None and copy(inks[0], doubt=1.0).latex


def test_it_needs_the_alphabet_of_the_first() -> None:
    other = replace(EXPORTED.info, vocabulary=Vocabulary(("<eos>", "x")))
    with pytest.raises(DamagedModel, match="the vocabulary of the first"):
        Recognizer([member_of(EXPORTED)], second=SecondOpinion(replace(EXPORTED, info=other)))


def test_a_model_that_is_named_reads_alone() -> None:
    assert load(DEFAULT).second is None


def test_its_time_is_measured_too(twice: Recognizer, inks: list[Ink]) -> None:
    never, always = (measure(twice, inks[:2], doubt=doubt) for doubt in (0.0, 1.0))
    assert always.steps > 1.3 * never.steps
    assert never.encoder_ms > 0 and always.encoder_ms > 0


def test_a_damaged_second_model_can_be_refused_before_it_is_asked(inks: list[Ink]) -> None:
    damaged = Recognizer([member_of(EXPORTED)], second=SecondOpinion(replace(EXPORTED, step=b"not a graph")))
    with pytest.raises(DamagedModel, match="step"):
        damaged.open_all()
    damaged(inks[0], doubt=0)
    Recognizer([member_of(EXPORTED)]).open_all()  # there is none
