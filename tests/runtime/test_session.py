from __future__ import annotations

from threading import Event, Thread

import numpy as np
import pytest

from inkscan import Ink, Recognition, Recognizer, Session, Stroke
from inkscan.errors import BadRequest
from inkscan.runtime.session import MAX_UNDO_POINTS


def test_the_answer_follows_the_strokes(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    assert session.recognize().recognition is None
    session.add(*inks[0].strokes)
    assert answer_of(session).tokens == recognizer(inks[0]).tokens
    session.add(*inks[1].strokes)
    session.undo()
    assert session.strokes == inks[0].strokes
    session.redo()
    assert session.strokes == inks[0].strokes + inks[1].strokes
    session.remove(range(len(inks[0])))
    assert answer_of(session).tokens == recognizer(inks[1]).tokens
    session.clear()
    assert session.recognize().recognition is None
    session.undo()
    assert answer_of(session).tokens == recognizer(inks[1]).tokens


def test_undo_and_redo_stop_at_the_ends(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    assert session.undo() == session.redo() == 0
    session.add(inks[0].strokes[0])
    session.undo()
    session.add(inks[1].strokes[0])
    session.redo()
    assert session.strokes == inks[1].strokes[:1]


def test_a_stroke_that_is_not_there_cannot_be_removed(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    session.add(inks[0].strokes[0])
    with pytest.raises(BadRequest, match="numbered from 0"):
        session.remove([1])
    for nothing in (0.5, "a"):
        with pytest.raises(BadRequest, match="numbered from 0"):
            session.remove([nothing])  # type: ignore[list-item]
    assert len(session.strokes) == 1


def test_what_changes_nothing_is_no_step(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    first = session.add(inks[0].strokes[0])
    assert session.change() == session.remove([]) == first
    session.undo()
    assert len(session.strokes) == 0
    assert session.clear() == session.clear()


def test_strokes_are_exchanged_in_one_change(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    session.add(*inks[0].strokes[:2])
    assert session.change(remove=[0], add=inks[1].strokes[:2]) == 2
    assert session.strokes == inks[0].strokes[1:2] + inks[1].strokes[:2]
    session.undo()
    assert session.strokes == inks[0].strokes[:2]


def test_only_strokes_can_be_added(recognizer: Recognizer) -> None:
    session = Session(recognizer)
    with pytest.raises(TypeError, match=r"not a list: Stroke\(points\) makes one"):
        session.add([(0, 0), (1, 1)])  # type: ignore[arg-type]
    assert session.version == 0


@pytest.mark.parametrize(
    ("strokes", "points", "most"),
    [(10, 5_000, MAX_UNDO_POINTS), (500, 1, MAX_UNDO_POINTS // 10)],  # a dot is more than its one point
)
def test_the_history_is_bounded_in_points(
    recognizer: Recognizer, strokes: int, points: int, most: int
) -> None:
    session = Session(recognizer)
    for number in range(60):
        ink = [Stroke(np.full((points, 2), number)) for _ in range(strokes)]
        session.change(remove=range(len(session.strokes)), add=ink)
    versions = [session.strokes]
    while session.undo() and session.strokes != versions[-1]:
        versions.append(session.strokes)
    assert 2 <= len(versions) < 60
    assert sum(len(stroke) for version in versions for stroke in version) <= most
    for version in reversed(versions[:-1]):
        session.redo()
        assert session.strokes == version


def test_strokes_that_versions_share_count_once(recognizer: Recognizer) -> None:
    session = Session(recognizer)
    for number in range(300):  # 300 strokes of 100 points: 4.5 million points in all versions
        session.add(Stroke(np.full((100, 2), number)))
    for _ in range(300):
        session.undo()
    assert session.strokes == ()


def test_an_unchanged_ink_is_not_read_again(recognizer: Recognizer, inks: list[Ink]) -> None:
    session = Session(recognizer)
    session.add(*inks[0].strokes)
    assert session.recognize() is session.recognize()


def test_a_slow_answer_to_old_ink_does_not_replace_a_newer_one(
    recognizer: Recognizer, inks: list[Ink]
) -> None:
    started, go_on = Event(), Event()

    class Slow(Recognizer):
        def __call__(self, ink: Ink, **changes: object) -> Recognition:
            if len(ink) == 1:
                started.set()
                go_on.wait(10)
            return super().__call__(ink)

    session = Session(Slow(recognizer.members))
    session.add(inks[0].strokes[0])
    results = []
    thread = Thread(target=lambda: results.append(session.recognize()))
    thread.start()
    started.wait(10)
    session.add(inks[0].strokes[0])
    newest = session.recognize()
    go_on.set()
    thread.join()
    assert newest.version == 2
    assert session.answer is newest
    assert results == [newest]


def answer_of(session: Session) -> Recognition:
    recognition = session.recognize().recognition
    assert recognition is not None
    return recognition
