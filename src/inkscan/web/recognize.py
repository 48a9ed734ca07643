"""/v1: recognise strokes, typeset tokens, and say which model answers."""

from __future__ import annotations

import codecs
from functools import partial
from typing import Any

from fastapi import APIRouter, Depends, Request

from inkscan import __version__
from inkscan.errors import BadRequest
from inkscan.ink import Ink
from inkscan.ink.json import parse_json
from inkscan.latex.tokens import latex_from_tokens, parse_latex
from inkscan.latex.tree import parse_tokens, to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.web import openapi, openapi_replies
from inkscan.web.access import require_key
from inkscan.web.answers import Wishes, answer_json, timing_json
from inkscan.web.batching import Answer
from inkscan.web.bodies import (
    ink_of,
    ink_of_file,
    note_answer,
    parse_object,
    read_body,
    read_in,
    refuse_unknown_keys,
)
from inkscan.web.clients import client_of, while_connected
from inkscan.web.replies import JsonReply
from inkscan.web.service import Service, service_of

STROKE_KEYS = ("strokes", "strokeGroups")  # the plain shape and Mathpix's, and MyScript's
MAX_TOKENS = 1_000

router = APIRouter(prefix="/v1", tags=["inkscan"])


@router.post(
    "/recognize",
    summary="Pen strokes to LaTeX",
    openapi_extra=openapi.RECOGNIZE,
    responses=openapi_replies.RECOGNIZE,
    dependencies=[Depends(require_key)],
)
async def recognize(request: Request) -> JsonReply:
    """Send strokes as JSON with options beside them. An ink file (InkML, SCGINK) may be the body instead, with the
    options in the query: `--data-binary @FILE 'http://.../v1/recognize?n_best=3'`. Other keys are refused."""
    service = service_of(request)
    body = await read_body(request, service.limits)
    query = request.query_params
    wishes: dict[str, Any] = {key: " ".join(query.getlist(key)) for key in query}

    def read() -> tuple[Ink, Wishes]:
        if body.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
            value = parse_json(body)
            if isinstance(value, dict):
                wishes.update((key, wish) for key, wish in value.items() if key not in STROKE_KEYS)
            ink = ink_of(value, request, service.limits)
        else:
            ink = ink_of_file(body, request, service.limits)
        return ink, Wishes.read(wishes, service.search)

    async def answered() -> Answer:
        ink, asked = await read_in(service.reading, request, body, read)
        write = partial(answer_json, wishes=asked, vocabulary=service.symbols)
        return await service.queue.recognize(ink, asked.search, client_of(request), write)

    answer = await while_connected(request, answered())
    note_answer(request, answer)
    return JsonReply(
        {"request_id": request.scope["request_id"], **answer.written, "timing": timing_json(answer)}
    )


@router.post(
    "/typeset",
    summary="LaTeX or tokens to canonical LaTeX and MathML",
    openapi_extra=openapi.TYPESET,
    responses=openapi_replies.TYPESET,
    dependencies=[Depends(require_key)],
)
async def typeset(request: Request) -> JsonReply:
    """For pages whose users replace a symbol of the answer."""
    service = service_of(request)
    body = await read_body(request, service.limits)
    cost = 1 + min(len(body), 10 * MAX_TOKENS) / 25
    work = service.typesetting.ask(partial(_typeset, body), cost=cost, client=client_of(request))
    return JsonReply(await while_connected(request, work))


@router.get(
    "/model",
    summary="The model, its symbols and licence, and the limits of this server",
    responses=openapi_replies.MODEL,
)
async def model(request: Request) -> JsonReply:
    """Needs no key."""
    service: Service = service_of(request)
    return JsonReply({**service.about, "version": __version__, "limits": vars(service.limits)})


def _typeset(body: bytes) -> dict[str, Any]:
    value = parse_object(body)
    refuse_unknown_keys(value, ("latex", "tokens"))
    row = _row(value)
    tokens = to_tokens(row)
    return {"latex": latex_from_tokens(tokens), "tokens": tokens, "mathml": to_mathml(row)}


def _row(value: dict[str, Any]) -> Any:
    tokens, latex = value.get("tokens"), value.get("latex")
    if isinstance(tokens, list) and all(isinstance(t, str) for t in tokens):
        if len(tokens) > MAX_TOKENS:
            raise BadRequest(f"more than {MAX_TOKENS} tokens")
        if not all(t and t.isprintable() and " " not in t for t in tokens):
            raise BadRequest("a token is a character or a command such as \\alpha, without blanks")
        return parse_tokens(tokens)
    if isinstance(latex, str):
        if len(latex) > 10 * MAX_TOKENS:
            raise BadRequest(f"more than {10 * MAX_TOKENS} characters of LaTeX")
        return parse_latex(latex)
    raise BadRequest("send {'tokens': [...]} or {'latex': '...'}")
