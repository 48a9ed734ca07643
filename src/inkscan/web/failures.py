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
from inkscan.web.dialects import dialect_of
from inkscan.web.logs import LOGGER, note
from inkscan.web.replies import JsonReply

FAILURES: Mapping[int, tuple[str, str]] = {  # status -> what it means, and its codes
    400: (
        "The body or an option is wrong; the message says what.",
        "ink.empty ink.encoding ink.malformed ink.unsafe_xml ink.coordinate ink.no_strokes latex.syntax "
        "latex.too_deep latex.unknown_token latex.mathml request.invalid request.nothing_allowed",
    ),
    401: ("The key is missing or wrong.", "request.unauthorized"),
    404: ("There is no such path.", "request.not_found"),
    405: ("The path is right, the method is not.", "request.method"),
    406: ("No answer of the types that `Accept` names.", "request.not_acceptable"),
    408: ("The body came too slowly.", "request.slow"),
    413: ("Too many bytes, strokes or points.", "ink.too_large"),
    415: ("This is not ink.", "ink.unknown_format"),
    429: ("Too much waits already; the header `Retry-After` says when to ask again.", "request.overloaded"),
    500: ("A fault of the server.", "internal"),
    503: ("The server is stopping.", "request.unavailable"),
    504: ("No answer in time.", "request.timeout"),
}
_STATUSES = {  # the longest prefix of a code decides; codes that no client should see have no row above
    "ink": 400,
    "latex": 400,
    "request": 400,
    "request.cancelled": GONE,
    "request.crashed": 500,  # of bulk jobs: the ink may be good
    **{code: status for status, (_, codes) in FAILURES.items() for code in codes.split()},
}
CODES: Mapping[int, str] = {404: "request.not_found", 405: "request.method", 408: "request.slow"}
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
        return dialect_of(path).error(self.code, self.message)


def status_of(code: str) -> int:
    """The HTTP status of an error code; a family without a row is our own fault."""
    while code and code not in _STATUSES:
        code = code.rpartition(".")[0]
    return _STATUSES.get(code, 500)


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
