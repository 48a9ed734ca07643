"""Tables of fields in HTML: what the objects of a JSON schema hold, in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from inkscan.web.shapes import Schema


@dataclass(frozen=True)
class FieldRow:
    """One field; those of an object within have a greater depth."""

    name: str
    kind: str
    text: str
    required: bool = False
    depth: int = 0


def field_rows(schema: Schema, depth: int = 0, *, is_reply: bool = False) -> Iterator[FieldRow]:
    """The fields of an object, each followed by those of the objects in it; in a reply nothing is required."""
    for name, field in schema.get("properties", {}).items():
        text = field.get("description", "") + _range(field) + ("" if is_reply else _default(field))
        is_required = not is_reply and name in schema.get("required", ())
        yield FieldRow(name, kind_of(field), text, is_required, depth)
        if "title" not in field:  # a kind with a name of its own needs no table
            yield from field_rows(field.get("items", field), depth + 1, is_reply=is_reply)


def kind_of(schema: Schema) -> str:
    """The kind of a value, as in "list of strings"."""
    if "title" in schema:
        return str(schema["title"])
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema:
        return " or ".join(map(kind_of, schema["anyOf"]))
    kind = schema["type"]
    if kind != "array":
        return str(kind)
    item = schema["items"]
    if "enum" in item:
        return "list of strings"
    inner = kind_of(item)
    return f"list of {inner.replace('list', 'lists', 1) if item['type'] == 'array' else inner + 's'}"


def to_table(rows: Iterable[FieldRow]) -> str:
    """Name, kind and meaning of each field; empty without rows."""
    lines = "".join(
        f'<tr class="depth-{row.depth}"><th scope="row"><code>{escape(row.name)}</code>'
        f"{' <em>required</em>' if row.required else ''}</th>"
        f'<td class="kind">{escape(row.kind)}</td><td>{prose(row.text)}</td></tr>'
        for row in rows
    )
    return f"<table>{lines}</table>" if lines else ""


def prose(text: str) -> str:
    """A sentence whose `code` is marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _range(schema: Schema) -> str:
    if "minimum" not in schema or "maximum" not in schema:
        return ""
    return f" From {schema['minimum']:g} to {schema['maximum']:g}."


def _default(schema: Schema) -> str:
    value: Any = schema.get("default")
    if not value:
        return ""
    text = " ".join(value) if isinstance(value, list) else f"{value:g}" if isinstance(value, float) else value
    return f" Default: `{text}`."
