"""What an operator may set of the server; every limit has a default that suits one expression a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from inkscan.errors import BadServerSetting

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s]+")  # as browsers send it


@dataclass(frozen=True)
class Limits:
    """What one client may ask for."""

    body_bytes: int = 1_000_000
    strokes: int = 500  # CROHME's longest expression has 115
    sheet_strokes: int = 2_000  # of all lines of a sheet together
    points: int = 50_000  # and 6,581 points
    queue: int = 256  # requests that wait; one more is answered 429
    typeset_queue: int = 32  # formulas that wait to be typeset
    batch: int = 16  # inks recognised together
    readers: int = 1  # such batches at the same time
    live_sessions: int = 200
    connections: int = 1_000
    connections_each: int = (
        100  # of one address; those of this machine may be a proxy's and count in all alone
    )
    body_seconds: float = 10.0  # for the whole body to arrive
    header_seconds: float = 10.0  # for the whole header to arrive
    read_seconds: float = 10.0  # in which a client must take something of what is sent to it
    answer_seconds: float = 30.0  # from the whole request to the answer
    shutdown_seconds: int = 60  # for what was accepted before a stop


@dataclass(frozen=True)
class ServerSettings:
    """How the server behaves beside its limits. Without `api_key` everyone who reaches it may ask."""

    limits: Limits = field(default_factory=Limits)
    api_key: str = ""
    hmac_key: str = ""  # with it, MyScript's requests must be signed
    cors_origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()  # names that the Host header may have; none: any
    app: Path | None = None  # what `make app` built: its model reads in browsers while the server is away

    def __post_init__(self) -> None:
        for origin in self.cors_origins:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise BadServerSetting(
                    f"{origin!r} is no origin; one is like https://your.page, without a slash at the end"
                )
        if self.hmac_key and not self.api_key:
            raise BadServerSetting(
                "an HMAC key alone would sign MyScript's calls and leave all others open; set an API key, too"
            )
