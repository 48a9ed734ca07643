"""`POST /api/v4.0/iink/batch` and `/recognize` in MyScript's shape; the reply is the export itself."""

from __future__ import annotations

import hmac
import json
import re
from abc import abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Depends, Request, Response
from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from inkscan.errors import NotAcceptable, Unauthorized
from inkscan.runtime.recognition import Recognition
from inkscan.web.access import require_key
from inkscan.web.answers import Share
from inkscan.web.batching import Question
from inkscan.web.bodies import answer_to, ink_of, parse_object
from inkscan.web.description import accept_header, body, replies, text
from inkscan.web.dialects import MYSCRIPT
from inkscan.web.failures import FAILURES
from inkscan.web.jiix import Scale, to_jiix
from inkscan.web.service import service_of
from inkscan.web.shapes import Asked, Says, Shape, schema_of
from inkscan.web.strokes import MINUS_ONE, Channels

LATEX, MATHML, JIIX = "application/x-latex", "application/mathml+xml", "application/vnd.myscript.jiix"
EXPORTS = (LATEX, MATHML, JIIX)
_ALIASES = {"application/json": JIIX}  # their clients put it before the type that they want
_ANY = frozenset({"*/*", "application/*"})
_MM_PER_INCH = 25.4
_DEFAULT_DPI = 96.0

router = MYSCRIPT.router()


def _size_or(default: float | None) -> BeforeValidator:
    """A sensible size; anything else counts as the default."""

    def read(value: Any) -> float | None:
        is_size = isinstance(value, int | float) and not isinstance(value, bool) and 1e-6 < value < 1e6
        return float(value) if is_size else default

    return BeforeValidator(read)


class _Request(Asked):
    """What both calls have; keys that are not named here are ignored."""

    contentType: Annotated[  # noqa: N815 - MyScript's spelling, here and below
        Literal["Math"],
        Field(description="Nothing else is read."),
        Says("contentType must be Math; this server reads nothing else"),
    ] = "Math"

    @abstractmethod
    def scale(self) -> Scale:
        """Millimetres a unit."""

    def wanted(self) -> list[str]:
        """The exports that the request itself names."""
        return []


class _Group(Shape):
    strokes: Channels


class BatchRequest(_Request):
    """The older call: groups of strokes."""

    model_config = ConfigDict(json_schema_extra={"required": ["strokeGroups"]})

    strokeGroups: Annotated[  # noqa: N815
        Any, WithJsonSchema({"type": "array", "items": schema_of(_Group), "minItems": 1})
    ] = Field(default_factory=list, description="Groups of strokes, read together.")
    xDPI: Annotated[float, _size_or(_DEFAULT_DPI)] = Field(  # noqa: N815
        _DEFAULT_DPI, description="Units an inch, for the boxes of JIIX."
    )
    yDPI: Annotated[float, _size_or(_DEFAULT_DPI)] = Field(  # noqa: N815
        _DEFAULT_DPI, description="The same downwards."
    )
    configuration: Annotated[
        dict[str, Any], BeforeValidator(lambda value: value if isinstance(value, dict) else {})
    ] = Field(default_factory=dict, description="`math.mimeTypes` is used where `Accept` leaves the choice.")

    def scale(self) -> Scale:
        return Scale(_MM_PER_INCH / self.xDPI, _MM_PER_INCH / self.yDPI)

    def wanted(self) -> list[str]:
        math = self.configuration.get("math")
        kinds = math.get("mimeTypes") if isinstance(math, dict) else None
        return [kind for kind in kinds if kind in EXPORTS] if isinstance(kinds, list) else []


class MyScriptRecognizeRequest(_Request):
    """The newer call."""

    model_config = ConfigDict(json_schema_extra={"required": ["strokes"]})

    strokes: Channels = Field(default_factory=list)
    scaleX: Annotated[float, _size_or(_MM_PER_INCH / _DEFAULT_DPI)] = Field(  # noqa: N815
        _MM_PER_INCH / _DEFAULT_DPI, description="Millimetres a unit, for the boxes of JIIX."
    )
    scaleY: Annotated[float, _size_or(_MM_PER_INCH / _DEFAULT_DPI)] = Field(  # noqa: N815
        _MM_PER_INCH / _DEFAULT_DPI, description="The same downwards."
    )

    def scale(self) -> Scale:
        return Scale(self.scaleX, self.scaleY)


class Jiix(Shape):
    """MyScript's JSON, with the fields:"""

    type: Literal["Math"] = Field(description="Always this.")
    id: str = Field(description="Of the block.")
    version: str = Field(description="Of JIIX.")
    bounding_box: dict[str, float] = Field(
        alias="bounding-box", description="`x y width height` in millimetres."
    )
    label: str = Field(description="The LaTeX.")
    confidence: Share = Field(description="Probability that all of it is right.")
    expressions: list[dict[str, Any]] = Field(description="The formula as a tree of operations and operands.")


_REPLIES = replies(
    {LATEX: text("The LaTeX."), MATHML: text("The MathML."), JIIX: schema_of(Jiix)},
    failures=frozenset(FAILURES) - {404, 405, 500},
)


@router.post(
    "/batch",
    summary="Stroke groups to LaTeX, MathML or JIIX, in MyScript's shape",
    openapi_extra=body(
        BatchRequest,
        {"contentType": "Math", "xDPI": 96, "yDPI": 96, "strokeGroups": [MINUS_ONE]},
        parameters=accept_header(LATEX),
    ),
    responses=_REPLIES,
    dependencies=[Depends(require_key)],
)
async def batch(request: Request) -> Response:
    """For programs written for MyScript: only the host changes. Options that are not named here are ignored."""
    return await _export(request, "strokeGroups", BatchRequest)


@router.post(
    "/recognize",
    summary="Strokes to LaTeX, MathML or JIIX, in MyScript's newer shape",
    openapi_extra=body(
        MyScriptRecognizeRequest,
        {"contentType": "Math", "scaleX": 0.265, "scaleY": 0.265, **MINUS_ONE},
        parameters=accept_header(JIIX),
    ),
    responses=_REPLIES,
    dependencies=[Depends(require_key)],
)
async def recognize(request: Request) -> Response:
    """MyScript's newer call. Options that are not named here are ignored."""
    return await _export(request, "strokes", MyScriptRecognizeRequest)


async def _export(request: Request, key: str, shape: type[_Request]) -> Response:
    answer = await answer_to(request, partial(_question, request, key, shape))
    export: Response = answer.written
    return export


def _question(request: Request, key: str, shape: type[_Request], content: bytes) -> Question:
    service = service_of(request)
    if service.settings.hmac_key and not _is_signed(content, request.headers, service.settings.hmac_key):
        raise Unauthorized("the hmac header does not sign this body with the application and HMAC keys")
    value = parse_object(content)
    asked = shape.read(value)
    kind = _chosen(request.headers.get("accept", "*/*"), asked)
    ink = ink_of({key: value.get(key)}, request, service.limits)
    return Question(
        ink, service.search, partial(_exported, kind, asked.scale(), service.symbols_for(service.search))
    )


def _is_signed(content: bytes, headers: Mapping[str, str], hmac_key: str) -> bool:
    """Whether the `hmac` header signs the body with the application key and the HMAC key."""
    secret = (headers.get(MYSCRIPT.key_header, "") + hmac_key).encode("utf-8", "replace")
    expected = hmac.new(secret, content, "sha512").hexdigest()
    return hmac.compare_digest(headers.get("hmac", "").lower().encode("utf-8", "replace"), expected.encode())


def _exported(kind: str, scale: Scale, symbols: frozenset[str], recognition: Recognition) -> Response:
    if kind == LATEX:
        content = recognition.latex
    elif kind == MATHML:
        content = recognition.mathml
    else:
        content = json.dumps(to_jiix(recognition, scale, symbols))
    return Response(content, media_type=kind)


def _chosen(accept: str, asked: _Request) -> str:
    """The export that the Accept header wants most; else what the request names; else LaTeX."""
    weights = _weights(accept)
    named = sorted((name for name, weight in weights.items() if weight), key=lambda name: -weights[name])
    exact = [name for name in named if name in EXPORTS]
    if exact:
        return exact[0]
    alias = [_ALIASES[name] for name in named if name in _ALIASES]
    others = [*asked.wanted(), *alias, *EXPORTS] if alias or _ANY & set(named) else []
    free = [name for name in others if weights.get(name) != 0]
    if not free:
        raise NotAcceptable(f"this server exports {', '.join(EXPORTS)}")
    return free[0]


def _weights(accept: str) -> dict[str, float]:
    """How much each type in an Accept header is wanted; 0 is not at all."""
    parts = [part.replace(" ", "").lower().partition(";q=") for part in accept.split(",")]
    return {name.partition(";")[0]: _weight(weight) for name, _, weight in parts}


def _weight(value: str) -> float:
    return float(value) if re.fullmatch(r"[01](\.\d*)?", value) else 1.0
