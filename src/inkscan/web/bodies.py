"""Request bodies: read within a size and a time, and turned into ink within the limits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from fastapi import HTTPException, Request

from inkscan.errors import BadRequest, EmptyInput, InkTooLarge, MalformedInk
from inkscan.ink import Ink
from inkscan.ink.formats import read_ink
from inkscan.ink.json import ink_from_json, parse_json
from inkscan.web.logs import note
from inkscan.web.settings import Limits

_DRAINED = 16  # bodies this many times too large are still read to their end, so that the client sees why
_MAX_NAME = 40  # characters of a stranger's key that a message repeats


async def read_body(request: Request, limits: Limits) -> bytes:
    """The whole body; refused where it is too large, too slow or empty."""
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
        raise InkTooLarge(f"the body has more than {limits.body_bytes} bytes, the limit of this server")
    if not size:
        raise EmptyInput("the body is empty; send strokes as JSON or InkML")
    return b"".join(chunks)


def parse_object(body: bytes) -> dict[str, Any]:
    """The object of a JSON body."""
    value = parse_json(body)
    if not isinstance(value, dict):
        raise MalformedInk("the JSON of the body is not an object")
    return value


def refuse_unknown_keys(keys: Iterable[str], known: Sequence[str]) -> None:
    """A misspelt key would change nothing and go unnoticed, so it is refused and the nearest one named."""
    unknown = next((key[:_MAX_NAME] for key in keys if key not in known), None)
    if unknown is None:
        return
    near = get_close_matches(unknown.lower().replace("-", "_"), known, n=1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    raise BadRequest(f"unknown key {unknown!r}{guess}; there are {', '.join(known)}")


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
