"""The queue in front of the recogniser: inks that wait together are read together, long ones let short ones pass."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inkscan.errors import InkscanError, Overloaded
from inkscan.ink import Ink
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import FULL_BEAM_STROKES, SearchSettings
from inkscan.web.lanes import Lane, LaneLimits, QueuedJob
from inkscan.web.logs import LOGGER
from inkscan.web.metrics import Metrics
from inkscan.web.server_settings import Limits

SHORT = 100.0  # the dearest ink that a person does not wait for
CROWD = 4  # inks that wait; while there are more, no second model is asked
_COURTESY = 5.0  # a long search rests this many times as long as it worked, while short ones are read

Write = Callable[[Recognition], Any]


@dataclass(frozen=True)
class Answer:
    """A recognition, what was written of it, and what it took."""

    recognition: Recognition
    written: Any
    queue_seconds: float
    batch_seconds: float
    batch_size: int


@dataclass(frozen=True)
class Question:
    """An ink, how to search for its answer, and what to write of it."""

    ink: Ink
    search: SearchSettings
    write: Write


_Job = QueuedJob[Question, Answer]


class _Running:
    """How many threads are within it, and a way to wait until none is."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def wait_for_none(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._count, seconds)


def cost_of(ink: Ink, search: SearchSettings) -> float:
    """Milliseconds of a quiet core that an ink takes, by what was measured; the lanes learn their own pace."""
    strokes = len(ink)
    return 5 + ink.point_count / 100 + strokes * min(strokes, FULL_BEAM_STROKES) * search.beam / 800


class BatchQueue:
    """Two lanes: short inks in batches, on several threads, long ones one by one; the event loop stays free."""

    def __init__(self, recognizer: Recognizer, limits: Limits, metrics: Metrics) -> None:
        self.recognizer = recognizer
        self._metrics = metrics
        wait, answer = limits.answer_seconds / 2, limits.answer_seconds
        self._short = Lane(
            "short", self._run_short, LaneLimits(limits.queue, wait, answer, limits.batch, limits.readers)
        )
        resting = 0.001 * (1 + _COURTESY)  # the pace of a quiet core, with all the rests
        self._long = Lane(
            "long", self._run_long, LaneLimits(limits.queue, wait, answer, seconds_a_cost=resting)
        )
        self._short_runs = _Running()
        metrics.queue.set_function(lambda: len(self))

    def __len__(self) -> int:
        """How many wait."""
        return len(self._short) + len(self._long)

    @property
    def is_open(self) -> bool:
        return self._short.is_open

    def start(self) -> None:
        """Begin to recognise; call it inside the event loop."""
        self._short.start()
        self._long.start()

    async def close(self) -> None:
        """Take nothing more and finish what was accepted."""
        await self._short.close()
        await self._long.close()

    async def recognize(self, question: Question, client: str = "") -> Answer:
        """The answer to one ink, recognised together with others that wait for the same search."""
        cost = cost_of(question.ink, question.search)
        lane = self._short if cost <= SHORT else self._long
        try:
            return await lane.ask(question, cost=cost, client=client, kind=question.search)
        except Overloaded:
            self._metrics.refused.inc()
            raise

    def _run_short(self, batch: Sequence[_Job]) -> Sequence[Answer | Exception]:
        with self._short_runs:
            return self._answers(batch, lambda: all(job.is_abandoned for job in batch))

    def _run_long(self, batch: Sequence[_Job]) -> Sequence[Answer | Exception]:
        resumed = time.perf_counter()

        def rest() -> bool:
            """Between two steps of the search: let short inks pass, and see whether anybody still waits."""
            nonlocal resumed
            self._short_runs.wait_for_none(_COURTESY * (time.perf_counter() - resumed))
            resumed = time.perf_counter()
            return all(job.is_abandoned for job in batch)

        return self._answers(batch, rest)

    def _answers(self, batch: Sequence[_Job], cancelled: Callable[[], bool]) -> list[Answer | Exception]:
        """In a lane's thread."""
        started = time.perf_counter()
        outcomes = [
            self._written(job.work, outcome)
            for job, outcome in zip(batch, self._outcomes(batch, cancelled), strict=True)
        ]
        seconds = time.perf_counter() - started
        self._metrics.batch_size.observe(len(batch))
        self._metrics.batch_seconds.observe(seconds)
        answers: list[Answer | Exception] = []
        for job, outcome in zip(batch, outcomes, strict=True):
            waited = started - job.arrived
            self._metrics.wait_seconds.observe(waited)
            if isinstance(outcome, Exception):
                answers.append(outcome)
            else:
                self._metrics.recognized.inc()
                answers.append(Answer(*outcome, waited, seconds, len(batch)))
        return answers

    def _outcomes(
        self, batch: Sequence[_Job], cancelled: Callable[[], bool]
    ) -> Sequence[Recognition | Exception]:
        """An ink that breaks its batch must not spoil the answers to the others."""
        try:
            inks, search = [job.work.ink for job in batch], batch[0].work.search
            if len(self._short) > CROWD:  # better a first answer than a late one
                search = replace(search, doubt=0.0)
            return self.recognizer.answers(inks, search=search, cancelled=cancelled)
        except InkscanError as error:
            return [error] * len(batch)  # of the search, which all share
        except Exception as error:
            LOGGER.exception("a batch of %d failed", len(batch))
            if len(batch) == 1:
                return [error]
            return [outcome for job in batch for outcome in self._outcomes([job], cancelled)]

    def _written(
        self, question: Question, outcome: Recognition | Exception
    ) -> tuple[Recognition, Any] | Exception:
        if isinstance(outcome, Exception):
            return outcome
        try:
            return outcome, question.write(outcome)
        except Exception as error:
            return error
