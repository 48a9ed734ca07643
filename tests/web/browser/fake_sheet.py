"""A /v1/sheet of the tests' own rule, so that they do not hang on a splitter's skill: lines are parted where nothing is
written over 40 pixels of height, and each is read by the server's /v1/recognize."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from tests.web.browser.hands import playwright

GAP = 40
asked: list[dict[str, Any]] = []  # the requests so far, with `strokes` as their number
beside: dict[str, Any] = {}  # what a test wants in each line's answer


def answer(route: Any) -> None:
    """Handles a request of the page."""
    options = json.loads(route.request.post_data)
    strokes = options.pop("strokes")
    asked.append({**options, "strokes": len(strokes)})
    lines = []
    for numbers in rows(strokes):
        body = json.dumps({**options, "strokes": [strokes[i] for i in numbers]})
        try:
            reply = route.fetch(url=route.request.url.replace("/v1/sheet", "/v1/recognize"), post_data=body)
            read = reply.json() if reply.ok else {}
        except playwright.Error:  # the server is away, or the page itself at the end of its test
            with suppress(playwright.Error):
                route.abort()
            return
        if not reply.ok:
            route.fulfill(response=reply)
            return
        lines.append({**read, **beside, "strokes": numbers})
    route.fulfill(json={"lines": lines, "latex": "\n".join(line["latex"] for line in lines)})


def rows(strokes: list[dict[str, list[float]]]) -> list[list[int]]:
    """The numbers of each row's strokes."""
    spans = sorted((min(stroke["y"]), max(stroke["y"]), i) for i, stroke in enumerate(strokes))
    found: list[list[int]] = []
    bottom = float("-inf")
    for top, low, number in spans:
        if top > bottom + GAP:
            found.append([])
        found[-1].append(number)
        bottom = max(bottom, low)
    return [sorted(numbers) for numbers in found]
