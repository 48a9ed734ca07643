"""Replies as OpenAPI describes them; a test holds every field against what the routes answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inkscan.web.schemas import (
    FLAG,
    NUMBER,
    SHARE,
    TEXT,
    WHOLE,
    Fields,
    Schema,
    fields,
    list_of,
    one_of,
    or_null,
)

Responses = dict[int | str, dict[str, Any]]

FAILURES: Mapping[int, tuple[str, str]] = {  # status -> (what it means, its codes)
    400: (
        "The body or an option is wrong; the message says what.",
        "ink.empty ink.encoding ink.malformed ink.unsafe_xml ink.coordinate ink.no_strokes latex.syntax "
        "latex.too_deep latex.unknown_token latex.mathml request.invalid request.nothing_allowed",
    ),
    401: ("The key is missing or wrong.", "request.unauthorized"),
    404: ("There is no such path.", "request.not_found"),
    405: ("The path is right, the method is not.", "request.method"),
    406: ("No answer of the types that `Accept` names.", "request.not_acceptable"),
    408: ("The body came too slowly.", "request.slow"),
    413: ("Too many bytes, strokes or points.", "ink.too_large"),
    415: ("This is not ink.", "ink.unknown_format"),
    429: ("The queue is full; the header `Retry-After` says when to ask again.", "request.overloaded"),
    500: ("A fault of the server.", "internal"),
    503: ("The server is stopping.", "request.unavailable"),
    504: ("No answer in time.", "request.timeout"),
}
_OF_NO_ROUTE = {404, 405, 500}
_READING: Fields = {
    "latex": (TEXT, "The reading."),
    "tokens": (list_of(TEXT), "The same in tokens."),
    "mathml": (TEXT, "The same as MathML."),
    "score": (NUMBER, "Its log-probability in the search."),
    "probability": (SHARE, "That this reading is right."),
}
_SYMBOL: Fields = {
    "token": (TEXT, "What was read."),
    "index": (WHOLE, "Its place in `tokens`, from 0."),
    "strokes": (list_of(WHOLE), "The numbers of its strokes, from 0."),
    "box": (
        or_null({"type": "object"}),
        "`left top right bottom` in the ink's coordinates; null without strokes.",
    ),
    "confidence": (SHARE, "That it is right."),
    "candidates": (
        list_of({"type": "object"}),
        "What else it may be: `token`, and `probability` or null for what only looks alike.",
    ),
}
_TIMING: Fields = {
    "queue_ms": (NUMBER, "Milliseconds in the queue."),
    "recognition_ms": (NUMBER, "Milliseconds of the whole batch."),
    "batch": (WHOLE, "Inks recognised together."),
}
_RECOGNITION: Fields = {
    "latex": (TEXT, "The most likely reading."),
    "tokens": (list_of(TEXT), "The same in the model's tokens."),
    "confidence": (SHARE, "Probability that all of it is right."),
    "score": (NUMBER, "Its log-probability in the search."),
    "mathml": (TEXT, "The same as MathML."),
    "alternatives": (list_of(fields(_READING)), "The readings, the answer first."),
    "symbols": (list_of(fields(_SYMBOL)), "The written symbols, in the order of `tokens`."),
    "alignment": (list_of(list_of(NUMBER)), "If asked for: how much each token looked at each stroke."),
    "inkml": (TEXT, "If asked for: the ink with its answer as InkML."),
    "lg": (TEXT, "If asked for: the label graph of CROHME."),
    "timing": (fields(_TIMING), "What the answer took."),
    "model": (TEXT, "The model that answered."),
    "request_id": (TEXT, "Also in the header `X-Request-Id` and in the log."),
}
_MATHPIX: Fields = {
    "text": (TEXT, "The LaTeX between its delimiters."),
    "latex_styled": (TEXT, "The LaTeX."),
    "latex_simplified": (TEXT, "The LaTeX."),
    "html": (TEXT, "The formula as HTML with MathML."),
    "data": (
        list_of(
            fields(
                {
                    "type": (one_of("latex", "mathml", "asciimath"), "Which."),
                    "value": (TEXT, "The formula in it."),
                }
            )
        ),
        "What `data_options` asks for.",
    ),
    "confidence": (SHARE, "Probability that all of it is right."),
    "confidence_rate": (SHARE, "How sure the symbols are on the whole."),
    "is_handwritten": (FLAG, "Always true."),
    "is_printed": (FLAG, "Always false."),
    "image_width": (WHOLE, "Of the ink."),
    "image_height": (WHOLE, "Of the ink."),
    "version": (TEXT, "Of inkscan."),
    "request_id": (TEXT, "Also in the header `X-Request-Id` and in the log."),
}
_JIIX: Fields = {
    "type": (one_of("Math"), "Always this."),
    "id": (TEXT, "Of the block."),
    "version": (TEXT, "Of JIIX."),
    "bounding-box": ({"type": "object"}, "`x y width height` in millimetres."),
    "label": (TEXT, "The LaTeX."),
    "confidence": (SHARE, "Probability that all of it is right."),
    "expressions": (list_of({"type": "object"}), "The formula as a tree of operations and operands."),
}
_TYPESET: Fields = {
    "latex": (TEXT, "In canonical form."),
    "tokens": (list_of(TEXT), "The same in tokens."),
    "mathml": (TEXT, "The same as MathML."),
}
_MODEL: Fields = {
    "model": (TEXT, "Its name."),
    "system": (TEXT, "Its kind of network."),
    "licence": (TEXT, "Of its weights."),
    "symbols": (list_of(TEXT), "The tokens that it knows, for `allow` and `forbid`."),
    "version": (TEXT, "Of inkscan."),
    "limits": ({"type": "object"}, "Of this server: `strokes`, `points`, `body_bytes` and others."),
}
_HEALTH: Fields = {
    "status": (one_of("ok", "stopping"), "Whether it takes requests."),
    "model": (TEXT, "Its name."),
    "version": (TEXT, "Of inkscan."),
}


def _replies(content: dict[str, Schema], without: frozenset[int] = frozenset()) -> Responses:
    kinds = {kind: {"schema": schema} for kind, schema in content.items()}
    error = {"application/json": {"schema": {"type": "object"}}}
    failures: Responses = {
        status: {"description": meaning, "content": error}
        for status, (meaning, _) in FAILURES.items()
        if status not in _OF_NO_ROUTE | without
    }
    return {200: {"description": "The answer.", "content": kinds}, **failures}


def _only(content: dict[str, Schema]) -> Responses:
    return _replies(content, frozenset(FAILURES))


_NO_ACCEPT = frozenset({406})
RECOGNIZE = _replies({"application/json": fields(_RECOGNITION)}, _NO_ACCEPT)
TYPESET = _replies({"application/json": fields(_TYPESET)}, _NO_ACCEPT)
MATHPIX = _replies({"application/json": fields(_MATHPIX)}, _NO_ACCEPT)
MYSCRIPT = _replies(
    {
        "application/x-latex": {**TEXT, "description": "The LaTeX."},
        "application/mathml+xml": {**TEXT, "description": "The MathML."},
        "application/vnd.myscript.jiix": fields(_JIIX, description="MyScript's JSON, with the fields:"),
    }
)
MODEL = _only({"application/json": fields(_MODEL)})
HEALTH = _replies({"application/json": fields(_HEALTH)}, frozenset(FAILURES) - {503})
METRICS = _only({"text/plain": {**TEXT, "description": "Prometheus' text format."}})
