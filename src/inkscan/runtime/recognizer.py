"""Recognizer: ink in, Recognition out. The class that every interface calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import FeatureBatch, InkFeatures, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.ink.forward import forward
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import BeamSearch
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.interpretation import Interpreter
from inkscan.runtime.judge import Judge
from inkscan.runtime.lines import lines_of
from inkscan.runtime.member import Member, member_of
from inkscan.runtime.models import find_model, read_model
from inkscan.runtime.readings import Order, Read, Reading, ReadingPlan, best_of, numbered_as_written
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.search import Bounds, SearchChanges, SearchSettings
from inkscan.runtime.sheet import Sheet, SheetLine

MAX_STROKES = 1_000  # of one expression
MAX_SHEET_STROKES = 2_000
MAX_TRACE_POINTS = 20_000  # after thinning or spacing
MAX_PIXELS = 1_500_000  # of the drawn image
BATCH_COST = 2_000  # points (or 1/8 pixels) of a padded batch


@dataclass(frozen=True)
class _Task:
    """How the inks of one call are read."""

    settings: SearchSettings
    constraint: Constraint
    cancelled: Callable[[], bool] | None


def load(*models: str | Path, threads: int = 1) -> Recognizer:
    """A recogniser from a bundled model's name or a folder; without any, the default; several decide together."""
    return Recognizer([member_of(read_model(find_model(name)), threads) for name in models or (None,)])


class Recognizer:
    """One model, or several that decide each token together. Calls are independent, so threads may share it."""

    def __init__(self, members: Sequence[Member], settings: SearchSettings | None = None) -> None:
        vocabularies = {member.info.vocabulary for member in members}
        if len(vocabularies) != 1:
            raise DamagedModel("the models of an ensemble need one and the same vocabulary")
        self.members = tuple(members)
        first = members[0].info
        self.settings = settings or SearchSettings(length_power=first.length_power)
        self._interpreter = Interpreter(tuple(member.info for member in members))
        self.name = self._interpreter.name
        self._constraint = Constraint(first.vocabulary)
        self._judge = Judge(first.vocabulary)

    def __reduce__(self) -> tuple[Any, ...]:
        return Recognizer, (self.members, self.settings)

    def __repr__(self) -> str:
        systems = "+".join(member.info.system for member in self.members)
        symbols, beam = len(self.vocabulary.symbols), self.settings.beam
        return f"<Recognizer {self.name}: {systems}, {symbols} symbols, beam {beam}>"

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols that it knows."""
        return self.members[0].info.vocabulary

    def with_search(self, **changes: Unpack[SearchChanges]) -> Recognizer:
        """The same models with other settings of the search."""
        return Recognizer(self.members, self.settings.changed(changes))

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
        task = self._task(search, changes, cancelled)
        plan = self._plan(ink)
        read = self._search([self._reading(ink, order) for order in plan.at_once], task)
        while order := plan.next(read):
            read += self._search([self._reading(ink, order)], task)
        return self._answer(ink, read, task)

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
        failed: dict[int, InkError] = {}
        plans: dict[int, ReadingPlan] = {}
        asked: dict[int, list[Reading]] = {}
        for i, ink in enumerate(inks):
            try:
                plans[i] = self._plan(ink)
                asked[i] = [self._reading(ink, order) for order in plans[i].at_once]
            except InkError as error:
                failed[i] = error
        read: dict[int, list[Read]] = {i: [] for i in asked}
        while asked:
            for i, found in self._search_all(asked, task).items():
                read[i] += found
            asked = {i: [self._reading(inks[i], order)] for i in asked if (order := plans[i].next(read[i]))}
        return [failed[i] if i in failed else self._answer(ink, read[i], task) for i, ink in enumerate(inks)]

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
        return pad_batch([self._features(ink)[0] for ink in inks])

    def _task(
        self,
        search: SearchSettings | None,
        changes: SearchChanges,
        cancelled: Callable[[], bool] | None,
    ) -> _Task:
        settings = (search or self.settings).changed(changes)
        free = settings.allow is None and not settings.forbid
        constraint = (
            self._constraint if free else Constraint(self.vocabulary, settings.allow, settings.forbid)
        )
        return _Task(settings, constraint, cancelled)

    def _features(self, ink: Ink) -> list[InkFeatures]:
        """Each member's features of an ink, which is refused before it can fill the memory."""
        found: list[InkFeatures] = []
        for member in self.members:
            info = member.info
            features = ink_features(ink, info.features, online=info.online, offline=info.offline)
            if features.trace is not None and len(features.trace.features) > MAX_TRACE_POINTS:
                raise InkTooLarge(
                    f"the strokes are too long for one expression: more than {MAX_TRACE_POINTS} points"
                )
            if features.raster is not None and features.raster.image.size > MAX_PIXELS:
                raise InkTooLarge(f"the ink is too large for one expression: more than {MAX_PIXELS} pixels")
            found.append(features)
        return found

    def _plan(self, ink: Ink) -> ReadingPlan:
        """Other orders than as written are for models that were trained on them."""
        _check_is_expression(ink)
        reads_both = all(member.info.reading_order for member in self.members)
        return ReadingPlan.of(ink) if reads_both else ReadingPlan(ink, None)

    def _reading(self, ink: Ink, order: Order | None) -> Reading:
        """The ink as written, or in another order and with its straight strokes forward."""
        as_read = ink if order is None else forward(ink.only(order))
        return Reading(as_read, order, self._features(as_read))

    def _search_all(self, readings: Mapping[int, Sequence[Reading]], task: _Task) -> dict[int, list[Read]]:
        """What is found in the readings of many inks, batched with their like in length."""
        flat = [(i, reading) for i, group in readings.items() for reading in group]
        found: dict[int, Read] = {}
        for batch in _batches([reading.cost for _, reading in flat]):
            found |= zip(batch, self._search([flat[at][1] for at in batch], task), strict=True)
        read: dict[int, list[Read]] = {i: [] for i in readings}
        for at, (i, _) in enumerate(flat):  # of each ink in the order asked for
            read[i].append(found[at])
        return read

    def _search(self, readings: Sequence[Reading], task: _Task) -> list[Read]:
        """What the networks find in some inks at once."""
        batches = [pad_batch([reading.features[m] for reading in readings]) for m in range(len(self.members))]
        networks = [member.network for member in self.members]
        encoded = [network.encode(batch) for network, batch in zip(networks, batches, strict=True)]
        search = BeamSearch(
            networks, encoded, self.vocabulary, task.constraint, self._judge, task.settings, task.cancelled
        )
        bounds = [Bounds.of(len(reading.ink), task.settings) for reading in readings]
        found = search.run(bounds)
        return [
            Read(reading, answers, self._interpreter.looked(reading.ink, number, answers, batches))
            for number, (reading, answers) in enumerate(zip(readings, found, strict=True))
        ]

    def _answer(self, ink: Ink, read: Sequence[Read], task: _Task) -> Recognition:
        best = best_of(read)
        answer = self._interpreter.recognition(best.reading.ink, best.found, best.looked, task.settings)
        order = best.reading.order
        return answer if order is None else numbered_as_written(answer, ink, order)


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


def _batches(costs: Sequence[int]) -> list[list[int]]:
    """Places of like cost together, as many as fit into BATCH_COST."""
    batches: list[list[int]] = []
    for i in sorted(range(len(costs)), key=lambda i: (costs[i], i)):
        if not batches or (len(batches[-1]) + 1) * costs[i] > BATCH_COST:
            batches.append([])
        batches[-1].append(i)
    return batches
