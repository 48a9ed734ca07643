"""The queue in front of the recogniser: what waits while a batch runs becomes the next batch."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field

from inkscan.errors import InkscanError, Overloaded, TimedOut, Unavailable
from inkscan.ink import Ink
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchChanges, SearchSettings
from inkscan.web.logs import LOGGER
from inkscan.web.metrics import Metrics
from inkscan.web.settings import Limits

_NEWEST = 0.3  # weight of the newest batch in the mean pace


@dataclass(frozen=True)
class Answer:
    """A recognition and what it took."""

    recognition: Recognition
    queue_seconds: float
    batch_seconds: float
    batch_size: int


@dataclass(frozen=True, eq=False)
class _Job:
    ink: Ink
    search: SearchSettings
    future: asyncio.Future[Answer]
    arrived: float = field(default_factory=time.perf_counter)


class BatchQueue:
    """Runs one batch at a time in a thread of its own; the event loop stays free."""

    def __init__(self, recognizer: Recognizer, limits: Limits, metrics: Metrics) -> None:
        self.recognizer = recognizer
        self._limits = limits
        self._metrics = metrics
        self._waiting: deque[_Job] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._seconds_an_ink = 0.0  # running mean
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="inkscan-batch")
        self._loop: asyncio.Task[None] | None = None
        metrics.queue.value = lambda: len(self._waiting)

    @property
    def is_open(self) -> bool:
        return self._loop is not None and not self._closing

    def start(self) -> None:
        """Begin to recognise; call it inside the event loop."""
        self._loop = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Take nothing more and finish what was accepted."""
        self._closing = True
        self._wake.set()
        if self._loop is not None:
            await self._loop
        self._thread.shutdown()

    async def recognize(self, ink: Ink, search: SearchSettings) -> Answer:
        """The answer to one ink, recognised together with others that wait for the same search."""
        if not self.is_open:
            raise Unavailable("the server is stopping; ask again in a moment")
        if len(self._waiting) >= self._limits.queue or self._expected_wait > self._limits.answer_seconds / 2:
            self._metrics.refused.add()
            raise Overloaded(f"{len(self._waiting)} requests wait already; try again later")
        job = _Job(ink, search, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._wake.set()
        try:
            return await asyncio.wait_for(job.future, self._limits.answer_seconds)
        except TimeoutError as error:
            raise TimedOut(
                f"no answer within {self._limits.answer_seconds:g} s; the server is busy or the ink too long"
            ) from error

    @property
    def _expected_wait(self) -> float:
        """Seconds until a new ink's turn, by the pace of the last batches; better no than a late answer."""
        return len(self._waiting) * self._seconds_an_ink

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while batch := self._next_batch():
                await self._answer(batch)
            if self._closing:
                return

    def _next_batch(self) -> list[_Job]:
        """The oldest job and those behind it that are searched for in the same way."""
        batch: list[_Job] = []
        others: list[_Job] = []
        while self._waiting and len(batch) < self._limits.batch:
            job = self._waiting.popleft()
            if job.future.done():  # timed out, or its client has gone
                continue
            same = not batch or job.search == batch[0].search
            (batch if same else others).append(job)
        self._waiting.extendleft(reversed(others))
        return batch

    async def _answer(self, batch: list[_Job]) -> None:
        started = time.perf_counter()
        loop = asyncio.get_running_loop()
        outcomes = await loop.run_in_executor(self._thread, self._outcomes, batch)
        seconds = time.perf_counter() - started
        self._seconds_an_ink += _NEWEST * (seconds / len(batch) - self._seconds_an_ink)
        self._metrics.batch_size.observe(len(batch))
        self._metrics.batch_seconds.observe(seconds)
        for job, outcome in zip(batch, outcomes, strict=True):
            waited = started - job.arrived
            self._metrics.wait_seconds.observe(waited)
            if job.future.done():
                continue
            if isinstance(outcome, Recognition):
                self._metrics.recognized.add()
                job.future.set_result(Answer(outcome, waited, seconds, len(batch)))
            else:
                job.future.set_exception(outcome)

    def _outcomes(self, batch: list[_Job]) -> Sequence[Recognition | Exception]:
        """In the thread. An ink that breaks its batch must not spoil the answers to the others."""
        changes = SearchChanges(**asdict(batch[0].search))  # type: ignore[typeddict-item]
        try:
            return self.recognizer.answers([job.ink for job in batch], **changes)
        except InkscanError as error:
            return [error] * len(batch)  # of the search, which all share
        except Exception as error:
            LOGGER.exception("a batch of %d failed", len(batch))
            if len(batch) == 1:
                return [error]
            return [outcome for job in batch for outcome in self._outcomes([job])]
