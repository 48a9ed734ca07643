"""Lanes: work that waits for threads of its own, short before long, every client in turn, never too much."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from inkscan.errors import Overloaded, TimedOut, Unavailable

Work = TypeVar("Work")
Result = TypeVar("Result")

CallLane: TypeAlias = "Lane[Callable[[], Any], Any]"

_NEWEST = 0.3  # weight of the newest batch in the mean pace


@dataclass(frozen=True)
class LaneLimits:
    """How much a lane takes."""

    waiting: int  # jobs
    wait_seconds: float  # to its answer, that a new job may expect; better no than a late answer
    answer_seconds: float  # until a job is given up
    batch: int = 1  # jobs of one kind that run together
    threads: int = 1  # batches that run at the same time
    seconds_a_cost: float = 0.001  # the best pace to reckon with: a quiet core's


@dataclass(eq=False)
class QueuedJob(Generic[Work, Result]):
    """Work of one client; `cost` is in milliseconds of a quiet core, more or less."""

    work: Work
    cost: float
    client: str
    kind: Hashable  # jobs of one kind can run together
    future: asyncio.Future[Result]
    place: float = 0.0  # in the lane's own time; the lowest is next
    arrived: float = field(default_factory=time.perf_counter)

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody waits any more: timed out, or the client has gone. Any thread may ask."""
        return self.future.done()


class Lane(Generic[Work, Result]):
    """Some threads, mostly one, and the jobs before them.

    Each job's place is where its client's jobs before it end, or now, plus its cost: fair queueing by the clock of
    what has been served. So the cheap go first, a client with many jobs waits behind itself, and nobody for ever.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[Sequence[QueuedJob[Work, Result]]], Sequence[Result | Exception]],
        bounds: LaneLimits,
    ) -> None:
        self._run = run
        self._bounds = bounds
        self._waiting: list[QueuedJob[Work, Result]] = []
        self._ends: dict[str, float] = {}  # where each client's last job ends
        self._served = 0.0  # the lane's clock
        self._running: dict[asyncio.Task[None], float] = {}  # each batch's cost
        self._seconds_a_cost = bounds.seconds_a_cost  # running mean
        self._wake = asyncio.Event()
        self._closing = False
        self._threads = ThreadPoolExecutor(bounds.threads, thread_name_prefix=f"inkscan-{name}")
        self._loop: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @property
    def is_open(self) -> bool:
        return self._loop is not None and not self._closing

    def start(self) -> None:
        """Begin to work; call it inside the event loop."""
        self._loop = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Take nothing more and finish what was accepted."""
        self._closing = True
        self._wake.set()
        if self._loop is not None:
            await self._loop
        self._threads.shutdown()

    async def ask(self, work: Work, *, cost: float, client: str, kind: Hashable = None) -> Result:
        """The result of some work, when its turn has come."""
        if not self.is_open:
            raise Unavailable("the server is stopping; ask again in a moment")
        job: QueuedJob[Work, Result] = QueuedJob(
            work, cost, client, kind, asyncio.get_running_loop().create_future()
        )
        self._make_room(job)
        job.place = max(self._served, self._ends.get(client, 0.0)) + cost
        self._ends[client] = job.place
        self._waiting.append(job)
        self._wake.set()
        try:
            return await asyncio.wait_for(job.future, self._bounds.answer_seconds)
        except TimeoutError as error:
            raise TimedOut(
                f"no answer within {self._bounds.answer_seconds:g} s; the server is busy or the ink too long"
            ) from error

    def _make_room(self, job: QueuedJob[Work, Result]) -> None:
        """Refuse the job if there is no room, or the last one of a client that holds more than this one would."""
        self._waiting = [other for other in self._waiting if not other.is_abandoned]
        before = sum(self._running.values()) + sum(other.cost for other in self._waiting)
        wait = (before / self._bounds.threads + job.cost) * self._seconds_a_cost
        if not before or (len(self._waiting) < self._bounds.waiting and wait <= self._bounds.wait_seconds):
            return
        refusal = Overloaded(
            f"{len(self._waiting)} requests wait already; try again later", max(1, math.ceil(wait))
        )
        held: defaultdict[str, float] = defaultdict(float)
        for other in self._waiting:
            held[other.client] += other.cost
        greediest = max(held, key=held.__getitem__, default=job.client)
        if held[greediest] <= held[job.client] + job.cost:
            raise refusal
        last = max((other for other in self._waiting if other.client == greediest), key=_place)
        self._waiting.remove(last)
        self._ends[greediest] -= last.cost
        last.future.set_exception(refusal)

    async def _work(self) -> None:
        while not (self._closing and not self._waiting and not self._running):
            await self._wake.wait()
            self._wake.clear()
            while (idle := self._bounds.threads - len(self._running)) and (batch := self._next_batch(idle)):
                task = asyncio.create_task(self._answer(batch))
                self._running[task] = sum(job.cost for job in batch)
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._wake.set()

    def _next_batch(self, idle: int) -> list[QueuedJob[Work, Result]]:
        """The job whose turn it is and the next ones of its kind, shared out among the threads that are idle."""
        self._waiting = sorted((job for job in self._waiting if not job.is_abandoned), key=_place)
        if not self._waiting:
            return []
        like = [job for job in self._waiting if job.kind == self._waiting[0].kind]
        batch = like[: min(self._bounds.batch, math.ceil(len(like) / idle))]
        chosen = set(map(id, batch))
        self._waiting = [job for job in self._waiting if id(job) not in chosen]
        self._served = max(self._served, batch[0].place)
        # One whose last job stands at this very place may have it waiting still.
        self._ends = {client: end for client, end in self._ends.items() if end >= self._served}
        return batch

    async def _answer(self, batch: list[QueuedJob[Work, Result]]) -> None:
        started = time.perf_counter()
        loop = asyncio.get_running_loop()
        try:
            outcomes = await loop.run_in_executor(self._threads, self._run, batch)
        except Exception as error:  # a lane's own fault, not to be waited for until time is up
            outcomes = [error] * len(batch)
        pace = (time.perf_counter() - started) / sum(job.cost for job in batch)
        self._learn_pace(pace, all(job.is_abandoned for job in batch))
        for job, outcome in zip(batch, outcomes, strict=True):
            if job.is_abandoned:
                continue
            if isinstance(outcome, Exception):
                job.future.set_exception(outcome)
            else:
                job.future.set_result(outcome)

    def _learn_pace(self, pace: float, was_given_up: bool) -> None:
        """From a batch; one that was given up might have taken longer, never less."""
        if not was_given_up or pace > self._seconds_a_cost:
            mean = self._seconds_a_cost + _NEWEST * (pace - self._seconds_a_cost)
            self._seconds_a_cost = max(mean, self._bounds.seconds_a_cost)


def call_each(jobs: Sequence[QueuedJob[Callable[[], Any], Any]]) -> list[Any]:
    """What a lane runs whose work are calls without arguments."""
    return [_outcome(job.work) for job in jobs]


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return error


def _place(job: QueuedJob[Work, Result]) -> float:
    return job.place
