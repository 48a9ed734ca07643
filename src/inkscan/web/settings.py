"""What an operator may set of the server; every limit has a default that suits one expression a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from inkscan.errors import BadRequest

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s]+")  # as browsers send it


@dataclass(frozen=True)
class Limits:
    """What one client may ask for."""

    body_bytes: int = 1_000_000
    strokes: int = 500  # CROHME's longest expression has 115
    points: int = 50_000  # and 6,581 points
    queue: int = 256  # requests that wait; one more is answered 429
    batch: int = 16  # inks recognised together
    live_sessions: int = 200
    body_seconds: float = 10.0  # for the whole body to arrive
    header_seconds: float = 10.0  # for the whole header to arrive
    answer_seconds: float = 30.0  # from the whole request to the answer
    shutdown_seconds: int = 60  # for what was accepted before a stop


@dataclass(frozen=True)
class ServerSettings:
    """How the server behaves beside its limits. Without `api_key` everyone who reaches it may ask."""

    limits: Limits = field(default_factory=Limits)
    api_key: str = ""
    hmac_key: str = ""  # with it, MyScript's requests must be signed
    cors_origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for origin in self.cors_origins:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise BadRequest(
                    f"{origin!r} is no origin; one is like https://your.page, without a slash at the end"
                )
