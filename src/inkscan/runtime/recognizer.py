"""Recognizer: ink in, Recognition out. The class that every interface calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import FeatureBatch, pad_batch
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.classifier import Classifier, ExportedClassifier, read_classifier
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.language import Fluency
from inkscan.runtime.lines import lines_of
from inkscan.runtime.member import Member, member_of
from inkscan.runtime.models import ExportedModel, ModelFolders, find_models, read_model
from inkscan.runtime.reader import Reader, SecondOpinion, Task
from inkscan.runtime.readings import Read, ReadingPlan, as_written
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.search import SearchChanges, SearchSettings
from inkscan.runtime.sheet import Sheet, SheetLine
from inkscan.runtime.symbol_shapes import Shapes
from inkscan.runtime.voting import best_of

MAX_STROKES = 1_000  # of one expression
MAX_SHEET_STROKES = 2_000
SECOND_STROKES = 60  # of an ink at most, to be read by a second model


def load(*models: str | Path, threads: int = 1, classifier: str | Path | None = None) -> Recognizer:
    """A recogniser from a bundled model's name or a folder; several decide together, and a classifier of single
    symbols, if one is named, weighs their answers.

    Without any model it is the default, which asks a second model where it is in doubt and has a classifier.
    """
    return read_models(find_models(models, classifier)).recognizer(threads)


@dataclass(frozen=True)
class RecognizerModels:
    """All that a recogniser is built from; it may be sent to another process."""

    together: tuple[ExportedModel, ...]
    second: ExportedModel | None = None
    classifier: ExportedClassifier | None = None

    def recognizer(self, threads: int = 1) -> Recognizer:
        return Recognizer(
            [member_of(model, threads) for model in self.together],
            second=SecondOpinion(self.second, threads) if self.second else None,
            classifier=Classifier(self.classifier, threads) if self.classifier else None,
        )


def read_models(folders: ModelFolders) -> RecognizerModels:
    """Read and verify what is in these folders."""
    return RecognizerModels(
        tuple(map(read_model, folders.together)),
        read_model(folders.second) if folders.second else None,
        read_classifier(folders.classifier) if folders.classifier else None,
    )


class Recognizer:
    """One model, or several that decide each token together; perhaps another that is asked where these are in doubt,
    and a classifier of single symbols that weighs their answers, as does the language model beside it, if there is one.
    Calls are independent, so threads may share it."""

    def __init__(
        self,
        members: Sequence[Member],
        settings: SearchSettings | None = None,
        second: SecondOpinion | None = None,
        classifier: Classifier | None = None,
    ) -> None:
        self._reader = Reader(members)
        self.members, self.second, self.classifier = self._reader.members, second, classifier
        first = self.members[0].info
        for name, other in (("second model", second), ("classifier", classifier)):
            if other and other.info.vocabulary != first.vocabulary:
                raise DamagedModel(f"a {name} needs the vocabulary of the first model")
        self.settings = settings or SearchSettings(length_power=first.length_power)
        self.name = self._reader.interpreter.name
        self._constraint = Constraint(first.vocabulary)

    def __reduce__(self) -> tuple[Any, ...]:
        return Recognizer, (self.members, self.settings, self.second, self.classifier)

    def __repr__(self) -> str:
        systems = "+".join(member.info.system for member in self.members)
        symbols, beam = len(self.vocabulary.symbols), self.settings.beam
        return f"<Recognizer {self.name}: {systems}{self.advised}, {symbols} symbols, beam {beam}>"

    @property
    def advised(self) -> str:
        """Who else has a say, to be put behind the name."""
        asks = f", in doubt {self.second.info.name}" if self.second else ""
        if not self.classifier:
            return asks
        language = " and its language model" if self.classifier.info.has_language else ""
        return f"{asks}, weighed by {self.classifier.info.name}{language}"

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols that it knows."""
        return self.members[0].info.vocabulary

    def with_search(self, **changes: Unpack[SearchChanges]) -> Recognizer:
        """The same models with other settings of the search."""
        return Recognizer(self.members, self.settings.changed(changes), self.second, self.classifier)

    def open_all(self) -> None:
        """Make the second model and the classifier ready, if there are any, so that damaged ones are refused now."""
        if self.second:
            _ = self.second.reader
        if self.classifier:
            self.classifier.open_all()

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
        asked: dict[int, _Question] = {}
        failed: dict[int, InkError] = {}
        for i, ink in enumerate(inks):
            try:
                asked[i] = self._question(ink, task)
            except InkError as error:
                failed[i] = error
        plans = {i: question.plan for i, question in asked.items()}
        followed = self._reader.follow(plans, task, lambda i, read: asked[i].is_in_doubt(read))
        answers: dict[int, Recognition | InkError] = {**failed, **followed.failed}
        answers |= self._answers(asked, followed.read, task)
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

    def _question(self, ink: Ink, task: Task) -> _Question:
        """Other orders than as written are for models that were trained on them."""
        _check_is_expression(ink)
        plan = ReadingPlan.of(ink) if self._reader.knows_reading_order else ReadingPlan.once(ink)
        shapes = Shapes(self.classifier, plan.ink, task.constraint) if self.classifier else None
        language = self.classifier.language if self.classifier else None
        has_second = self.second is not None and len(ink) <= SECOND_STROKES
        doubt = task.settings.doubt if has_second else 0.0
        return _Question(plan, task.settings, shapes, Fluency(language) if language else None, doubt)

    def _answers(
        self, asked: Mapping[int, _Question], read: Mapping[int, Sequence[Read]], task: Task
    ) -> dict[int, Recognition]:
        """What the readings of some inks say, together with the second model's where they leave a doubt."""
        answers = {i: asked[i].answer(found) for i, found in read.items()}
        doubtful = {i: asked[i].plan for i, answer in answers.items() if answer.confidence < asked[i].doubt}
        if self.second and doubtful:
            followed = self.second.reader.follow(doubtful, task)
            for i, opinion in followed.read.items():
                answers[i] = asked[i].answer([*read[i], *opinion])
            # What is too large for its image is read by the first in all orders, as if there were no second.
            alone = {i: doubtful[i] for i in followed.failed}
            for i, found in self._reader.follow(alone, task).read.items():
                answers[i] = asked[i].answer(found)
        return answers


@dataclass(frozen=True)
class _Question:
    """One ink, and how it is to be answered."""

    plan: ReadingPlan
    settings: SearchSettings
    shapes: Shapes | None
    fluency: Fluency | None
    doubt: float  # a less sure answer is for the second model; 0 if there is none for this ink

    def is_in_doubt(self, read: Sequence[Read]) -> bool:
        """Whether the second model is to be asked sooner than further readings are made."""
        return self.doubt > 0 and self.answer(read).confidence < self.doubt

    def answer(self, read: Sequence[Read]) -> Recognition:
        """What these readings say together."""
        best = best_of(read, self.settings, self.shapes, self.fluency)
        reading = best.reading
        answer = best.interpreter.recognition(
            reading.ink, best.found, best.looked, self.settings, best.agreement
        )
        written = self.plan.written
        return answer if reading.ink is written else as_written(answer, written, reading.order)


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
