"""Recognizer: ink in, Recognition out. The class that every interface calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import FeatureBatch, pad_batch
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.lines import lines_of
from inkscan.runtime.member import Member, member_of
from inkscan.runtime.models import find_models, read_model
from inkscan.runtime.reader import Reader, SecondOpinion, Task
from inkscan.runtime.readings import Read, ReadingPlan, as_written, best_of
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.search import SearchChanges, SearchSettings
from inkscan.runtime.sheet import Sheet, SheetLine

MAX_STROKES = 1_000  # of one expression
MAX_SHEET_STROKES = 2_000
SECOND_STROKES = 60  # of an ink at most, to be read by a second model


def load(*models: str | Path, threads: int = 1) -> Recognizer:
    """A recogniser from a bundled model's name or a folder; several decide together.

    Without any it is the default, which asks a second model where it is in doubt.
    """
    folders = find_models(models)
    members = [member_of(read_model(folder), threads) for folder in folders.together]
    second = SecondOpinion(read_model(folders.second), threads) if folders.second else None
    return Recognizer(members, second=second)


class Recognizer:
    """One model, or several that decide each token together, and perhaps another that is asked where these are in
    doubt. Calls are independent, so threads may share it."""

    def __init__(
        self,
        members: Sequence[Member],
        settings: SearchSettings | None = None,
        second: SecondOpinion | None = None,
    ) -> None:
        self._reader = Reader(members)
        self.members, self.second = self._reader.members, second
        first = self.members[0].info
        if second and second.info.vocabulary != first.vocabulary:
            raise DamagedModel("a second model needs the vocabulary of the first")
        self.settings = settings or SearchSettings(length_power=first.length_power)
        self.name = self._reader.interpreter.name
        self._constraint = Constraint(first.vocabulary)

    def __reduce__(self) -> tuple[Any, ...]:
        return Recognizer, (self.members, self.settings, self.second)

    def __repr__(self) -> str:
        systems = "+".join(member.info.system for member in self.members)
        symbols, beam = len(self.vocabulary.symbols), self.settings.beam
        asks = f", in doubt {self.second.info.name}" if self.second else ""
        return f"<Recognizer {self.name}: {systems}{asks}, {symbols} symbols, beam {beam}>"

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols that it knows."""
        return self.members[0].info.vocabulary

    def with_search(self, **changes: Unpack[SearchChanges]) -> Recognizer:
        """The same models with other settings of the search."""
        return Recognizer(self.members, self.settings.changed(changes), self.second)

    def open_second(self) -> None:
        """Make the second model ready, if there is one, so that a damaged one is refused now."""
        if self.second:
            _ = self.second.reader

    def __call__(
        self,
        ink: Ink,
        *,
        search: SearchSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        **changes: Unpack[SearchChanges],
    ) -> Recognition:
        """Recognise one ink; keywords change the search for this call.

        `cancelled` is asked between the steps of the search; once it says so, `Cancelled` is raised.
        """
        (answer,) = self.answers([ink], search=search, cancelled=cancelled, **changes)
        if isinstance(answer, InkError):
            raise answer
        return answer

    def many(
        self,
        inks: Sequence[Ink],
        *,
        search: SearchSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        **changes: Unpack[SearchChanges],
    ) -> list[Recognition]:
        """Recognise many inks, batched with their like in length; raises what the first bad ink raises."""
        answers = []
        for answer in self.answers(inks, search=search, cancelled=cancelled, **changes):
            if isinstance(answer, InkError):
                raise answer
            answers.append(answer)
        return answers

    def answers(
        self,
        inks: Sequence[Ink],
        *,
        search: SearchSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        **changes: Unpack[SearchChanges],
    ) -> list[Recognition | InkError]:
        """As `many`, with an error in the place of each ink that cannot be recognised."""
        _check_are_several(inks)
        task = self._task(search, changes, cancelled)
        plans: dict[int, ReadingPlan] = {}
        failed: dict[int, InkError] = {}
        for i, ink in enumerate(inks):
            try:
                plans[i] = self._plan(ink)
            except InkError as error:
                failed[i] = error
        followed = self._reader.follow(plans, task, lambda i, read: self._leaves_doubt(plans[i], read, task))
        answers: dict[int, Recognition | InkError] = {**failed, **followed.failed}
        answers |= self._answers(plans, followed.read, task)
        return [answers[i] for i in range(len(inks))]

    def sheet(
        self,
        ink: Ink,
        *,
        search: SearchSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        **changes: Unpack[SearchChanges],
    ) -> Sheet:
        """Recognise ink of several lines, each by itself."""
        _check_is_ink(ink)
        if len(ink) > MAX_SHEET_STROKES:
            raise InkTooLarge(
                f"{len(ink)} strokes; one sheet has at most {MAX_SHEET_STROKES}, so split the ink"
            )
        lines = lines_of(ink)
        answers = self.many([ink.only(line) for line in lines], search=search, cancelled=cancelled, **changes)
        return Sheet(tuple(SheetLine(*pair) for pair in zip(lines, answers, strict=True)))

    def features(self, inks: Sequence[Ink]) -> FeatureBatch:
        """The padded features of inks as the first model sees them."""
        _check_are_several(inks)
        for ink in inks:
            _check_is_expression(ink)
        return pad_batch([self._reader.features(ink)[0] for ink in inks])

    def constraint_of(self, settings: SearchSettings) -> Constraint:
        """What an answer may be made of; settings that name unknown symbols, or leave none, are refused."""
        free = settings.allow is None and not settings.forbid
        return self._constraint if free else Constraint(self.vocabulary, settings.allow, settings.forbid)

    def _task(
        self,
        search: SearchSettings | None,
        changes: SearchChanges,
        cancelled: Callable[[], bool] | None,
    ) -> Task:
        settings = (search or self.settings).changed(changes)
        return Task(settings, self.constraint_of(settings), cancelled)

    def _plan(self, ink: Ink) -> ReadingPlan:
        """Other orders than as written are for models that were trained on them."""
        _check_is_expression(ink)
        return ReadingPlan.of(ink) if self._reader.knows_reading_order else ReadingPlan.once(ink)

    def _answers(
        self, plans: Mapping[int, ReadingPlan], read: Mapping[int, Sequence[Read]], task: Task
    ) -> dict[int, Recognition]:
        """What the readings of some inks say, together with the second model's where they leave a doubt."""
        answers = {i: self._answer(plans[i], found, task) for i, found in read.items()}
        doubtful = {
            i: plans[i] for i, answer in answers.items() if answer.confidence < self._doubt(plans[i], task)
        }
        if self.second and doubtful:  # an ink that is too large for its image keeps the first answer
            for i, opinion in self.second.reader.follow(doubtful, task).read.items():
                answers[i] = self._answer(plans[i], [*read[i], *opinion], task)
        return answers

    def _leaves_doubt(self, plan: ReadingPlan, read: Sequence[Read], task: Task) -> bool:
        """Whether the second model is to be asked sooner than further readings are made."""
        doubt = self._doubt(plan, task)
        return doubt > 0 and self._answer(plan, read, task).confidence < doubt

    def _doubt(self, plan: ReadingPlan, task: Task) -> float:
        """An answer that is less sure is for the second model; 0 if there is none for this ink."""
        return task.settings.doubt if self.second and len(plan.ink) <= SECOND_STROKES else 0.0

    def _answer(self, plan: ReadingPlan, read: Sequence[Read], task: Task) -> Recognition:
        best = best_of(read)
        reading = best.reading
        answer = best.interpreter.recognition(
            reading.ink, best.found, best.looked, task.settings, best.agreement
        )
        return answer if reading.ink is plan.written else as_written(answer, plan.written, reading.order)


def _check_is_ink(ink: object) -> None:
    if not isinstance(ink, Ink):
        raise TypeError(
            f"an Ink is recognised, not a {type(ink).__name__}: Ink.read(path) reads one from a file, "
            "Ink.from_points(strokes) makes one of points"
        )


def _check_are_several(inks: object) -> None:
    if isinstance(inks, Ink):  # whose elements are strokes
        raise TypeError(
            "a list of inks is taken here, as by many([ink]), not an Ink: recognizer(ink) reads one"
        )


def _check_is_expression(ink: Ink) -> None:
    _check_is_ink(ink)
    if (count := len(ink)) > MAX_STROKES:
        raise InkTooLarge(f"{count} strokes; one expression has at most {MAX_STROKES}, so split the ink")
