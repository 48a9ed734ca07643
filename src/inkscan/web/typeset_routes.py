"""/v1/typeset: a formula in canonical LaTeX and MathML."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import AfterValidator, ConfigDict, Field

from inkscan.errors import BadRequest
from inkscan.latex.tokens import (
    TOKENS_ARE,
    is_token,
    latex_from_tokens,
    parse_foreign_tokens,
    parse_latex,
)
from inkscan.latex.tree import to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.web.access import require_key
from inkscan.web.bodies import parse_object, read_body
from inkscan.web.clients import client_of, while_connected
from inkscan.web.description import body, replies
from inkscan.web.dialects import OWN
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.shapes import Asked, Says, Shape

MAX_TOKENS = 1_000
_SEND = Says("send {'tokens': [...]} or {'latex': '...'}")

router = OWN.router()


def _bounded(latex: str) -> str:
    if len(latex) > 10 * MAX_TOKENS:
        raise BadRequest(f"more than {10 * MAX_TOKENS} characters of LaTeX")
    return latex


def _written(tokens: list[str]) -> list[str]:
    if len(tokens) > MAX_TOKENS:
        raise BadRequest(f"more than {MAX_TOKENS} tokens")
    if not all(map(is_token, tokens)):
        raise BadRequest(TOKENS_ARE)
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
    has_tokens = "tokens" in asked.model_fields_set
    row = parse_foreign_tokens(asked.tokens) if has_tokens else parse_latex(asked.latex)
    tokens = list(to_tokens(row))
    return TypesetReply(latex=latex_from_tokens(tokens), tokens=tokens, mathml=to_mathml(row)).model_dump()
