"""/v1/recognize: the strokes of one expression, with options, to LaTeX."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import Depends, Request

from inkscan.ink import Ink
from inkscan.ink.formats import head_of
from inkscan.ink.json import STROKE_KEYS, parse_json
from inkscan.web.access import require_key
from inkscan.web.answers import RecognizeReply, Timing
from inkscan.web.batching import Question
from inkscan.web.bodies import answer_to, ink_of, ink_of_file
from inkscan.web.description import body, replies
from inkscan.web.dialects import OWN
from inkscan.web.options import Options, RecognizeRequest
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.strokes import MINUS_ONE

router = OWN.router()


@router.post(
    "/recognize",
    summary="Pen strokes to LaTeX",
    openapi_extra=body(RecognizeRequest, {**MINUS_ONE, "n_best": 3}, files=["application/inkml+xml"]),
    responses=replies(RecognizeReply),
    dependencies=[Depends(require_key)],
)
async def recognize(request: Request) -> JsonReply:
    """Send strokes as JSON with options beside them. An ink file, such as InkML, may be the body instead, with the
    options in the query: `--data-binary @FILE 'http://.../v1/recognize?n_best=3'`. Other keys are refused."""
    answer = await answer_to(request, partial(_question, request))
    reply: RecognizeReply = answer.written
    return JsonReply(reply.json_of(timing=Timing.of(answer), request_id=request.scope["request_id"]))


def _question(request: Request, content: bytes) -> Question:
    service = service_of(request)
    ink, options = asked_of(request, content, service.limits.strokes)
    search = options.search(service.search)
    write = partial(RecognizeReply.of, options=options, vocabulary=service.symbols_for(search))
    return Question(ink, search, write)


def asked_of(request: Request, content: bytes, most_strokes: int) -> tuple[Ink, Options]:
    """The ink and the options in a body, which is JSON with both, or an ink file with the options in the query."""
    limits, query = replace(service_of(request).limits, strokes=most_strokes), request.query_params
    values: dict[str, Any] = {key: " ".join(query.getlist(key)) for key in query}
    if head_of(content)[:1] in (b"{", b"["):
        value = parse_json(content)
        if isinstance(value, dict):
            values.update((key, option) for key, option in value.items() if key not in STROKE_KEYS)
        ink = ink_of(value, request, limits)
    else:
        ink = ink_of_file(content, request, limits)
    return ink, Options.read(values)
