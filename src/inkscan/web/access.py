"""Who may ask: an optional key, and web pages of other origins only where the operator named them."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping

from fastapi import Request

from inkscan.errors import Unauthorized
from inkscan.web.dialects import DIALECTS
from inkscan.web.server_settings import ServerSettings

_HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
_KEY_HEADERS = ("Authorization: Bearer KEY", *(f"{dialect.key_header}: KEY" for dialect in DIALECTS))


async def require_key(request: Request) -> None:
    """A dependency of every route that costs something."""
    settings: ServerSettings = request.app.state.settings
    if settings.api_key and not is_key(offered_key(request.headers), settings):
        raise Unauthorized(f"this server wants its key in one of the headers {', '.join(_KEY_HEADERS)}")


def offered_key(headers: Mapping[str, str]) -> str:
    """The key that a client sent, in whichever header its service uses."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    offered = (headers.get(dialect.key_header, "") for dialect in DIALECTS)
    return next((key for key in offered if key), "")


def is_key(offered: str, settings: ServerSettings) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(offered.encode("utf-8", "replace"), settings.api_key.encode())


def is_known_origin(headers: Mapping[str, str], settings: ServerSettings) -> bool:
    """Whether a WebSocket comes from our own page, a named origin, or no browser at all."""
    origin = headers.get("origin")
    if origin is None or {"*", origin} & set(settings.cors_origins):
        return True
    return origin in {f"{scheme}://{headers.get('host')}" for scheme in ("http", "https")}


def host_name(host: str) -> str | None:
    """The name in a Host header, without its port; None where there is none."""
    found = _HOST.fullmatch(host)
    return found[1].lower() if found else None
