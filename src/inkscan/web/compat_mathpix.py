"""`POST /v3/strokes` in Mathpix's shape: their clients work with another host."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from inkscan import __version__
from inkscan.latex.parser import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.recognition import Recognition
from inkscan.web.access import require_key
from inkscan.web.answers import Share
from inkscan.web.asciimath import to_asciimath
from inkscan.web.batching import Question
from inkscan.web.bodies import answer_to, ink_of, parse_object
from inkscan.web.description import body, replies
from inkscan.web.dialects import MATHPIX
from inkscan.web.replies import JsonReply
from inkscan.web.service import service_of
from inkscan.web.shapes import Asked, Says, Shape, schema_of
from inkscan.web.strokes import MINUS_ONE_IN_COLUMNS, Columns

DEFAULT_FORMATS = ("text", "latex_styled")
KNOWN_FORMATS = frozenset({"text", "latex_styled", "latex_simplified", "data", "html"})
_MAX_DELIMITER = 20  # characters

router = MATHPIX.router()


class _Strokes(Shape):
    strokes: Columns = Field(description="`x` and `y`, each a list for each stroke.")


class StrokesRequest(Asked):
    """Mathpix's request; keys that are not named here are ignored, as are strange `data_options`."""

    model_config = ConfigDict(json_schema_extra={"required": ["strokes"]})  # whose absence is the ink's fault

    strokes: Annotated[Any, WithJsonSchema(schema_of(_Strokes))] = Field(
        default_factory=dict, description="Mathpix's object of strokes."
    )
    formats: Annotated[list[str], Says(f"formats is a list of {', '.join(sorted(KNOWN_FORMATS))}")] = Field(
        default=list(DEFAULT_FORMATS),
        description="Of `text latex_styled latex_simplified html data`; others are left out.",
    )
    data_options: Annotated[
        dict[str, Any], BeforeValidator(lambda value: value if isinstance(value, dict) else {})
    ] = Field(
        default_factory=dict,
        description="`include_latex`, `include_mathml` and `include_asciimath`: what `data` has.",
    )
    math_inline_delimiters: Annotated[
        list[Annotated[str, Field(max_length=_MAX_DELIMITER)]],
        Says(f"math_inline_delimiters is a list of two strings of at most {_MAX_DELIMITER} characters"),
    ] = Field(
        default=["\\(", "\\)"],
        min_length=2,
        max_length=2,
        description="What stands before and after the LaTeX in `text`.",
    )


class Datum(Shape):
    """The formula in one more form."""

    type: Literal["latex", "mathml", "asciimath"] = Field(description="Which.")
    value: str = Field(description="The formula in it.")


class StrokesReply(Shape):
    """Mathpix's answer; what `formats` does not name is left out."""

    text: str = Field(default="", description="The LaTeX between its delimiters.")
    latex_styled: str = Field(default="", description="The LaTeX.")
    latex_simplified: str = Field(default="", description="The LaTeX.")
    html: str = Field(default="", description="The formula as HTML with MathML.")
    data: list[Datum] = Field(default=[], description="What `data_options` asks for.")
    confidence: Share = Field(description="Probability that all of it is right.")
    confidence_rate: Share = Field(description="How sure the symbols are on the whole.")
    is_handwritten: bool = Field(description="Always true.")
    is_printed: bool = Field(description="Always false.")
    image_width: int = Field(description="Of the ink.")
    image_height: int = Field(description="Of the ink.")
    version: str = Field(description="Of inkscan.")
    request_id: str = Field(description="Also in the header `X-Request-Id` and in the log.")


_EXAMPLE = {
    "strokes": MINUS_ONE_IN_COLUMNS,
    "formats": ["text", "data"],
    "data_options": {"include_mathml": True},
}


@router.post(
    "/strokes",
    summary="Pen strokes to LaTeX, in Mathpix's shape",
    openapi_extra=body(StrokesRequest, _EXAMPLE),
    responses=replies(StrokesReply),
    dependencies=[Depends(require_key)],
)
async def strokes(request: Request) -> JsonReply:
    """For programs written for Mathpix: only the host changes. Options that are not named here are ignored."""
    answer = await answer_to(request, partial(_question, request))
    reply: StrokesReply = answer.written
    return JsonReply(reply.model_dump(exclude_unset=True))


def _question(request: Request, content: bytes) -> Question:
    service = service_of(request)
    value = parse_object(content)
    asked = StrokesRequest.read(value)
    ink = ink_of({"strokes": value.get("strokes")}, request, service.limits)
    return Question(ink, service.search, partial(_reply, asked, request.scope["request_id"]))


def _reply(asked: StrokesRequest, request_id: str, recognition: Recognition) -> StrokesReply:
    box = recognition.ink.box()
    return StrokesReply(
        request_id=request_id,
        version=f"inkscan-{__version__}",
        is_printed=False,
        is_handwritten=True,
        image_width=round(box.width),
        image_height=round(box.height),
        confidence=recognition.confidence,
        confidence_rate=_rate(recognition),
        **_content(asked, recognition),
    )


def _content(asked: StrokesRequest, recognition: Recognition) -> dict[str, Any]:
    latex, row = recognition.latex, parse_tokens(recognition.tokens)
    inline = to_mathml(row, display=False)
    left, right = asked.math_inline_delimiters
    html = f'<div><span class="math-inline">{inline}<latex style="display: none">{escape(latex)}</latex></span></div>'
    forms = {"latex": latex, "mathml": recognition.mathml, "asciimath": to_asciimath(row)}
    made = {
        "text": f"{left} {latex} {right}",
        "latex_styled": latex,
        "latex_simplified": latex,
        "html": html,
        "data": [
            {"type": kind, "value": form}
            for kind, form in forms.items()
            if asked.data_options.get(f"include_{kind}") is True
        ],
    }
    return {name: content for name, content in made.items() if name in asked.formats}


def _rate(recognition: Recognition) -> float:
    """Mathpix's second figure: how sure the symbols are on the whole."""
    symbols = recognition.symbols
    return sum(symbol.confidence for symbol in symbols) / len(symbols) if symbols else recognition.confidence
