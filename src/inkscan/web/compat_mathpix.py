"""`POST /v3/strokes` in Mathpix's shape: their clients work with another host."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Any

from fastapi import APIRouter, Depends, Request

from inkscan import __version__
from inkscan.errors import BadRequest
from inkscan.ink import Ink
from inkscan.latex.tree import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.recognition import Recognition
from inkscan.web import openapi, openapi_replies
from inkscan.web.access import require_key
from inkscan.web.asciimath import to_asciimath
from inkscan.web.batching import Answer, Write
from inkscan.web.bodies import ink_of, note_answer, parse_object, read_body, read_in
from inkscan.web.clients import client_of, while_connected
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of

DEFAULT_FORMATS = ("text", "latex_styled")
KNOWN_FORMATS = frozenset({"text", "latex_styled", "latex_simplified", "data", "html"})
INLINE = ("\\(", "\\)")

router = APIRouter(tags=["Mathpix's shape"])


@router.post(
    "/v3/strokes",
    summary="Pen strokes to LaTeX, in Mathpix's shape",
    openapi_extra=openapi.MATHPIX,
    responses=openapi_replies.MATHPIX,
    dependencies=[Depends(require_key)],
)
async def strokes(request: Request) -> JsonReply:
    """For programs written for Mathpix: only the host changes. Options that are not named here are ignored."""
    service = service_of(request)
    body = await read_body(request, service.limits)

    def read() -> tuple[Ink, Write]:
        value = parse_object(body)
        options = value.get("data_options")
        write = partial(
            _content,
            formats=_formats(value),
            delimiters=_delimiters(value),
            options=options if isinstance(options, dict) else {},
        )
        return ink_of({"strokes": value.get("strokes")}, request, service.limits), write

    async def answered() -> Answer:
        ink, write = await read_in(service.reading, request, body, read)
        return await service.queue.recognize(ink, service.search, client_of(request), write)

    answer = await while_connected(request, answered())
    note_answer(request, answer)
    box = answer.recognition.ink.box()
    reply = {
        "request_id": request.scope["request_id"],
        "version": f"inkscan-{__version__}",
        "is_printed": False,
        "is_handwritten": True,
        "image_width": round(box.width),
        "image_height": round(box.height),
        "confidence": answer.recognition.confidence,
        "confidence_rate": _rate(answer.recognition),
        **answer.written,
    }
    return JsonReply(reply)


def _content(
    recognition: Recognition, formats: list[str], delimiters: tuple[str, str], options: Mapping[str, Any]
) -> dict[str, Any]:
    latex, row = recognition.latex, parse_tokens(recognition.tokens)
    inline = to_mathml(row, display=False)
    left, right = delimiters
    html = f'<div><span class="math-inline">{inline}<latex style="display: none">{escape(latex)}</latex></span></div>'
    made = {
        "text": f"{left} {latex} {right}",
        "latex_styled": latex,
        "latex_simplified": latex,
        "html": html,
        "data": [
            {"type": kind, "value": content}
            for kind, content in (
                ("latex", latex),
                ("mathml", recognition.mathml),
                ("asciimath", to_asciimath(row)),
            )
            if options.get(f"include_{kind}") is True
        ],
    }
    return {name: content for name, content in made.items() if name in formats}


def _rate(recognition: Recognition) -> float:
    """Mathpix's second figure: how sure the symbols are on the whole."""
    symbols = recognition.symbols
    return sum(symbol.confidence for symbol in symbols) / len(symbols) if symbols else recognition.confidence


def _formats(value: Mapping[str, Any]) -> list[str]:
    formats = value.get("formats", list(DEFAULT_FORMATS))
    if not isinstance(formats, list) or not all(isinstance(name, str) for name in formats):
        raise BadRequest(f"formats is a list of {', '.join(sorted(KNOWN_FORMATS))}")
    return formats


def _delimiters(value: Mapping[str, Any]) -> tuple[str, str]:
    pair = value.get("math_inline_delimiters", list(INLINE))
    if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
        raise BadRequest("math_inline_delimiters is a list of two strings")
    return pair[0][:20], pair[1][:20]
