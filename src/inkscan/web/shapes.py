"""Shapes: requests and replies as pydantic models, which check, say what was wrong, and describe themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from inkscan.errors import BadRequest

Schema = dict[str, Any]

_MAX_NAME = 40  # characters of a stranger's key that a message repeats


class Shape(BaseModel):
    """A JSON object that a route reads or writes."""

    model_config = ConfigDict(frozen=True, strict=True)


class Asked(Shape):
    """A request; each field's `Says` is the sentence for a wrong value. Null is as if the key were not there.

    A validator whose sentence depends on the value raises BadRequest itself.
    """

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """The checked request, or the sentence that says what is wrong with it."""
        if cls.model_config.get("extra") == "forbid":
            refuse_unknown_keys(values, tuple(cls.model_fields))
        try:
            return cls.model_validate(
                {key: value for key, value in values.items() if key in cls.model_fields and value is not None}
            )
        except ValidationError as error:
            name = str(error.errors(include_url=False, include_input=False)[0]["loc"][0])
            raise BadRequest(_sentence(cls, name)) from None


class Says(str):
    """What a field is, as a sentence for whoever sent something else."""


def _sentence(model: type[BaseModel], name: str) -> str:
    field = model.model_fields[name]
    return next((str(item) for item in field.metadata if isinstance(item, Says)), f"{name} cannot be that")


def refuse_unknown_keys(keys: Iterable[str], known: Sequence[str]) -> None:
    """A misspelt key would change nothing and go unnoticed, so it is refused and the nearest one named."""
    unknown = next((key[:_MAX_NAME] for key in keys if key not in known), None)
    if unknown is None:
        return
    near = get_close_matches(unknown.lower().replace("-", "_"), known, n=1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    raise BadRequest(f"unknown key {unknown!r}{guess}; there are {', '.join(known)}")


def schema_of(model: type[BaseModel]) -> Schema:
    """The JSON schema with every part in its place, as pages and people read it."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})
    placed: Schema = _placed(schema, parts)
    return placed


def _placed(value: Any, parts: Mapping[str, Schema]) -> Any:
    if isinstance(value, list):
        return [_placed(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        part = parts[value["$ref"].rpartition("/")[2]]
        value = {**part, **{key: item for key, item in value.items() if key != "$ref"}}
    return {key: _placed(item, parts) for key, item in value.items() if key != "title" or not _is_made(value)}


def _is_made(schema: Schema) -> bool:
    """Whether pydantic made the title up from a name; one of ours begins with a small letter."""
    return isinstance(schema["title"], str) and not schema["title"][:1].islower()
