"""Metrics for Prometheus: all that the server counts, in a registry of its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        self.requests = Counter("inkscan_requests", "Requests answered.", ("route", "status"), registry=own)
        self.request_seconds = Histogram(
            "inkscan_request_seconds", "From request to answer.", buckets=_SECONDS, registry=own
        )
        self.recognized = Counter("inkscan_inks", "Inks recognised.", registry=own)
        self.batch_size = Histogram(
            "inkscan_batch_size", "Inks recognised together.", buckets=_SIZES, registry=own
        )
        self.batch_seconds = Histogram(
            "inkscan_batch_seconds", "Recognition of one batch.", buckets=_SECONDS, registry=own
        )
        self.wait_seconds = Histogram(
            "inkscan_queue_seconds", "Wait of an ink for its batch.", buckets=_SECONDS, registry=own
        )
        self.refused = Counter(
            "inkscan_overloaded", "Requests refused because the queue was full.", registry=own
        )
        self.queue = Gauge("inkscan_queue_length", "Inks that wait.", registry=own)
        self.live = Gauge("inkscan_live_sessions", "Open live sessions.", registry=own)

    def text(self) -> bytes:
        """The page that Prometheus reads."""
        return generate_latest(self._registry)
