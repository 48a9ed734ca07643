"""Reader: one model, or several that decide each token together, and what they find in an ink as it is put to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from inkscan.errors import DamagedModel, InkError, InkTooLarge
from inkscan.features import InkFeatures, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.ink.forward import forward
from inkscan.runtime.beam import BeamSearch, Found, Hypothesis
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.interpretation import Interpreter, Looked, Looks
from inkscan.runtime.judge import Judge
from inkscan.runtime.member import Member, member_of
from inkscan.runtime.models import ExportedModel, ModelInfo
from inkscan.runtime.readings import Read, Reading, ReadingPlan, StrokeOrder
from inkscan.runtime.search import Bounds, SearchSettings
from inkscan.runtime.standing import as_it_stands, with_standing

MAX_TRACE_POINTS = 20_000  # after thinning or spacing
MAX_PIXELS = 1_500_000  # of the drawn image
BATCH_COST = 2_000  # points (or 1/8 pixels) of a padded batch
PAIR_COST = 8_000  # of a batch of two: a long ink in two orders


@dataclass(frozen=True)
class Task:
    """How the inks of one call are read."""

    settings: SearchSettings
    constraint: Constraint
    cancelled: Callable[[], bool] | None


@dataclass(frozen=True)
class Followed:
    """What was found in some inks, and those that could not be read."""

    read: dict[int, list[Read]]
    failed: dict[int, InkError]


class Reader:
    """Calls are independent, so threads may share it."""

    def __init__(self, members: Sequence[Member]) -> None:
        vocabularies = {member.info.vocabulary for member in members}
        if len(vocabularies) != 1:
            raise DamagedModel("models that read together need one and the same vocabulary")
        self.members = tuple(members)
        self.knows_reading_order = all(member.info.reading_order for member in members)
        self.interpreter = Interpreter(tuple(member.info for member in members))
        self._vocabulary = members[0].info.vocabulary
        self._judge = Judge(self._vocabulary)

    def features(self, ink: Ink) -> list[InkFeatures]:
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

    def reading(self, ink: Ink, order: StrokeOrder | None) -> Reading:
        """The ink as written, or in another order and with its straight strokes forward."""
        as_read = ink if order is None else forward(ink.only(order))
        return Reading(as_read, order, self.features(as_read))

    def follow(
        self,
        plans: Mapping[int, ReadingPlan],
        task: Task,
        is_enough: Callable[[int, Sequence[Read]], bool] = lambda i, read: False,
    ) -> Followed:
        """What is found in each ink, read in all the orders that its plan asks for until that is enough."""
        asked: dict[int, list[Reading]] = {}
        failed: dict[int, InkError] = {}
        for i, plan in plans.items():
            try:
                asked[i] = [self.reading(plan.ink, order) for order in plan.at_once]
            except InkError as error:
                failed[i] = error
        read: dict[int, list[Read]] = {i: [] for i in asked}
        while asked:
            for i, found in self.read_all(asked, task).items():
                read[i] += found
            asked = {
                i: [self.reading(plans[i].ink, order)]
                for i in asked
                if (order := plans[i].next(read[i])) and not is_enough(i, read[i])
            }
        return Followed(read, failed)

    def read_all(self, readings: Mapping[int, Sequence[Reading]], task: Task) -> dict[int, list[Read]]:
        """What is found in the readings of many inks, batched with their like in length."""
        flat = [(i, reading) for i, group in readings.items() for reading in group]
        found: dict[int, Read] = {}
        for batch in _batches([reading.cost for _, reading in flat]):
            found |= zip(batch, self.read([flat[at][1] for at in batch], task), strict=True)
        read: dict[int, list[Read]] = {i: [] for i in readings}
        for at, (i, _) in enumerate(flat):  # of each ink in the order asked for
            read[i].append(found[at])
        return read

    def read(self, readings: Sequence[Reading], task: Task) -> list[Read]:
        """What the networks find in some inks at once."""
        batches = [pad_batch([reading.features[m] for reading in readings]) for m in range(len(self.members))]
        networks = [member.network for member in self.members]
        encoded = [network.encode(batch) for network, batch in zip(networks, batches, strict=True)]
        search = BeamSearch(
            networks, encoded, self._vocabulary, task.constraint, self._judge, task.settings, task.cancelled
        )
        bounds = [Bounds.of(len(reading.ink), task.settings) for reading in readings]
        found = search.run(bounds)
        looks = [
            Looks(self.interpreter, reading.ink, batches, number) for number, reading in enumerate(readings)
        ]
        return [self._read(*one, task) for one in zip(readings, found, looks, strict=True)]

    def _read(self, reading: Reading, found: Found, looks: Looks, task: Task) -> Read:
        looked = looks.of(found.best)
        if not task.settings.standing:
            return Read(reading, found, looked, self.interpreter, looks.of)
        allows = task.constraint.allows

        def look(hypothesis: Hypothesis) -> Looked | None:
            other = looks.of(hypothesis)
            tokens = self._vocabulary.decode(hypothesis.tokens)
            return other if as_it_stands(reading.ink, tokens, other.strokes, allows) is None else None

        found, looked = with_standing(
            reading.ink, found, looked, self._vocabulary, task.constraint, task.settings
        )
        return Read(reading, found, looked, self.interpreter, look)


@dataclass(frozen=True)
class SecondOpinion:
    """A model that is asked where another one is in doubt, made ready when it is first asked."""

    exported: ExportedModel = field(repr=False)
    threads: int = 1

    @property
    def info(self) -> ModelInfo:
        return self.exported.info

    @cached_property
    def reader(self) -> Reader:
        return Reader([member_of(self.exported, self.threads)])

    def __reduce__(self) -> tuple[Any, ...]:
        return SecondOpinion, (self.exported, self.threads)


def _batches(costs: Sequence[int]) -> list[list[int]]:
    """Places of like cost together, as many as fit into a batch."""
    batches: list[list[int]] = []
    for i in sorted(range(len(costs)), key=lambda i: (costs[i], i)):
        count = len(batches[-1]) + 1 if batches else 0
        if not batches or count * costs[i] > (PAIR_COST if count == 2 else BATCH_COST):
            batches.append([])
        batches[-1].append(i)
    return batches
