"""Logs: one JSON object a line, about requests and never about what was written."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import MutableMapping
from typing import Any

LOGGER = logging.getLogger("inkscan.web")
_NOTES = "inkscan.notes"


class JsonLines(logging.Formatter):
    """A record as one line of JSON; `extra={"fields": {...}}` adds keys."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_to_stderr() -> None:
    """Send the server's log to standard error; libraries that import the app choose their own handler."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers = [handler]
    LOGGER.propagate = False
    LOGGER.setLevel(logging.INFO)


def note(scope: MutableMapping[str, Any], **fields: object) -> None:
    """Add fields to the line that this request will write."""
    scope.setdefault(_NOTES, {}).update(fields)


def log_request(scope: MutableMapping[str, Any], status: int, seconds: float) -> None:
    """The line of a finished request."""
    fields = {
        "method": scope.get("method", "WS"),
        "path": scope["path"],
        "status": status,
        "ms": round(seconds * 1000, 1),
        **scope.get(_NOTES, {}),
    }
    LOGGER.info("request", extra={"fields": fields})
