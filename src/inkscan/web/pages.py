"""The page to write on, the page about the API, and what operators look at."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import Field

from inkscan import __version__
from inkscan.web.description import replies, text
from inkscan.web.page_files import STATIC
from inkscan.web.reference import reference_page
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.shapes import Shape

router = APIRouter()


class HealthReply(Shape):
    """Whether the server is well."""

    status: Literal["ok", "stopping"] = Field(description="Whether it takes requests.")
    model: str = Field(description="Its name.")
    version: str = Field(description="Of inkscan.")


@router.get("/", include_in_schema=False)
@router.head("/", include_in_schema=False)
async def page() -> FileResponse:
    return FileResponse(STATIC / "index.html")


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    template = (STATIC / "docs.html").read_text("utf-8")
    return HTMLResponse(reference_page(template, request))


@router.get("/favicon.ico", include_in_schema=False)
async def favicon() -> FileResponse:
    return FileResponse(STATIC / "icon.svg")


@router.head("/healthz", include_in_schema=False)
@router.get(
    "/healthz",
    summary="Whether the server takes requests",
    tags=["For operators"],
    responses=replies(HealthReply, failures=frozenset({503})),
)
async def healthz(request: Request) -> JsonReply:
    """200 while it does, 503 while it stops."""
    service = service_of(request)
    is_open = service.queue.is_open
    reply = HealthReply(
        status="ok" if is_open else "stopping", model=service.about["model"], version=__version__
    )
    return JsonReply(reply.model_dump(), 200 if is_open else 503)


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    tags=["For operators"],
    response_class=PlainTextResponse,
    responses=replies({"text/plain": text("Prometheus' text format.")}, failures=frozenset()),
)
async def metrics(request: Request) -> Response:
    """Requests by route and status, latencies, batch sizes, the queue, live sessions."""
    return Response(service_of(request).metrics.text(), media_type=CONTENT_TYPE_LATEST)
