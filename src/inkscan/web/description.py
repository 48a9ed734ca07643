"""Description: what OpenAPI says of a route, made of the shapes that the route reads and writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from inkscan.web.failures import FAILURES
from inkscan.web.shapes import Schema, schema_of

JSON = "application/json"
Replies = dict[int | str, dict[str, Any]]

_OF_NO_ROUTE = frozenset({404, 405, 500})
_OF_A_CALL = frozenset(FAILURES) - _OF_NO_ROUTE - {406}


def body(
    shape: type[BaseModel], example: Any, files: Sequence[str] = (), parameters: Sequence[Schema] = ()
) -> dict[str, Any]:
    """`openapi_extra` of a route that reads a shape, or files of some content types."""
    content: Schema = {JSON: {"schema": schema_of(shape), "example": example}}
    content |= {kind: {"schema": {"type": "string"}} for kind in files}
    return {
        "requestBody": {"required": True, "content": content},
        **({"parameters": list(parameters)} if parameters else {}),
    }


def accept_header(example: str) -> list[Schema]:
    """The parameter of routes whose answer has several forms."""
    return [
        {
            "name": "Accept",
            "in": "header",
            "schema": {"type": "string"},
            "example": example,
            "description": "The form of the answer: LaTeX, MathML or JIIX; see the reply.",
        }
    ]


def text(description: str) -> Schema:
    """A reply that is no JSON."""
    return {"type": "string", "description": description}


def replies(
    content: type[BaseModel] | Mapping[str, Schema], failures: frozenset[int] = _OF_A_CALL
) -> Replies:
    """`responses` of a route: its answer, as JSON or by content type, and what may go wrong."""
    kinds = content if isinstance(content, Mapping) else {JSON: schema_of(content)}
    error = {JSON: {"schema": {"type": "object"}}}
    return {
        200: {"description": "The answer.", "content": {kind: {"schema": s} for kind, s in kinds.items()}},
        **{
            status: {"description": meaning, "content": error}
            for status, (meaning, _) in FAILURES.items()
            if status in failures
        },
    }
