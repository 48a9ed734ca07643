"""Request bodies: read within a size and a time, and turned into ink within the limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from fastapi import HTTPException, Request, WebSocket

from inkscan.errors import EmptyInput, InkTooLarge, MalformedInk
from inkscan.ink import Ink
from inkscan.ink.formats import read_ink
from inkscan.ink.json import ink_from_json, parse_json
from inkscan.web.batching import Answer, Question
from inkscan.web.clients import client_of, while_connected
from inkscan.web.lanes import CallLane
from inkscan.web.logs import note
from inkscan.web.server_settings import Limits
from inkscan.web.service import Service, service_of

_DRAINED = 16  # bodies this many times too large are still read to their end, so that the client sees why
_Value = TypeVar("_Value")
_AT_ONCE = 4_000  # bytes that are read in less than a millisecond
_MAX_DIGITS = 15  # of a declared length that is worth reading; h11 lets only digits through


async def answer_to(request: Request, read: Callable[[bytes], Question]) -> Answer:
    """The answer to the question that a body is read as; it is given up when the client goes."""
    service: Service = service_of(request)
    body = await read_body(request, service.limits)

    async def answered() -> Answer:
        question = await read_in(service.reading, request, body, partial(read, body))
        return await service.queue.recognize(question, client_of(request))

    answer = await while_connected(request, answered())
    note(request.scope, batch=answer.batch_size, recognition_ms=round(answer.batch_seconds * 1000, 1))
    return answer


async def read_in(
    lane: CallLane, request: Request | WebSocket, body: bytes, read: Callable[[], _Value]
) -> _Value:
    """What is read of a body, away from the event loop unless that would take longer than the reading."""
    if len(body) <= _AT_ONCE:
        return read()
    value: _Value = await lane.ask(read, cost=1 + len(body) / 10_000, client=client_of(request))
    return value


async def read_body(request: Request, limits: Limits) -> bytes:
    """The whole body; refused where it is too large, too slow or empty."""
    declared = request.headers.get("content-length", "0")
    if len(declared) > _MAX_DIGITS or int(declared) > _DRAINED * limits.body_bytes:
        raise InkTooLarge(_too_large(limits))
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for chunk in request.stream():
                size += len(chunk)
                if size <= limits.body_bytes:
                    chunks.append(chunk)
                elif size > _DRAINED * limits.body_bytes:
                    break
    except TimeoutError as error:
        raise HTTPException(
            408, f"the body did not arrive within {limits.body_seconds:g} s", {"Connection": "close"}
        ) from error
    if size > limits.body_bytes:
        raise InkTooLarge(_too_large(limits))
    if not size:
        raise EmptyInput("the body is empty; send strokes as JSON or InkML")
    return b"".join(chunks)


def _too_large(limits: Limits) -> str:
    return f"the body has more than {limits.body_bytes} bytes, the limit of this server"


def parse_object(body: bytes) -> dict[str, Any]:
    """The object of a JSON body."""
    value = parse_json(body)
    if not isinstance(value, dict):
        raise MalformedInk("the JSON of the body is not an object")
    return value


def ink_of(value: object, request: Request, limits: Limits) -> Ink:
    """The strokes in a JSON value of any known shape."""
    return checked(ink_from_json(value), request, limits)


def ink_of_file(body: bytes, request: Request, limits: Limits) -> Ink:
    """The strokes of an ink file, such as InkML, sent as the body."""
    return checked(read_ink(body), request, limits)


def checked(ink: Ink, request: Request, limits: Limits) -> Ink:
    """The ink, if it is within the limits."""
    note(request.scope, strokes=len(ink), points=ink.point_count)
    check_size(len(ink), ink.point_count, limits)
    return ink


def check_size(strokes: int, points: int, limits: Limits) -> None:
    """Refuse more than one expression can have."""
    if strokes > limits.strokes:
        raise InkTooLarge(f"{strokes} strokes; this server reads at most {limits.strokes} at once")
    if points > limits.points:
        raise InkTooLarge(f"{points} points; this server reads at most {limits.points} at once")
