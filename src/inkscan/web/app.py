"""The application: routes, failures, access and the page, around one recogniser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from inkscan import __version__
from inkscan.runtime.recognizer import Recognizer
from inkscan.web import (
    compat_mathpix,
    compat_myscript,
    live,
    model_routes,
    pages,
    recognize_routes,
    sheet_routes,
    typeset_routes,
)
from inkscan.web.failures import handle_failures
from inkscan.web.gate import Gate
from inkscan.web.observation import Observation
from inkscan.web.page_files import PageFiles
from inkscan.web.server_settings import ServerSettings
from inkscan.web.service import Service

_ROUTERS = (
    recognize_routes.router,
    typeset_routes.router,
    model_routes.router,
    sheet_routes.router,
    compat_mathpix.router,
    compat_myscript.router,
    live.router,
    pages.router,
)


def create_app(recognizer: Recognizer, settings: ServerSettings | None = None) -> FastAPI:
    """The server's application; the recogniser is loaded already and shared by all requests."""
    settings = settings or ServerSettings()
    service = Service.of(recognizer, settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        await service.close()

    app = FastAPI(
        title="inkscan",
        version=__version__,
        description="Handwritten mathematics in as pen strokes, LaTeX out.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's pages load their scripts from elsewhere; ours is static/docs.html
        redoc_url=None,
    )
    app.state.service, app.state.settings = service, settings
    handle_failures(app)
    for router in _ROUTERS:
        app.include_router(router)
    app.mount("/static", PageFiles(settings.app), name="static")
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.cors_origins, allow_methods=["*"], allow_headers=["*"],
            expose_headers=["Retry-After", "X-Request-Id"],
        )  # fmt: skip
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(Observation, metrics=service.metrics)
    return app
