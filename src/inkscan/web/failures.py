"""Failures over HTTP: one table from error codes to statuses, and each dialect's shape of an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inkscan.errors import InkscanError, Overloaded
from inkscan.web.clients import GONE
from inkscan.web.logs import LOGGER, note
from inkscan.web.replies import JsonReply

STATUSES: Mapping[str, int] = {  # the longest prefix of a code decides
    "ink": 400,
    "ink.too_large": 413,
    "ink.unknown_format": 415,
    "latex": 400,
    "request": 400,
    "request.cancelled": GONE,
    "request.crashed": 500,  # of bulk jobs: the ink may be good
    "request.not_acceptable": 406,
    "request.overloaded": 429,
    "request.slow": 408,
    "request.timeout": 504,
    "request.unauthorized": 401,
    "request.unavailable": 503,
}
CODES: Mapping[int, str] = {
    404: "request.not_found",
    405: "request.method",
    408: "request.slow",
}
INTERNAL = "internal"


@dataclass(frozen=True)
class Failure:
    """An error as a client sees it."""

    status: int
    code: str
    message: str
    retry_seconds: int = 1

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """What a client may know of it: of a fault of ours, only that there was one."""
        if isinstance(error, InkscanError):
            retry = error.retry_seconds if isinstance(error, Overloaded) else 1
            return cls(status_of(error.code), error.code, str(error), retry)
        return cls(500, INTERNAL, "a fault of the server; its log says more")

    @property
    def headers(self) -> dict[str, str]:
        if self.status in (429, 503):
            return {"Retry-After": str(self.retry_seconds)}
        if self.status == 413:  # the rest of a large body may still be on its way
            return {"Connection": "close"}
        return {"WWW-Authenticate": "Bearer"} if self.status == 401 else {}

    def body(self, path: str) -> dict[str, Any]:
        """The error in the shape that the path's clients know."""
        if path.startswith("/v3/"):
            info = {"id": self.code, "message": self.message}
            return {"error": self.message, "error_info": info}
        if path.startswith("/api/v4.0/iink/"):
            return {"code": self.code, "message": self.message}
        return {"error": {"code": self.code, "message": self.message}}


def status_of(code: str) -> int:
    """The HTTP status of an error code; a family without a row is our own fault."""
    while code and code not in STATUSES:
        code = code.rpartition(".")[0]
    return STATUSES.get(code, 500)


def handle_failures(app: FastAPI) -> None:
    """Answer every error with its status, code and sentence."""

    @app.exception_handler(InkscanError)
    async def inkscan_error(request: Request, error: InkscanError) -> JsonReply:
        return _response(request, Failure.of(error))

    @app.exception_handler(ClientDisconnect)
    async def client_gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=GONE)  # for the log; there is nobody to answer

    @app.exception_handler(StarletteHTTPException)
    async def http_error(request: Request, error: HTTPException) -> JsonReply:
        phrase = HTTPStatus(error.status_code).phrase
        code = CODES.get(error.status_code, "request.invalid")
        message = error.detail if error.detail != phrase else _sentence(error.status_code, request.url.path)
        response = _response(request, Failure(error.status_code, code, message))
        response.headers.update(error.headers or {})
        return response

    app.add_middleware(Faults)


class Faults:
    """ASGI middleware next to the routes: a fault of ours is answered there, so that its reply has all headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if scope["type"] != "http" or has_begun:
                raise
            LOGGER.exception("a fault", extra={"fields": {"id": scope["request_id"]}})
            await _response(Request(scope), Failure.of(error))(scope, receive, send)


def _sentence(status: int, path: str) -> str:
    if status == 404:
        return f"there is no {path[:80]!r} here; /docs lists what there is"
    return f"{HTTPStatus(status).phrase.lower()}; /docs says how to ask"


def _response(request: Request, failure: Failure) -> JsonReply:
    note(request.scope, code=failure.code)
    return JsonReply(failure.body(request.url.path), failure.status, failure.headers)
