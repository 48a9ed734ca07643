"""/v1: recognise strokes, typeset tokens, and say which model answers."""

from __future__ import annotations

import codecs
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import AfterValidator, ConfigDict, Field

from inkscan import __version__
from inkscan.errors import BadRequest
from inkscan.ink import Ink
from inkscan.ink.json import parse_json
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import latex_from_tokens, parse_latex
from inkscan.latex.tree import to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.web.access import require_key
from inkscan.web.answers import RecognizeReply, Timing
from inkscan.web.batching import Question
from inkscan.web.bodies import answer_to, ink_of, ink_of_file, parse_object, read_body
from inkscan.web.clients import client_of, while_connected
from inkscan.web.description import body, replies
from inkscan.web.dialects import OWN
from inkscan.web.options import Options, RecognizeRequest
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.shapes import Asked, Says, Shape
from inkscan.web.strokes import MINUS_ONE

STROKE_KEYS = ("strokes", "strokeGroups")  # the plain shape and Mathpix's, and MyScript's
MAX_TOKENS = 1_000
_SEND = Says("send {'tokens': [...]} or {'latex': '...'}")

router = OWN.router()


@router.post(
    "/recognize",
    summary="Pen strokes to LaTeX",
    openapi_extra=body(RecognizeRequest, {**MINUS_ONE, "n_best": 3}, files=["application/inkml+xml"]),
    responses=replies(RecognizeReply),
    dependencies=[Depends(require_key)],
)
async def recognize(request: Request) -> JsonReply:
    """Send strokes as JSON with options beside them. An ink file (InkML, SCGINK) may be the body instead, with the
    options in the query: `--data-binary @FILE 'http://.../v1/recognize?n_best=3'`. Other keys are refused."""
    answer = await answer_to(request, partial(_question, request))
    reply: RecognizeReply = answer.written
    return JsonReply(reply.json_of(timing=Timing.of(answer), request_id=request.scope["request_id"]))


def _question(request: Request, content: bytes) -> Question:
    service = service_of(request)
    ink, options = asked_of(request, content, service.limits.strokes)
    write = partial(RecognizeReply.of, options=options, vocabulary=service.symbols)
    return Question(ink, options.search(service.search), write)


def asked_of(request: Request, content: bytes, most_strokes: int) -> tuple[Ink, Options]:
    """The ink and the options in a body, which is JSON with both, or an ink file with the options in the query."""
    limits, query = replace(service_of(request).limits, strokes=most_strokes), request.query_params
    values: dict[str, Any] = {key: " ".join(query.getlist(key)) for key in query}
    if content.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        value = parse_json(content)
        if isinstance(value, dict):
            values.update((key, option) for key, option in value.items() if key not in STROKE_KEYS)
        ink = ink_of(value, request, limits)
    else:
        ink = ink_of_file(content, request, limits)
    return ink, Options.read(values)


def _bounded(latex: str) -> str:
    if len(latex) > 10 * MAX_TOKENS:
        raise BadRequest(f"more than {10 * MAX_TOKENS} characters of LaTeX")
    return latex


def _written(tokens: list[str]) -> list[str]:
    if len(tokens) > MAX_TOKENS:
        raise BadRequest(f"more than {MAX_TOKENS} tokens")
    if not all(token and token.isprintable() and " " not in token for token in tokens):
        raise BadRequest("a token is a character or a command such as \\alpha, without blanks")
    return tokens


class TypesetRequest(Asked):
    """A formula in one of two forms."""

    model_config = ConfigDict(extra="forbid")

    latex: Annotated[str, AfterValidator(_bounded), _SEND] = Field(default="", description="A formula.")
    tokens: Annotated[list[str], AfterValidator(_written), _SEND] = Field(
        default_factory=list,
        description="The same in tokens, as `/v1/recognize` returns them; goes before `latex`.",
    )


class TypesetReply(Shape):
    """The formula in three forms."""

    latex: str = Field(description="In canonical form.")
    tokens: list[str] = Field(description="The same in tokens.")
    mathml: str = Field(description="The same as MathML.")


@router.post(
    "/typeset",
    summary="LaTeX or tokens to canonical LaTeX and MathML",
    openapi_extra=body(TypesetRequest, {"latex": "\\frac12 x^2"}),
    responses=replies(TypesetReply),
    dependencies=[Depends(require_key)],
)
async def typeset(request: Request) -> JsonReply:
    """For pages whose users replace a symbol of the answer."""
    service = service_of(request)
    content = await read_body(request, service.limits)
    cost = 1 + min(len(content), 10 * MAX_TOKENS) / 25
    work = service.typesetting.ask(partial(_typeset, content), cost=cost, client=client_of(request))
    return JsonReply(await while_connected(request, work))


def _typeset(content: bytes) -> dict[str, Any]:
    asked = TypesetRequest.read(parse_object(content))
    if not asked.model_fields_set:
        raise BadRequest(_SEND)
    row = parse_tokens(asked.tokens) if "tokens" in asked.model_fields_set else parse_latex(asked.latex)
    tokens = list(to_tokens(row))
    return TypesetReply(latex=latex_from_tokens(tokens), tokens=tokens, mathml=to_mathml(row)).model_dump()


class ModelReply(Shape):
    """The model and the server around it."""

    model: str = Field(description="Its name.")
    second: str | None = Field(description="The name of the model that it asks in doubt, if there is one.")
    system: str = Field(description="Its kind of network.")
    licence: str = Field(description="Of its weights.")
    symbols: list[str] = Field(description="The tokens that it knows, for `allow` and `forbid`.")
    version: str = Field(description="Of inkscan.")
    limits: dict[str, Any] = Field(
        description="Of this server: `strokes`, `points`, `body_bytes` and others."
    )


@router.get(
    "/model",
    summary="The model, its symbols and licence, and the limits of this server",
    responses=replies(ModelReply, failures=frozenset()),
)
async def model(request: Request) -> JsonReply:
    """Needs no key."""
    service = service_of(request)
    reply = ModelReply(**service.about, version=__version__, limits=vars(service.limits))
    return JsonReply(reply.model_dump())
