"""Words for JSON schemas: kinds of values, and objects written as tables of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]
Fields = Mapping[str, tuple[Schema, str]]  # name -> (kind, what it is)

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def list_of(item: Schema, **more: Any) -> Schema:
    """A list of one kind of value."""
    return {"type": "array", "items": item, **more}


def one_of(*values: str) -> Schema:
    """One of some words."""
    return {"type": "string", "enum": list(values)}


def count(most: int, default: int) -> Schema:
    """A whole number from 1."""
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default}


def or_null(schema: Schema) -> Schema:
    """The same, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def fields(table: Fields, required: tuple[str, ...] = (), **more: Any) -> Schema:
    """An object with these fields."""
    properties = {name: {**schema, "description": text} for name, (schema, text) in table.items()}
    return {
        "type": "object",
        **({"required": list(required)} if required else {}),
        "properties": properties,
        **more,
    }
