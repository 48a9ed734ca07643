"""A /v1/sheet that parts ink where nothing is written over 40 pixels of height."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request

from inkscan import Ink
from inkscan.web.access import require_key
from inkscan.web.answers import Wishes, answer_json
from inkscan.web.bodies import ink_of, parse_object, read_body
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of

GAP = 40
ASKED: list[int] = []  # how many strokes each request had

router = APIRouter()


@router.post("/v1/sheet", dependencies=[Depends(require_key)], include_in_schema=False)
async def sheet(request: Request) -> JsonReply:
    service = service_of(request)
    value = parse_object(await read_body(request, service.limits))
    ink = ink_of({"strokes": value.pop("strokes")}, request, service.limits)
    wishes = Wishes.read(value, service.search)
    ASKED.append(len(ink))
    lines = []
    for numbers in rows(ink):
        answer = await service.queue.recognize(Ink(tuple(ink.strokes[i] for i in numbers)), wishes.search)
        lines.append({**answer_json(answer, wishes, service.symbols), "strokes": numbers})
    return JsonReply({"lines": lines, "latex": "\n".join(line["latex"] for line in lines)})


def rows(ink: Ink) -> list[list[int]]:
    """The numbers of each row's strokes."""
    spans = sorted((s.xy[:, 1].min(), s.xy[:, 1].max(), i) for i, s in enumerate(ink.strokes))
    found: list[list[Any]] = []
    bottom = float("-inf")
    for top, low, number in spans:
        if top > bottom + GAP:
            found.append([])
        found[-1].append(number)
        bottom = max(bottom, low)
    return [sorted(numbers) for numbers in found]
