"""JSON replies that any text can pass through, half surrogates of a hostile request included."""

from __future__ import annotations

import json
from typing import Any

from fastapi.responses import JSONResponse


class JsonReply(JSONResponse):
    """ASCII JSON without NaN."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")
