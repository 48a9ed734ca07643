"""The process: uvicorn within bounds of connections and files, one JSON log, and a stop that finishes its work."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

from inkscan.errors import NoSuchAddress, PortInUse
from inkscan.web.connections import Connections, http_protocol, websocket_protocol
from inkscan.web.server_settings import Limits

_BACKLOG = 128  # connections that one turn of the event loop takes
# Longer than clients keep a connection (5 to 15 s): a request that comes just as the server closes is lost.
_KEEP_ALIVE_SECONDS = 20
_OTHER_FILES = 4 * _BACKLOG  # beside counted connections: those just taken, the model, the log


def serve(app: FastAPI, host: str, port: int, limits: Limits, on_ready: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; `on_ready` gets the address once requests are answered."""
    listener = listen(host, port)
    server = _Announced(config(app, host, port, within_open_files(limits)))
    server.on_ready = lambda: on_ready(_address(listener))
    server.run(sockets=[listener])


def within_open_files(limits: Limits) -> Limits:
    """As many connections as this process may have files; the system's soft limit is raised where that helps."""
    if sys.platform == "win32":
        return limits
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return replace(limits, connections=min(limits.connections, max(soft - _OTHER_FILES, soft // 4)))
    return limits


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
    connections = Connections(limits)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=http_protocol(connections),
        ws=websocket_protocol(connections),
        ws_max_size=limits.body_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=limits.shutdown_seconds,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        backlog=_BACKLOG,
    )
