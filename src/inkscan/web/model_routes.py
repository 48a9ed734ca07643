"""/v1/model: which model answers, and within which limits."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from pydantic import Field

from inkscan import __version__
from inkscan.web.description import replies
from inkscan.web.dialects import OWN
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.shapes import Shape

router = OWN.router()


class ModelReply(Shape):
    """The model and the server around it."""

    model: str = Field(description="Its name.")
    second: str | None = Field(description="The name of the model that it asks in doubt, if there is one.")
    classifier: str | None = Field(
        description="The name of the classifier of single symbols that weighs answers, if there is one."
    )
    language: bool = Field(description="Whether a language model beside the classifier weighs them, too.")
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
