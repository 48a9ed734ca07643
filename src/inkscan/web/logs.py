"""Logs: one JSON object a line, about requests and never about what was written."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

LOGGER = logging.getLogger("inkscan.web")
_REQUEST = "request"
_LIBRARIES = ("uvicorn.error", "asyncio")  # that write when a client or the system fails
_NOTES = "inkscan.notes"
_MAX_PATH, _MAX_METHOD = 200, 20  # characters of a stranger's that a line repeats


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


class Sparing(logging.Filter):
    """At most so many records of one place in the code a second; the next one says how many were left out."""

    def __init__(self, requests: int = 1_000, others: int = 10) -> None:
        super().__init__()
        self._most = {_REQUEST: requests}
        self._others = others
        self._second = 0
        self._seen: Counter[tuple[str, int]] = Counter()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        second, place = int(record.created), (record.pathname, record.lineno)
        if second != self._second:
            self._second = second
            self._seen.clear()
        self._seen[place] += 1
        if self._seen[place] > self._most.get(record.msg, self._others):
            self._left_out += 1
            return False
        if self._left_out:
            record.fields = {**getattr(record, "fields", {}), "left_out": self._left_out}
            self._left_out = 0
        return True


def log_to_stderr() -> None:
    """Send the server's log to standard error; libraries that import the app choose their own handler."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Sparing())
    for logger in (LOGGER, *map(logging.getLogger, _LIBRARIES)):
        logger.handlers = [handler]
        logger.propagate = False
    LOGGER.setLevel(logging.INFO)


def note(scope: MutableMapping[str, Any], **fields: object) -> None:
    """Add fields to the line that this request will write."""
    scope.setdefault(_NOTES, {}).update(fields)


def log_request(scope: MutableMapping[str, Any], status: int, seconds: float) -> None:
    """The line of a finished request."""
    fields = {
        "method": scope.get("method", "WS")[:_MAX_METHOD],
        "path": scope["path"][:_MAX_PATH],
        "status": status,
        "ms": round(seconds * 1000, 1),
        **scope.get(_NOTES, {}),
    }
    LOGGER.info(_REQUEST, extra={"fields": fields})
