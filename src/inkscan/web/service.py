"""Service: what the routes share, made once when the server starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request, WebSocket

from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchSettings
from inkscan.web.batching import BatchQueue
from inkscan.web.lanes import CallLane, Lane, LaneLimits, call_each
from inkscan.web.metrics import Metrics
from inkscan.web.server_settings import Limits, ServerSettings


@dataclass(frozen=True)
class Service:
    """The queue in front of the model, the lanes beside it, and what is known of the model."""

    queue: BatchQueue
    reading: CallLane  # bodies become ink
    typesetting: CallLane
    search: SearchSettings
    symbols: frozenset[str]  # that the model knows
    about: Mapping[str, Any]
    settings: ServerSettings
    metrics: Metrics
    live: set[WebSocket] = field(default_factory=set)

    @classmethod
    def of(cls, recognizer: Recognizer, settings: ServerSettings) -> Service:
        metrics, limits = Metrics(), settings.limits
        wait, answer = limits.answer_seconds / 2, limits.answer_seconds
        service = cls(
            queue=BatchQueue(recognizer, limits, metrics),
            reading=Lane("reading", call_each, LaneLimits(limits.queue, wait, answer)),
            typesetting=Lane("typesetting", call_each, LaneLimits(limits.typeset_queue, wait, answer)),
            search=recognizer.settings,
            symbols=frozenset(recognizer.vocabulary.symbols),
            about=about_model(recognizer),
            settings=settings,
            metrics=metrics,
        )
        metrics.live.set_function(lambda: len(service.live))
        return service

    def start(self) -> None:
        """Begin to work; call it inside the event loop."""
        for lane in (self.reading, self.typesetting, self.queue):
            lane.start()

    async def close(self) -> None:
        """Take nothing more and finish what was accepted."""
        for lane in (self.reading, self.typesetting, self.queue):
            await lane.close()

    def symbols_for(self, search: SearchSettings) -> frozenset[str]:
        """The symbols that an answer of this search may have."""
        known = self.symbols if search.allow is None else self.symbols & set(search.allow)
        return known - set(search.forbid)

    @property
    def limits(self) -> Limits:
        return self.settings.limits


def service_of(connection: Request | WebSocket) -> Service:
    """The service of the app that a request reached."""
    service: Service = connection.app.state.service
    return service


def about_model(recognizer: Recognizer) -> dict[str, Any]:
    """Name, system and licence of the model, and the names of the others that have a say."""
    infos = [member.info for member in recognizer.members]
    second, classifier = recognizer.second, recognizer.classifier
    others = [other.info for other in (second, classifier) if other]
    return {
        "model": recognizer.name,
        "second": second.info.name if second else None,
        "classifier": classifier.info.name if classifier else None,
        "language": bool(classifier and classifier.info.has_language),
        "system": "+".join(info.system for info in infos),
        "licence": "; ".join(sorted({info.licence for info in (*infos, *others)})),
        "symbols": sorted(recognizer.vocabulary.symbols),
    }
