"""Recognizer: ink in, Recognition out. The class that every interface calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import FeatureBatch, InkFeatures, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.beam import BeamSearch
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.interpretation import Interpreter
from inkscan.runtime.lines import lines_of
from inkscan.runtime.models import ExportedModel, ModelInfo, find_model, read_model
from inkscan.runtime.network import Network
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.search import Bounds, SearchChanges, SearchSettings
from inkscan.runtime.sheet import Sheet, SheetLine

MAX_STROKES = 1_000  # of one expression
MAX_SHEET_STROKES = 2_000
MAX_TRACE_POINTS = 20_000  # after thinning or spacing
MAX_PIXELS = 1_500_000  # of the drawn image
UNREAD = (
    0.45  # times as often an answer is right that leaves strokes unread, on CROHME 2013 in several orders
)
BATCH_COST = 2_000  # points (or 1/8 pixels) of a padded batch


@dataclass(frozen=True)
class Member:
    """One model of a recogniser. What it was made of is kept, so that another process can make it again."""

    info: ModelInfo
    network: Network
    exported: ExportedModel | None = field(default=None, repr=False)
    threads: int = 1

    def __reduce__(self) -> tuple[Any, ...]:
        if self.exported is None:
            raise TypeError("only a model that was made by load() or member_of() can be pickled")
        return member_of, (self.exported, self.threads)


@dataclass(frozen=True)
class _Task:
    """How the inks of one call are read."""

    settings: SearchSettings
    constraint: Constraint
    cancelled: Callable[[], bool] | None


def load(*models: str | Path, threads: int = 1) -> Recognizer:
    """A recogniser from a bundled model's name or a folder; without any, the default; several decide together."""
    return Recognizer([member_of(read_model(find_model(name)), threads) for name in models or (None,)])


def member_of(exported: ExportedModel, threads: int = 1) -> Member:
    """The model ready to run."""
    info = exported.info
    network = Network(exported.encoder, exported.step, info.contract, threads=threads)
    return Member(info, network, exported, threads)


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
        return self._recognize([ink], [self._features(ink)], task)[0]

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
        task = self._task(search, changes, cancelled)
        found: dict[int, Recognition | InkError] = {}
        features: dict[int, list[InkFeatures]] = {}
        for i, ink in enumerate(inks):
            try:
                features[i] = self._features(ink)
            except InkError as error:
                found[i] = error
        for batch in _batches({i: _cost(f) for i, f in features.items()}):
            recognized = self._recognize([inks[i] for i in batch], [features[i] for i in batch], task)
            found.update(zip(batch, recognized, strict=True))
        return [found[i] for i in range(len(inks))]

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
        inks = [Ink(tuple(ink.strokes[stroke] for stroke in line)) for line in lines]
        answers = self.many(inks, search=search, cancelled=cancelled, **changes)
        return Sheet(tuple(map(SheetLine, lines, answers)))

    def features(self, inks: Sequence[Ink]) -> FeatureBatch:
        """The padded features of inks as the first model sees them."""
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
        _check_is_ink(ink)
        if len(ink) > MAX_STROKES:
            raise InkTooLarge(
                f"{len(ink)} strokes; one expression has at most {MAX_STROKES}, so split the ink"
            )
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

    def _recognize(
        self, inks: Sequence[Ink], features: Sequence[list[InkFeatures]], task: _Task
    ) -> list[Recognition]:
        batches = [pad_batch([ink[m] for ink in features]) for m in range(len(self.members))]
        networks = [member.network for member in self.members]
        encoded = [network.encode(batch) for network, batch in zip(networks, batches, strict=True)]
        search = BeamSearch(networks, encoded, task.constraint, task.settings, task.cancelled)
        found = search.run([Bounds.of(len(ink), task.settings) for ink in inks], start=len(self.vocabulary))
        return [
            self._interpreter.recognition(ink, i, answers, batches, task.settings)
            for i, (ink, answers) in enumerate(zip(inks, found, strict=True))
        ]


def _check_is_ink(ink: object) -> None:
    if not isinstance(ink, Ink):
        raise TypeError(
            f"an Ink is recognised, not a {type(ink).__name__}: Ink.read(path) reads one from a file, "
            "Ink.from_points(strokes) makes one of points"
        )


def _cost(features: Sequence[InkFeatures]) -> int:
    points = max((len(f.trace.features) for f in features if f.trace is not None), default=0)
    pixels = max((f.raster.image.size for f in features if f.raster is not None), default=0)
    return max(points, pixels // 8)


def _batches(costs: dict[int, int]) -> list[list[int]]:
    """Inks of like cost together, as many as fit into BATCH_COST."""
    batches: list[list[int]] = []
    for i in sorted(costs, key=lambda i: (costs[i], i)):
        if not batches or (len(batches[-1]) + 1) * costs[i] > BATCH_COST:
            batches.append([])
        batches[-1].append(i)
    return batches
