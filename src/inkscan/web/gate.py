"""The gate: requests that no honest client sends are refused before any route sees them."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from inkscan.errors import BadRequest, InkscanError
from inkscan.web.access import host_name
from inkscan.web.failures import Failure
from inkscan.web.logs import note
from inkscan.web.replies import JsonReply
from inkscan.web.server_settings import ServerSettings


class Gate:
    """ASGI middleware around the routes."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            try:
                check_headers(Headers(scope=scope), self._settings)
            except InkscanError as error:
                await _refuse(error, scope, receive, send)
                return
        await self._app(scope, receive, send)


def check_headers(headers: Headers, settings: ServerSettings) -> None:
    """Refuse a host that this server does not answer for, and a body with two lengths."""
    name = host_name(headers.get("host", ""))
    if name is None:
        raise BadRequest("the Host header has no name of a host in it")
    if settings.hosts and name not in settings.hosts:
        raise BadRequest(
            f"this server does not answer for {name[:80]!r}; its operator can let it: --allow-host {name[:80]}"
        )
    if "content-length" in headers and "transfer-encoding" in headers:
        raise BadRequest("Content-Length and Transfer-Encoding say two things of one body; send one of them")


async def _refuse(error: InkscanError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    failure = Failure.of(error)
    note(scope, code=failure.code)
    headers = {**failure.headers, "Connection": "close"}
    await JsonReply(failure.body(scope["path"]), failure.status, headers)(scope, receive, send)
