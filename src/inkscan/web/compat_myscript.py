"""`POST /api/v4.0/iink/batch` and `/recognize` in MyScript's shape; the reply is the export itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeGuard

from fastapi import APIRouter, Depends, Request, Response

from inkscan.errors import BadRequest, NotAcceptable, Unauthorized
from inkscan.ink import Ink
from inkscan.runtime.recognition import Recognition
from inkscan.web import openapi, openapi_replies
from inkscan.web.access import is_signed, require_key
from inkscan.web.batching import Answer, Write
from inkscan.web.bodies import ink_of, note_answer, parse_object, read_body, read_in
from inkscan.web.clients import client_of, while_connected
from inkscan.web.jiix import Scale, to_jiix
from inkscan.web.service import Service, service_of

LATEX, MATHML, JIIX = "application/x-latex", "application/mathml+xml", "application/vnd.myscript.jiix"
EXPORTS = (LATEX, MATHML, JIIX)
_ALIASES = {"application/json": JIIX}  # their clients put it before the type that they want
_ANY = frozenset({"*/*", "application/*"})
_MM_PER_INCH = 25.4
_DEFAULT_DPI = 96

router = APIRouter(prefix="/api/v4.0/iink", tags=["MyScript's shape"], dependencies=[Depends(require_key)])


@router.post(
    "/batch",
    summary="Stroke groups to LaTeX, MathML or JIIX, in MyScript's shape",
    openapi_extra=openapi.MYSCRIPT_BATCH,
    responses=openapi_replies.MYSCRIPT,
)
async def batch(request: Request) -> Response:
    """For programs written for MyScript: only the host changes. Options that are not named here are ignored."""
    return await _export(request, "strokeGroups")


@router.post(
    "/recognize",
    summary="Strokes to LaTeX, MathML or JIIX, in MyScript's newer shape",
    openapi_extra=openapi.MYSCRIPT_RECOGNIZE,
    responses=openapi_replies.MYSCRIPT,
)
async def recognize(request: Request) -> Response:
    """MyScript's newer call. Options that are not named here are ignored."""
    return await _export(request, "strokes")


async def _export(request: Request, key: str) -> Response:
    service = service_of(request)
    body = await read_body(request, service.limits)

    def read() -> tuple[Ink, Write]:
        if service.settings.hmac_key and not is_signed(body, request.headers, service.settings):
            raise Unauthorized("the hmac header does not sign this body with the application and HMAC keys")
        value = parse_object(body)
        if value.get("contentType", "Math") != "Math":
            raise BadRequest("contentType must be Math; this server reads nothing else")
        wanted = _wanted(request.headers.get("accept", "*/*"), value)
        scale = Scale(_scale(value, "xDPI", "scaleX"), _scale(value, "yDPI", "scaleY"))
        write = partial(_exported, wanted=wanted, scale=scale, service=service)
        return ink_of({key: value.get(key)}, request, service.limits), write

    async def answered() -> Answer:
        ink, write = await read_in(service.reading, request, body, read)
        return await service.queue.recognize(ink, service.search, client_of(request), write)

    answer = await while_connected(request, answered())
    note_answer(request, answer)
    export: Response = answer.written
    return export


def _exported(recognition: Recognition, wanted: str, scale: Scale, service: Service) -> Response:
    if wanted == LATEX:
        content = recognition.latex
    elif wanted == MATHML:
        content = recognition.mathml
    else:
        content = json.dumps(to_jiix(recognition, scale, service.symbols))
    return Response(content, media_type=wanted)


def _wanted(accept: str, value: Mapping[str, Any]) -> str:
    """The export that the Accept header wants most; else what the configuration asks for; else LaTeX."""
    named = _named(accept)
    exact = [name for name in named if name in EXPORTS]
    if exact:
        return exact[0]
    alias = [_ALIASES[name] for name in named if name in _ALIASES]
    if not _ANY & set(named) and not alias:
        raise NotAcceptable(f"this server exports {', '.join(EXPORTS)}")
    configured = [kind for kind in _configured(value) if kind in EXPORTS]
    return [*configured, *alias, LATEX][0]


def _named(accept: str) -> list[str]:
    """The types in an Accept header, the most wanted first."""
    parts = [part.replace(" ", "").lower().partition(";q=") for part in accept.split(",")]
    return [name.partition(";")[0] for name, _, weight in sorted(parts, key=lambda part: -_weight(part[2]))]


def _weight(text: str) -> float:
    return float(text) if re.fullmatch(r"[01](\.\d*)?", text) else 1.0


def _configured(value: Mapping[str, Any]) -> list[str]:
    configuration = value.get("configuration")
    math = configuration.get("math") if isinstance(configuration, dict) else None
    kinds = math.get("mimeTypes") if isinstance(math, dict) else None
    return [kind for kind in kinds if isinstance(kind, str)] if isinstance(kinds, list) else []


def _scale(value: Mapping[str, Any], dpi: str, scale: str) -> float:
    """Millimetres a unit."""
    mm_a_unit, dots_an_inch = value.get(scale), value.get(dpi)
    if _is_size(mm_a_unit):
        return float(mm_a_unit)
    return _MM_PER_INCH / (float(dots_an_inch) if _is_size(dots_an_inch) else _DEFAULT_DPI)


def _is_size(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1e-6 < value < 1e6
