"""Sixty-four honest clients beside sixteen costly ones, with a recogniser that takes the time that inks cost."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.web import inks
from tests.web.fake import FakeRecognizer

from inkscan import Ink, SearchSettings
from inkscan.errors import Overloaded
from inkscan.web.batching import BatchQueue, Question, cost_of
from inkscan.web.metrics import Metrics
from inkscan.web.server_settings import Limits

SHORT = Ink.from_points(inks.plain(6))
LONG = Ink.from_points([[(i, 0), (i, 1)] for i in range(500)])
SECONDS = 2.0
STEP = 0.005


class Sleeper(FakeRecognizer):
    """Sleeps as long as the inks cost, in steps between which it can be told to stop."""

    def work(self, inks: Sequence[Ink], search: SearchSettings, cancelled: Callable[[], bool]) -> None:
        left = sum(cost_of(ink, search) for ink in inks) / 1000
        while left > 0:
            self.stop_if(cancelled, inks)
            time.sleep(min(STEP, left))
            left -= STEP


def percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[int(share * len(seconds))]


async def ask_until(
    stop: float, queue: BatchQueue, question: Question, client: str, seen: Counter[str], took: list[float]
) -> None:
    while time.monotonic() < stop:
        started = time.monotonic()
        try:
            await queue.recognize(question, client)
        except Overloaded as refusal:
            seen["refused"] += 1
            await asyncio.sleep(refusal.retry_seconds)
        else:
            seen["answered"] += 1
            took.append(time.monotonic() - started)


def under_load(costly: int) -> tuple[list[float], Counter[str], Counter[str]]:
    """Times of the honest, and what became of both kinds' questions."""

    async def whole() -> tuple[list[float], Counter[str], Counter[str]]:
        queue = BatchQueue(Sleeper(), Limits(), Metrics())
        queue.start()
        search = SearchSettings()
        short = Question(SHORT, search, lambda _: None)
        long = Question(LONG, replace(search, beam=20), lambda _: None)
        stop, took = time.monotonic() + SECONDS, list[float]()
        honest, dear = Counter[str](), Counter[str]()
        clients = [ask_until(stop, queue, short, "one address", honest, took) for _ in range(64)]
        clients += [ask_until(stop, queue, long, "one address", dear, []) for _ in range(costly)]
        await asyncio.gather(*clients)
        await queue.close()
        return took, honest, dear

    return asyncio.run(whole())


def test_honest_clients_hardly_notice_costly_ones() -> None:
    alone, _, _ = under_load(costly=0)
    beside, honest, dear = under_load(costly=16)
    assert percentile(beside, 0.95) < max(1.5, 2 * percentile(alone, 0.95))
    assert honest["refused"] == 0 and honest["answered"] > len(alone) / 2
    assert dear["answered"] > 0 and dear["refused"] > 0  # nobody waits for ever, nobody waits in vain
