"""Dialects: the services whose programs this server understands, each with its paths, key and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter


@dataclass(frozen=True)
class Dialect:
    """How programs written for one service speak."""

    name: str
    prefix: str
    key_header: str
    error: Callable[[str, str], dict[str, Any]]  # code, message -> body

    def router(self) -> APIRouter:
        """For the routes of this dialect."""
        return APIRouter(prefix=self.prefix, tags=[self.name])


OWN = Dialect(
    name="inkscan",
    prefix="/v1",
    key_header="X-API-Key",
    error=lambda code, message: {"error": {"code": code, "message": message}},
)
MATHPIX = Dialect(
    name="Mathpix's shape",
    prefix="/v3",
    key_header="app_key",
    error=lambda code, message: {"error": message, "error_info": {"id": code, "message": message}},
)
MYSCRIPT = Dialect(
    name="MyScript's shape",
    prefix="/api/v4.0/iink",
    key_header="applicationKey",
    error=lambda code, message: {"code": code, "message": message},
)
DIALECTS = (OWN, MATHPIX, MYSCRIPT)


def dialect_of(path: str) -> Dialect:
    """Whose path it is; what is nobody's is ours."""
    return next((dialect for dialect in DIALECTS if path.startswith(f"{dialect.prefix}/")), OWN)
