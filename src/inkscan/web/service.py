"""Service: what the routes share, made once when the server starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request, WebSocket

from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchSettings
from inkscan.web.batching import BatchQueue
from inkscan.web.metrics import Metrics
from inkscan.web.settings import Limits, ServerSettings


@dataclass(frozen=True)
class Service:
    """The queue in front of the model and what is known of both."""

    queue: BatchQueue
    search: SearchSettings
    symbols: frozenset[str]  # that the model knows
    about: Mapping[str, Any]
    settings: ServerSettings
    metrics: Metrics
    live: set[WebSocket] = field(default_factory=set)

    @classmethod
    def of(cls, recognizer: Recognizer, settings: ServerSettings) -> Service:
        metrics = Metrics()
        service = cls(
            queue=BatchQueue(recognizer, settings.limits, metrics),
            search=recognizer.settings,
            symbols=frozenset(recognizer.vocabulary.symbols),
            about=about_model(recognizer),
            settings=settings,
            metrics=metrics,
        )
        metrics.live.value = lambda: len(service.live)
        return service

    @property
    def limits(self) -> Limits:
        return self.settings.limits


def service_of(connection: Request | WebSocket) -> Service:
    """The service of the app that a request reached."""
    service: Service = connection.app.state.service
    return service


def about_model(recognizer: Recognizer) -> dict[str, Any]:
    """Name, system and licence of the model."""
    infos = [member.info for member in recognizer.members]
    return {
        "model": recognizer.name,
        "system": "+".join(info.system for info in infos),
        "licence": "; ".join(sorted({info.licence for info in infos})),
        "symbols": sorted(recognizer.vocabulary.symbols),
    }
