"""/v1/sheet: ink of several lines; each is read by itself, in the queue of all inks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import Depends, Request
from pydantic import Field

from inkscan.runtime.lines import lines_of
from inkscan.runtime.sheet import Sheet, SheetLine
from inkscan.web.access import require_key
from inkscan.web.answers import Recognized, Timing
from inkscan.web.batching import Answer, Question
from inkscan.web.bodies import check_size, read_body, read_in
from inkscan.web.clients import client_of, while_connected
from inkscan.web.description import body, replies
from inkscan.web.dialects import OWN
from inkscan.web.options import RecognizeRequest
from inkscan.web.recognize_routes import asked_of
from inkscan.web.replies import JsonReply
from inkscan.web.service import Service, service_of
from inkscan.web.shapes import Shape

router = OWN.router()

_TWO_LINES = {
    "strokes": [
        {"x": [10, 50], "y": [30, 30]},
        {"x": [70, 70], "y": [10, 50]},
        {"x": [10, 50], "y": [230, 230]},
        {"x": [70, 70], "y": [210, 250]},
    ]
}


class LineReply(Recognized):
    """A line, as `/v1/recognize` answers it; its symbols count the strokes of the line."""

    strokes: list[int] = Field(description="The numbers of the line's strokes on the sheet, from 0.")


class SheetReply(Shape):
    """All lines, one by one and together."""

    lines: list[LineReply] = Field(
        description="From top to bottom, each with the fields of `/v1/recognize`, and:"
    )
    latex: str = Field(description="The lines' LaTeX, a line each.")
    aligned: str = Field(description="One formula: the lines below one another, their relation signs too.")
    request_id: str = Field(description="Also in the header `X-Request-Id` and in the log.")


@dataclass(frozen=True)
class _Lines:
    strokes: Sequence[tuple[int, ...]]  # of each line, by their numbers on the sheet
    questions: Sequence[Question]


@router.post(
    "/sheet",
    summary="Pen strokes of several lines to LaTeX",
    openapi_extra=body(RecognizeRequest, _TWO_LINES, files=["application/inkml+xml"]),
    responses=replies(SheetReply),
    dependencies=[Depends(require_key)],
)
async def sheet(request: Request) -> JsonReply:
    """As `/v1/recognize`, for ink of several lines of mathematics below one another."""
    service = service_of(request)
    content = await read_body(request, service.limits)

    async def answered() -> tuple[_Lines, list[Answer]]:
        lines = await read_in(service.reading, request, content, partial(_read, request, content))
        return lines, await _all_answers(lines.questions, service, client_of(request))

    lines, answers = await while_connected(request, answered())
    found = Sheet(
        tuple(
            SheetLine(strokes, answer.recognition)
            for strokes, answer in zip(lines.strokes, answers, strict=True)
        )
    )
    return JsonReply(
        {
            "lines": [
                {**answer.written.json_of(timing=Timing.of(answer)), "strokes": list(strokes)}
                for strokes, answer in zip(lines.strokes, answers, strict=True)
            ],
            "latex": found.latex,
            "aligned": found.aligned,
            "request_id": request.scope["request_id"],
        }
    )


def _read(request: Request, content: bytes) -> _Lines:
    """The questions of a sheet, one for each line."""
    service = service_of(request)
    ink, options = asked_of(request, content, service.limits.sheet_strokes)
    search = options.search(service.search)
    write: Any = partial(Recognized.of, options=options, vocabulary=service.symbols_for(search))
    strokes = lines_of(ink)
    inks = [ink.only(line) for line in strokes]
    for line in inks:
        check_size(len(line), line.point_count, service.limits)
    return _Lines(strokes, [Question(line, search, write) for line in inks])


async def _all_answers(questions: Sequence[Question], service: Service, client: str) -> list[Answer]:
    """The answers to all lines; where one is refused, the others are given up."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(service.queue.recognize(question, client)) for question in questions]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
