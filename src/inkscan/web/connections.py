"""Connections: how many there may be, and how long each may keep the server waiting; HTTP and WebSocket alike."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from inkscan.web.clients import is_local, network_of
from inkscan.web.logs import LOGGER
from inkscan.web.server_settings import Limits

_SWEEP_SECONDS = 0.25
_MAX_UNREAD = 4_000_000  # bytes that wait for a client to take them
_GRACE_SECONDS = 1.0  # a route that reads a slow body answers 408 before the connection is cut
_PIECE = 4096  # bytes of WebSocket frames between two looks at other connections
_MAX_FRAMES = 1_000  # a second
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
)

Phase = str | None  # what the server waits for: "header", "body", or nothing


@dataclass
class _Watch:
    """One connection; `phase` asks its protocol what it waits for."""

    host: str
    phase: Callable[[], Phase]
    last_phase: Phase = None
    since: float = 0.0  # when that began
    unread: int = 0
    moved: float = 0.0  # when the client last took something


class Connections:
    """The open connections of one server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seconds = {"header": limits.header_seconds, "body": limits.body_seconds + _GRACE_SECONDS}
        self._open: dict[asyncio.Transport, _Watch] = {}
        self._by_host: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport, phase: Callable[[], Phase]) -> bool:
        """Watch a new connection, unless there are too many."""
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        host = network_of(address)
        crowded = not is_local(address) and self._by_host[host] >= self._limits.connections_each
        if crowded or len(self._open) >= self._limits.connections:
            LOGGER.warning("too many connections", extra={"fields": {"connections": len(self._open)}})
            return False
        now = time.monotonic()
        self._open[transport] = _Watch(host, phase, None, now, 0, now)
        self._by_host[host] += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)
        return True

    def upgrade(self, transport: asyncio.Transport) -> None:
        """The connection became a WebSocket's, which says itself when it must come to an end."""
        if transport in self._open:
            self._open[transport].phase = lambda: None

    def forget(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        watch = self._open.pop(transport, None)
        if watch is not None:
            self._by_host[watch.host] -= 1
            if not self._by_host[watch.host]:
                del self._by_host[watch.host]

    def _sweep(self) -> None:
        now = time.monotonic()
        for transport, watch in list(self._open.items()):
            if self._reads_too_slowly(transport, watch, now):
                transport.abort()
            elif self._sends_too_slowly(watch, now):
                transport.close()
        self._timer = (
            asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep) if self._open else None
        )

    def _reads_too_slowly(self, transport: asyncio.Transport, watch: _Watch, now: float) -> bool:
        unread = transport.get_write_buffer_size()
        if unread == 0 or unread < watch.unread:
            watch.moved = now
        watch.unread = unread
        return unread > _MAX_UNREAD or now - watch.moved > self._limits.read_seconds

    def _sends_too_slowly(self, watch: _Watch, now: float) -> bool:
        phase = watch.phase()
        if phase != watch.last_phase:
            watch.last_phase, watch.since = phase, now
        return phase is not None and now - watch.since > self._seconds[phase]


def http_protocol(connections: Connections) -> type[H11Protocol]:
    """HTTP whose connections are counted and watched."""

    class WatchedHttp(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if not connections.admit(transport, self._phase):
                transport.write(_FULL)
                transport.close()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.forget(self.transport)
            super().connection_lost(exc)

        def _phase(self) -> Phase:
            """The header's time runs from a connection's first moment, or a later header's first byte."""
            if self.conn.their_state is h11.SEND_BODY:
                return "body"
            waits = self.conn.their_state is h11.IDLE and (self.cycle is None or self.conn.trailing_data[0])
            return "header" if waits else None

    return WatchedHttp


def websocket_protocol(connections: Connections) -> type[WebSocketsSansIOProtocol]:
    """WebSockets that take frames a few at a time, and no flood of them."""

    class WatchedWebSocket(WebSocketsSansIOProtocol):
        _rest = b""
        _frames = 0
        _second = 0.0

        def connection_made(self, transport: Any) -> None:
            connections.upgrade(transport)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.forget(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if not self.handshake_initiated:
                super().data_received(data)
                return
            is_feeding = bool(self._rest)
            self._rest += data
            if not is_feeding:
                self._feed()

        def _feed(self) -> None:
            """One piece; other connections come before the next."""
            if self.transport.is_closing():
                return
            piece, self._rest = self._rest[:_PIECE], self._rest[_PIECE:]
            super().data_received(piece)
            if self._rest:
                self.transport.pause_reading()
                self.loop.call_soon(self._feed)
            elif not self.read_paused and not self.transport.is_closing():
                self.transport.resume_reading()

        def handle_events(self) -> None:
            now = time.monotonic()
            if now - self._second > 1:
                self._frames, self._second = 0, now
            self._frames += len(self.conn.events)
            if self._frames > _MAX_FRAMES:
                LOGGER.warning("too many WebSocket frames", extra={"fields": {"frames": self._frames}})
                self.transport.abort()
                return
            super().handle_events()

    return WatchedWebSocket
