"""Bodies and answers for the OpenAPI page: routes read their bodies themselves, so these say what they read."""

from __future__ import annotations

from typing import Any

_NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 1}
_STROKE = {
    "type": "object",
    "required": ["x", "y"],
    "properties": {"x": _NUMBERS, "y": _NUMBERS, "t": _NUMBERS, "p": _NUMBERS, "id": {"type": "string"}},
}
_POINTS = {"type": "array", "minItems": 1, "items": {**_NUMBERS, "minItems": 2, "maxItems": 4}}
_STROKES = {"type": "array", "minItems": 1, "items": {"oneOf": [_STROKE, _POINTS]}}
_NAMES = {"type": "array", "items": {"type": "string"}}
_COLUMNS = {
    "type": "object",
    "required": ["x", "y"],
    "properties": {"x": {"type": "array", "items": _NUMBERS}, "y": {"type": "array", "items": _NUMBERS}},
}
_PLUS = {"strokes": [{"x": [10, 50], "y": [30, 30]}, {"x": [30, 30], "y": [10, 50]}]}
_ERROR = {"schema": {"type": "object"}}
_FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/json": _ERROR}}
    for status, text in {
        400: "The body or a wish is wrong; `code` says what.",
        401: "The key is missing or wrong.",
        406: "No export of the types that Accept names.",
        408: "The body came too slowly.",
        413: "The ink or the body is too large.",
        415: "Not an ink format.",
        429: "The queue is full; Retry-After says when to ask again.",
        503: "The server is stopping.",
        504: "No answer in time.",
    }.items()
}


def _body(schema: dict[str, Any], example: Any, **others: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema, "example": example}, **others}
    return {"requestBody": {"required": True, "content": content}}


RECOGNIZE = _body(
    {
        "type": "object",
        "required": ["strokes"],
        "properties": {
            "strokes": _STROKES,
            "n_best": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
            "beam": {"type": "integer", "minimum": 1, "maximum": 20, "default": 10},
            "allow": {**_NAMES, "description": "The only symbols that the answer may use."},
            "forbid": {**_NAMES, "description": "Symbols that the answer may not use."},
            "formats": {
                "type": "array",
                "items": {"enum": ["latex", "mathml", "alternatives", "symbols", "alignment", "inkml", "lg"]},
            },
        },
    },
    {**_PLUS, "n_best": 3},
    **{"application/inkml+xml": {"schema": {"type": "string"}}},
)
TYPESET = _body(
    {"type": "object", "properties": {"latex": {"type": "string"}, "tokens": _NAMES}},
    {"latex": "\\frac{a}{b}"},
)
MATHPIX = _body(
    {
        "type": "object",
        "required": ["strokes"],
        "properties": {
            "strokes": {"type": "object", "required": ["strokes"], "properties": {"strokes": _COLUMNS}},
            "formats": {"type": "array", "items": {"enum": ["text", "latex_styled", "data", "html"]}},
            "data_options": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "math_inline_delimiters": {**_NAMES, "minItems": 2, "maxItems": 2},
        },
    },
    {
        "strokes": {"strokes": {"x": [[10, 50], [30, 30]], "y": [[30, 30], [10, 50]]}},
        "formats": ["text", "data"],
        "data_options": {"include_mathml": True},
    },
)
MYSCRIPT_BATCH = _body(
    {
        "type": "object",
        "required": ["strokeGroups"],
        "properties": {
            "contentType": {"enum": ["Math"]},
            "xDPI": {"type": "number", "minimum": 1},
            "yDPI": {"type": "number", "minimum": 1},
            "configuration": {"type": "object"},
            "strokeGroups": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["strokes"],
                    "properties": {"strokes": {"type": "array", "minItems": 1, "items": _STROKE}},
                },
            },
        },
    },
    {"contentType": "Math", "xDPI": 96, "yDPI": 96, "strokeGroups": [_PLUS]},
)
MYSCRIPT_RECOGNIZE = _body(
    {
        "type": "object",
        "required": ["strokes"],
        "properties": {
            "contentType": {"enum": ["Math"]},
            "scaleX": {"type": "number"},
            "scaleY": {"type": "number"},
            "strokes": {"type": "array", "minItems": 1, "items": _STROKE},
        },
    },
    {"contentType": "Math", "scaleX": 0.265, "scaleY": 0.265, **_PLUS},
)
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answer.", "content": {"application/json": _ERROR}},
    **{status: row for status, row in _FAILURES.items() if status != 406},
}
EXPORTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export itself.",
        "content": {
            "application/x-latex": {"schema": {"type": "string"}},
            "application/mathml+xml": {"schema": {"type": "string"}},
            "application/vnd.myscript.jiix": {"schema": {"type": "object"}},
        },
    },
    **_FAILURES,
}
