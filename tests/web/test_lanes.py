"""Lanes: whose turn it is, what is refused, and what is not worked on any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from inkscan.errors import Overloaded, TimedOut, Unavailable
from inkscan.web.lanes import Lane, LaneLimits, QueuedJob, call_each


class Line:
    """A lane whose thread waits for `go`; it remembers what it ran."""

    def __init__(
        self, waiting: int = 100, wait_seconds: float = 1e9, batch: int = 1, threads: int = 1
    ) -> None:
        self.go, self.has_thread = threading.Event(), threading.Event()
        self.ran: list[str] = []
        limits = LaneLimits(waiting, wait_seconds, 5.0, batch, threads)
        self.lane: Lane[str, str] = Lane("test", self.run, limits)
        self.asked: dict[str, asyncio.Task[str]] = {}

    def run(self, jobs: Sequence[QueuedJob[str, str]]) -> list[str]:
        self.has_thread.set()
        self.go.wait(5)
        self.ran += [job.work for job in jobs]
        return [job.work.upper() for job in jobs]

    async def ask(self, *works: tuple[str, float, str]) -> None:
        """Put work (name, cost, client) into the lane, in this order."""
        for name, cost, client in works:
            self.asked[name] = asyncio.create_task(self.lane.ask(name, cost=cost, client=client))
            await asyncio.sleep(0)


def in_a_loop(test: Callable[[Line], Awaitable[None]], **bounds: Any) -> Line:
    async def whole() -> Line:
        line = Line(**bounds)
        line.lane.start()
        await line.ask(("first", 1, "nobody"))
        await asyncio.to_thread(line.has_thread.wait, 5)
        await test(line)
        line.go.set()
        await asyncio.gather(*line.asked.values(), return_exceptions=True)
        await line.lane.close()
        return line

    return asyncio.run(whole())


def test_the_cheap_go_before_the_dear() -> None:
    async def test(line: Line) -> None:
        await line.ask(("dear", 500, "a"), ("middle", 50, "b"), ("cheap", 5, "c"))

    assert in_a_loop(test).ran == ["first", "cheap", "middle", "dear"]


def test_clients_take_turns() -> None:
    async def test(line: Line) -> None:
        await line.ask(*((f"a{i}", 10, "a") for i in range(4)), ("b0", 10, "b"), ("b1", 10, "b"))

    assert in_a_loop(test).ran == ["first", "a0", "b0", "a1", "b1", "a2", "a3"]


def test_the_dear_are_not_passed_for_ever() -> None:
    async def test(line: Line) -> None:
        await line.ask(("dear", 50, "a"))
        line.go.set()
        for i in range(200):  # ever new clients with cheap work
            await line.ask((f"cheap{i}", 5, f"client{i}"))
            if i > 1:
                await line.asked[f"cheap{i - 2}"]

    assert in_a_loop(test).ran.index("dear") < 30


def test_a_full_lane_refuses_the_greediest() -> None:
    async def test(line: Line) -> None:
        await line.ask(*((f"a{i}", 10, "a") for i in range(3)), ("b0", 10, "b"), ("a3", 10, "a"))

    line = in_a_loop(test, waiting=3)
    assert line.ran == ["first", "a0", "b0", "a1"]
    for name in ("a2", "a3"):  # the first one had its place taken, the other found none
        with pytest.raises(Overloaded, match="3 requests wait already"):
            line.asked[name].result()


def test_one_of_two_equals_can_be_refused_after_the_other_has_begun() -> None:
    async def test(line: Line) -> None:
        await line.ask(("b", 10, "b"), ("c", 10, "c"))
        (begun,) = line.lane._next_batch(1)
        begun.future.set_result(begun.work)
        await line.ask(("d", 5, "d"))

    line = in_a_loop(test, waiting=1)
    assert line.ran == ["first", "d"]
    with pytest.raises(Overloaded):
        line.asked["c"].result()


def test_what_cannot_be_done_in_time_is_refused_and_says_when_to_ask_again() -> None:
    async def test(line: Line) -> None:
        line.go.set()
        await line.asked["first"]
        line.lane._seconds_a_cost = 0.1  # the pace that it has seen
        line.go.clear()
        line.has_thread.clear()
        await line.ask(("a", 1, "a"))
        await asyncio.to_thread(line.has_thread.wait, 5)
        await line.ask(("b", 15, "b"), ("c", 16, "c"))

    line = in_a_loop(test, wait_seconds=2.0)
    with pytest.raises(Overloaded) as refused:
        line.asked["c"].result()
    assert refused.value.retry_seconds == 4


def test_threads_share_what_waits_and_run_at_the_same_time() -> None:
    met = threading.Barrier(2)
    batches: list[int] = []

    def run(jobs: Sequence[QueuedJob[str, str]]) -> list[str]:
        batches.append(len(jobs))
        met.wait(5)  # one thread alone would wait in vain
        return [job.work.upper() for job in jobs]

    async def whole() -> list[str]:
        lane = Lane("test", run, LaneLimits(100, 1e9, 10.0, batch=16, threads=2))
        lane.start()
        asked = [asyncio.create_task(lane.ask(f"a{i}", cost=1, client="a")) for i in range(6)]
        await asyncio.sleep(0)
        await lane.close()  # which waits for both
        return [task.result() for task in asked]

    assert asyncio.run(whole()) == [f"A{i}" for i in range(6)]
    assert batches == [3, 3]


def test_a_fault_of_the_lane_itself_is_told_at_once() -> None:
    def run(jobs: Sequence[QueuedJob[str, str]]) -> list[str]:
        raise MemoryError

    async def whole() -> None:
        lane = Lane("test", run, LaneLimits(9, 9.0, 60.0))
        lane.start()
        for _ in range(2):  # and it goes on
            with pytest.raises(MemoryError):
                await lane.ask("a", cost=1, client="")
        await lane.close()

    asyncio.run(whole())


def test_nothing_is_done_for_nobody() -> None:
    async def test(line: Line) -> None:
        await line.ask(("a", 1, "a"), ("b", 1, "b"))
        line.asked["a"].cancel()
        await asyncio.sleep(0)

    assert in_a_loop(test).ran == ["first", "b"]


def test_time_is_up_and_the_server_stops() -> None:
    async def whole() -> None:
        lane: Lane[Callable[[], Any], Any] = Lane("test", call_each, LaneLimits(9, 9.0, 0.05))
        with pytest.raises(Unavailable):
            await lane.ask(lambda: 1, cost=1, client="")
        lane.start()
        release = threading.Event()
        with pytest.raises(TimedOut):
            await lane.ask(release.wait, cost=1, client="")
        release.set()
        with pytest.raises(ZeroDivisionError):
            await lane.ask(lambda: 1 / 0, cost=1, client="")
        assert await lane.ask(lambda: 7, cost=1, client="") == 7
        await lane.close()

    asyncio.run(whole())
