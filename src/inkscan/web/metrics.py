"""Metrics in Prometheus' text format: counters, gauges and histograms, no more than the server needs."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Counter:
    """A count by label values."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    values: Tally[tuple[str, ...]] = field(default_factory=Tally)

    def add(self, *labels: str) -> None:
        self.values[labels] += 1

    def lines(self) -> Iterator[str]:
        yield from _head(self.name, self.help, "counter")
        for labels, value in sorted(self.values.items()) or ([] if self.labels else [((), 0)]):
            yield f"{self.name}{_labelled(self.labels, labels)} {value}"


@dataclass
class Gauge:
    """A value that is read when it is asked for."""

    name: str
    help: str
    value: Callable[[], float] = lambda: 0

    def lines(self) -> Iterator[str]:
        yield from _head(self.name, self.help, "gauge")
        yield f"{self.name} {self.value()}"


@dataclass
class Histogram:
    """Counts of observations up to each bound, their number and sum."""

    name: str
    help: str
    bounds: tuple[float, ...]
    counts: list[int] = field(default_factory=list)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self) -> Iterator[str]:
        yield from _head(self.name, self.help, "histogram")
        running = 0
        for bound, count in zip((*self.bounds, "+Inf"), self.counts, strict=True):
            running += count
            yield f'{self.name}_bucket{{le="{bound}"}} {running}'
        yield f"{self.name}_sum {self.total:.6f}"
        yield f"{self.name}_count {running}"


class Metrics:
    """All that the server counts."""

    def __init__(self) -> None:
        self.requests = Counter("inkscan_requests_total", "Requests answered.", ("route", "status"))
        self.request_seconds = Histogram("inkscan_request_seconds", "From request to answer.", SECONDS)
        self.recognized = Counter("inkscan_inks_total", "Inks recognised.")
        self.batch_size = Histogram("inkscan_batch_size", "Inks recognised together.", SIZES)
        self.batch_seconds = Histogram("inkscan_batch_seconds", "Recognition of one batch.", SECONDS)
        self.wait_seconds = Histogram("inkscan_queue_seconds", "Wait of an ink for its batch.", SECONDS)
        self.refused = Counter("inkscan_overloaded_total", "Requests refused because the queue was full.")
        self.queue = Gauge("inkscan_queue_length", "Inks that wait.")
        self.live = Gauge("inkscan_live_sessions", "Open live sessions.")

    def text(self) -> str:
        """The page that Prometheus reads."""
        return "".join(f"{line}\n" for metric in vars(self).values() for line in metric.lines())


def _head(name: str, text: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _labelled(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    if not names:
        return ""
    pairs = (f'{name}="{value}"' for name, value in zip(names, values, strict=True))
    return "{" + ",".join(pairs) + "}"
