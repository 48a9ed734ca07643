"""Observation: every request gets an id, safe headers, a line in the log and its place in the metrics."""

from __future__ import annotations

import time
import uuid
from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inkscan.web.logs import log_request, note
from inkscan.web.metrics import Metrics

_QUIET = frozenset({"/healthz", "/metrics"})
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),  # a page is asked for again after an upgrade; ETags keep that cheap
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        b"img-src 'self' data: blob:; "
        b"connect-src 'self' ws: wss:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    ),
)


class Observation:
    """ASGI middleware around everything else."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["request_id"] = uuid.uuid4().hex
        note(scope, id=scope["request_id"])
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = (b"x-request-id", scope["request_id"].encode())
                message["headers"] = [*message.get("headers", ()), own, *_HEADERS]
            await send(message)

        try:
            await self._app(scope, receive, observed)
        finally:
            self._finish(scope, status, time.perf_counter() - started)

    def _finish(self, scope: MutableMapping[str, Any], status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.requests.labels(route, str(status)).inc()
        if scope["method"] == "POST":
            self._metrics.request_seconds.observe(seconds)
        if scope["path"] not in _QUIET:
            log_request(scope, status, seconds)
