"""The options of /v1: what a client may ask for beside the LaTeX, and how its answer is searched for."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema

from inkscan.errors import BadRequest
from inkscan.runtime.search import SearchSettings
from inkscan.web.shapes import Asked, Says, Shape
from inkscan.web.strokes import Strokes

FORMATS = ("mathml", "alternatives", "symbols", "alignment", "inkml", "lg")
DEFAULT_FORMATS = ("mathml", "alternatives", "symbols")
MAX_ALTERNATIVES = 20
MAX_BEAM = 20
_MAX_NAMED = 1_000  # symbols in allow or forbid: all but one of any alphabet
_SEARCH = SearchSettings()


def _from_query(value: Any) -> Any:
    """A whole number as a query writes it."""
    is_number = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 9
    return int(value) if is_number else value


def _split(value: Any) -> Any:
    """A list as a query writes it, with spaces between."""
    return value.split() if isinstance(value, str) else value


def _split_at_commas(value: Any) -> Any:
    return value.replace(",", " ").split() if isinstance(value, str) else value


def _known(formats: list[str]) -> list[str]:
    unknown = sorted(set(formats) - {*FORMATS, "latex"})
    if unknown:
        raise BadRequest(f"unknown formats {', '.join(unknown)[:80]}; there are latex, {', '.join(FORMATS)}")
    return formats


_Count = Annotated[int, BeforeValidator(_from_query)]
_Formats = Annotated[
    list[str],
    Field(max_length=_MAX_NAMED),
    BeforeValidator(_split_at_commas),
    AfterValidator(_known),
    WithJsonSchema(
        {"type": "array", "items": {"type": "string", "enum": ["latex", *FORMATS]}, "maxItems": _MAX_NAMED}
    ),
]
_Names = Annotated[list[str], Field(max_length=_MAX_NAMED), BeforeValidator(_split)]


class Options(Asked):
    """The options, as keys of a JSON body or of a query; others are refused."""

    model_config = ConfigDict(extra="forbid")

    formats: Annotated[_Formats, Says(f"formats is a list of at most {_MAX_NAMED} strings")] = Field(
        default=list(DEFAULT_FORMATS),
        description=f"What the reply has beside the LaTeX: `{' '.join(FORMATS)}`.",
    )
    n_best: Annotated[_Count, Says(f"n_best is a whole number from 1 to {MAX_ALTERNATIVES}")] = Field(
        default=_SEARCH.n_best,
        ge=1,
        le=MAX_ALTERNATIVES,
        description="How many readings to return, the answer included.",
    )
    beam: Annotated[_Count, Says(f"beam is a whole number from 1 to {MAX_BEAM}")] = Field(
        default=_SEARCH.beam,
        ge=1,
        le=MAX_BEAM,
        description="How many readings the search follows at once; fewer is quicker.",
    )
    allow: Annotated[_Names, Says(f"allow is a list of at most {_MAX_NAMED} strings")] = Field(
        default_factory=list,
        description="The only symbols that the answer may use; `/v1/model` lists them all.",
    )
    forbid: Annotated[_Names, Says(f"forbid is a list of at most {_MAX_NAMED} strings")] = Field(
        default_factory=list, description="Symbols that the answer may not use."
    )

    def search(self, base: SearchSettings) -> SearchSettings:
        """The server's search, with what the client named."""
        named = self.model_dump(exclude_unset=True, exclude={"formats"})
        return replace(base, **named)


class _WithStrokes(Shape):
    strokes: Strokes = Field(
        description='Each is `{"x": [...], "y": [...]}`, if you like with `t` (milliseconds) and `p` (pressure), '
        "or a list of points `[[x, y], ...]`. y grows downwards; the unit does not matter."
    )


class RecognizeRequest(Options, _WithStrokes):
    """The body of /v1/recognize; an ink file may be the body instead, with the options in the query."""
