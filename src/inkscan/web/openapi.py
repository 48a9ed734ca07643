"""Requests as OpenAPI describes them: routes read their bodies themselves, so these tables say what they read."""

from __future__ import annotations

from typing import Any

from inkscan.runtime.search import SearchSettings
from inkscan.web.answers import DEFAULT_FORMATS, FORMATS, MAX_ALTERNATIVES, MAX_BEAM
from inkscan.web.schemas import FLAG, NUMBER, TEXT, Fields, Schema, count, fields, list_of, one_of

_SEARCH = SearchSettings()
_NUMBERS = list_of(NUMBER, minItems=1)
_STROKE = fields(
    {
        "x": (_NUMBERS, "From left to right; the unit does not matter."),
        "y": (_NUMBERS, "Downwards; as many as `x`."),
        "t": (_NUMBERS, "Times in milliseconds."),
        "p": (_NUMBERS, "Pressures."),
        "id": (TEXT, "A name of your choice."),
    },
    required=("x", "y"),
)
_POINTS = list_of({**_NUMBERS, "minItems": 2, "maxItems": 4}, minItems=1)
_STROKES = list_of({"oneOf": [_STROKE, _POINTS]}, minItems=1, title="list of strokes")
_CHANNELS = list_of(_STROKE, minItems=1, title="list of strokes")
_COLUMNS = fields(
    {
        "x": (list_of(_NUMBERS), "A list for each stroke."),
        "y": (list_of(_NUMBERS), "A list for each stroke."),
    },
    required=("x", "y"),
)
_MINUS_ONE = {"strokes": [{"x": [10, 50], "y": [30, 30]}, {"x": [70, 70], "y": [10, 50]}]}
_MINUS_ONE_IN_COLUMNS = {"strokes": {"x": [[10, 50], [70, 70]], "y": [[30, 30], [10, 50]]}}
_MATH = (one_of("Math"), "Nothing else is read.")


def _request(body: Schema, example: Any, others: Schema | None = None, accept: str = "") -> dict[str, Any]:
    content = {"application/json": {"schema": body, "example": example}, **(others or {})}
    header = {
        "name": "Accept",
        "in": "header",
        "schema": TEXT,
        "example": accept,
        "description": "The form of the answer: LaTeX, MathML or JIIX; see the reply.",
    }
    return {
        "requestBody": {"required": True, "content": content},
        **({"parameters": [header]} if accept else {}),
    }


_OPTIONS: Fields = {
    "formats": (
        {**list_of(one_of("latex", *FORMATS)), "default": list(DEFAULT_FORMATS)},
        f"What the reply has beside the LaTeX: `{' '.join(FORMATS)}`.",
    ),
    "n_best": (count(MAX_ALTERNATIVES, _SEARCH.n_best), "How many readings to return, the answer included."),
    "beam": (
        count(MAX_BEAM, _SEARCH.beam),
        "How many readings the search follows at once; fewer is quicker.",
    ),
    "allow": (list_of(TEXT), "The only symbols that the answer may use; `/v1/model` lists them all."),
    "forbid": (list_of(TEXT), "Symbols that the answer may not use."),
}
RECOGNIZE = _request(
    fields(
        {
            "strokes": (
                _STROKES,
                'Each is `{"x": [...], "y": [...]}`, if you like with `t` (milliseconds) and `p` (pressure), '
                "or a list of points `[[x, y], ...]`. y grows downwards; the unit does not matter.",
            ),
            **_OPTIONS,
        },
        required=("strokes",),
        additionalProperties=False,
    ),
    {**_MINUS_ONE, "n_best": 3},
    {"application/inkml+xml": {"schema": TEXT}},
)
TYPESET = _request(
    fields(
        {
            "latex": (TEXT, "A formula."),
            "tokens": (
                list_of(TEXT),
                "The same in tokens, as `/v1/recognize` returns them; goes before `latex`.",
            ),
        },
        additionalProperties=False,
    ),
    {"latex": "\\frac12 x^2"},
)
MATHPIX = _request(
    fields(
        {
            "strokes": (
                fields({"strokes": (_COLUMNS, "`x` and `y`, each a list for each stroke.")}, ("strokes",)),
                "Mathpix's object of strokes.",
            ),
            "formats": (
                {**list_of(TEXT), "default": ["text", "latex_styled"]},
                "Of `text latex_styled latex_simplified html data`; others are left out.",
            ),
            "data_options": (
                {"type": "object", "additionalProperties": FLAG},
                "`include_latex`, `include_mathml` and `include_asciimath`: what `data` has.",
            ),
            "math_inline_delimiters": (
                {**list_of(TEXT, minItems=2, maxItems=2), "default": ["\\(", "\\)"]},
                "What stands before and after the LaTeX in `text`.",
            ),
        },
        required=("strokes",),
    ),
    {"strokes": _MINUS_ONE_IN_COLUMNS, "formats": ["text", "data"], "data_options": {"include_mathml": True}},
)
MYSCRIPT_BATCH = _request(
    fields(
        {
            "strokeGroups": (
                list_of(fields({"strokes": (_CHANNELS, "Objects with `x`, `y`, and `t`, `p`, `id` if there are any.")},
                               ("strokes",)), minItems=1),
                "Groups of strokes, read together.",
            ),
            "contentType": _MATH,
            "xDPI": ({"type": "number", "minimum": 1, "default": 96}, "Units an inch, for the boxes of JIIX."),
            "yDPI": ({"type": "number", "minimum": 1, "default": 96}, "The same downwards."),
            "configuration": ({"type": "object"}, "`math.mimeTypes` is used where `Accept` leaves the choice."),
        },
        required=("strokeGroups",),
    ),
    {"contentType": "Math", "xDPI": 96, "yDPI": 96, "strokeGroups": [_MINUS_ONE]},
    accept="application/x-latex",
)  # fmt: skip
MYSCRIPT_RECOGNIZE = _request(
    fields(
        {
            "strokes": (_CHANNELS, "Objects with `x`, `y`, and `t`, `p`, `id` if there are any."),
            "contentType": _MATH,
            "scaleX": (NUMBER, "Millimetres a unit, for the boxes of JIIX."),
            "scaleY": (NUMBER, "The same downwards."),
        },
        required=("strokes",),
    ),
    {"contentType": "Math", "scaleX": 0.265, "scaleY": 0.265, **_MINUS_ONE},
    accept="application/vnd.myscript.jiix",
)
