"""Strokes as requests write them: read by `inkscan.ink.json`, which is quick; described here."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from inkscan.web.shapes import Schema

_NUMBERS: Schema = {"type": "array", "items": {"type": "number"}, "minItems": 1}


def _numbers(description: str) -> Schema:
    return {**_NUMBERS, "description": description}


_STROKE: Schema = {
    "type": "object",
    "required": ["x", "y"],
    "properties": {
        "x": _numbers("From left to right; the unit does not matter."),
        "y": _numbers("Downwards; as many as `x`."),
        "t": _numbers("Times in milliseconds."),
        "p": _numbers("Pressures."),
        "id": {"type": "string", "description": "A name of your choice."},
    },
}
_POINTS: Schema = {"type": "array", "items": {**_NUMBERS, "minItems": 2, "maxItems": 4}, "minItems": 1}
_LIST: Schema = {"type": "array", "minItems": 1, "title": "list of strokes"}
_COLUMN: Schema = {"type": "array", "items": _NUMBERS, "description": "A list for each stroke."}

Strokes = Annotated[Any, WithJsonSchema({**_LIST, "items": {"oneOf": [_STROKE, _POINTS]}})]
Channels = Annotated[
    Any,
    WithJsonSchema({**_LIST, "items": _STROKE}),
    Field(description="Objects with `x`, `y`, and `t`, `p`, `id` if there are any."),
]
Columns = Annotated[
    Any,
    WithJsonSchema({"type": "object", "required": ["x", "y"], "properties": {"x": _COLUMN, "y": _COLUMN}}),
]

MINUS_ONE = {"strokes": [{"x": [10, 50], "y": [30, 30]}, {"x": [70, 70], "y": [10, 50]}]}
MINUS_ONE_IN_COLUMNS = {"strokes": {"x": [[10, 50], [70, 70]], "y": [[30, 30], [10, 50]]}}
