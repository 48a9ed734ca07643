"""The process: uvicorn with time-outs on headers, one JSON log, and a stop that finishes its work."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from inkscan.errors import NoSuchAddress, PortInUse
from inkscan.web.logs import LOGGER
from inkscan.web.settings import Limits

_BACKLOG = 1024


def serve(app: FastAPI, host: str, port: int, limits: Limits, on_ready: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; `on_ready` gets the address once requests are answered."""
    listener = listen(host, port)
    logging.getLogger("uvicorn.error").handlers = LOGGER.handlers
    logging.getLogger("uvicorn.error").propagate = False
    server = _Announced(config(app, host, port, limits))
    server.on_ready = lambda: on_ready(_address(listener))
    server.run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 takes a free one."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise NoSuchAddress(
                f"{host} is no address of this machine; "
                "127.0.0.1 takes requests of this machine alone, 0.0.0.0 those of its networks"
            ) from error
        if error.errno != errno.EADDRINUSE:
            raise
        raise PortInUse(
            f"port {port} of {host} is in use, perhaps by another inkscan; "
            "stop that, or choose another port: --port 0 takes a free one"
        ) from error
    # Connections inherit it; without it a small answer waits 40 ms for the client's acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Announced(uvicorn.Server):
    """A server that says when it is ready."""

    on_ready: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_ready()


def config(app: FastAPI, host: str, port: int, limits: Limits) -> uvicorn.Config:
    """How uvicorn runs the app."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=patient(limits.header_seconds),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=limits.shutdown_seconds,
        backlog=_BACKLOG,
        ws_max_size=limits.body_bytes,
    )


def patient(seconds: float) -> type[H11Protocol]:
    """HTTP that closes a connection whose header does not arrive within this time."""

    class Patient(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._unwatch()
            super().connection_lost(exc)

        def _watch(self) -> None:
            """The clock runs from a connection's first moment, or a header's first byte, to the header's end."""
            waits = self.conn.their_state is h11.IDLE and (self.cycle is None or self.conn.trailing_data[0])
            if not waits:
                self._unwatch()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(seconds, self.transport.close)

        def _unwatch(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Patient
