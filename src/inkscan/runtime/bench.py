"""How long recognition takes, and where the time goes: CPU seconds of this process, one ink at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Unpack, cast

from inkscan.features import FeatureBatch
from inkscan.ink import Ink
from inkscan.runtime.member import Member
from inkscan.runtime.network import Arrays, Encoded, Int64, Network, StepResult
from inkscan.runtime.reader import Reader, SecondOpinion
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchChanges


@dataclass(frozen=True)
class Speed:
    """CPU milliseconds an ink."""

    inks: int
    median_ms: float
    mean_ms: float
    encoder_ms: float  # means
    step_ms: float
    search_ms: float  # all the rest: features, grammar, beam, segmentation, votes, classifier, language model
    many_ms: float  # mean, batched
    steps: float  # decoding steps an ink
    hypotheses: float  # rows of all steps an ink


class TimedNetwork(Network):
    """A network that keeps count of its own CPU time."""

    def __init__(self, network: Network) -> None:
        self.__dict__.update(network.__dict__)
        self.encoder_seconds = self.step_seconds = 0.0
        self.steps = self.rows = 0

    def encode(self, batch: FeatureBatch) -> Encoded:
        start = time.process_time()
        try:
            return super().encode(batch)
        finally:
            self.encoder_seconds += time.process_time() - start

    def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
        start = time.process_time()
        try:
            return super().step(token, ink, state, memories)
        finally:
            self.step_seconds += time.process_time() - start
            self.steps += 1
            self.rows += len(token)


class TimedSecond(SecondOpinion):
    """A second model that keeps count of its own CPU time."""

    @cached_property
    def reader(self) -> Reader:
        return Reader([_timed(member) for member in super().reader.members])


def _timed(member: Member) -> Member:
    return Member(member.info, TimedNetwork(member.network))


def measure(recognizer: Recognizer, inks: Sequence[Ink], **changes: Unpack[SearchChanges]) -> Speed:
    """Time the recogniser on inks, after one to warm up."""
    recognizer(inks[0], **changes)
    members = [_timed(member) for member in recognizer.members]
    second = recognizer.second and TimedSecond(recognizer.second.exported, recognizer.second.threads)
    timed = Recognizer(members, recognizer.settings, second, recognizer.classifier)
    for one in (recognizer, timed):
        one.open_all()  # loading is not counted
    times = []
    for ink in inks:
        start = time.process_time()
        timed(ink, **changes)
        times.append(time.process_time() - start)
    start = time.process_time()
    recognizer.many(inks, **changes)
    batched = time.process_time() - start
    scale = 1000 / len(inks)
    asked = second.reader.members if second else ()
    networks = [cast(TimedNetwork, member.network) for member in (*members, *asked)]
    walked = [networks[0], *networks[len(members) :]]  # members take each step together
    encoder = sum(network.encoder_seconds for network in networks) * scale
    step = sum(network.step_seconds for network in networks) * scale
    mean = sum(times) * scale
    return Speed(
        inks=len(inks),
        median_ms=1000 * median(times),
        mean_ms=mean,
        encoder_ms=encoder,
        step_ms=step,
        search_ms=mean - encoder - step,
        many_ms=batched * scale,
        steps=sum(network.steps for network in walked) / len(inks),
        hypotheses=sum(network.rows for network in walked) / len(inks),
    )
