"""The page about the API at /docs: every call with a curl command and tables of its fields, made from OpenAPI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any

from fastapi import Request

from inkscan.web.dialects import DIALECTS, OWN
from inkscan.web.failures import FAILURES
from inkscan.web.field_tables import FieldRow, field_rows, prose, to_table
from inkscan.web.live import LiveMessage, LiveReply
from inkscan.web.server_settings import ServerSettings
from inkscan.web.shapes import schema_of

_KEY = "Authorization: Bearer KEY"
_JSON = "application/json"


@dataclass(frozen=True)
class Call:
    """One method of one path, as OpenAPI describes it."""

    verb: str
    path: str
    about: Mapping[str, Any]

    @property
    def anchor(self) -> str:
        return re.sub(r"\W+", "-", self.path).strip("-")

    @property
    def tag(self) -> str:
        return str(self.about["tags"][0])

    @property
    def example(self) -> Any:
        return self._content.get(_JSON, {}).get("example")

    @property
    def headers(self) -> Mapping[str, str]:
        return {header["name"]: header["example"] for header in self.about.get("parameters", ())}

    @property
    def _content(self) -> Mapping[str, Any]:
        content: Mapping[str, Any] = self.about.get("requestBody", {}).get("content", {})
        return content

    def curl(self, home: str, with_key: bool) -> str:
        """A command that can be pasted into a shell."""
        headers = [f"{name}: {value}" for name, value in self.headers.items()]
        if with_key and self.verb == "POST":
            headers.append(_KEY)
        if self.example is None:
            return " ".join([f"curl -s {home}{self.path}", *(f"-H '{header}'" for header in headers)])
        given = "".join(f" \\\n  -H '{header}'" for header in (*headers, f"Content-Type: {_JSON}"))
        body = json_text(self.example).replace("'", "'\\''")
        return f"curl -s {home}{self.path}{given} \\\n  -d '{body}'"

    def request_rows(self) -> Iterator[FieldRow]:
        for header in self.about.get("parameters", ()):
            yield FieldRow(header["name"], "header", header["description"])
        yield from field_rows(self._content.get(_JSON, {}).get("schema", {}))

    def reply_rows(self) -> Iterator[FieldRow]:
        for kind, content in self.about["responses"]["200"]["content"].items():
            schema = content["schema"]
            if kind != _JSON:
                yield FieldRow(kind, "type", schema.get("description", ""))
            yield from field_rows(schema, depth=int(kind != _JSON), is_reply=True)


def reference_page(template: str, request: Request) -> str:
    """The page, with commands that ask the server where it was found."""
    settings: ServerSettings = request.app.state.settings
    description = request.app.openapi()
    calls = [
        Call(verb.upper(), path, about)
        for path, verbs in description["paths"].items()
        for verb, about in verbs.items()
    ]
    home, with_key = home_of(request), bool(settings.api_key)
    own = [call for call in calls if call.tag == OWN.name]
    others = [call for call in calls if call.tag != OWN.name]
    parts = {
        "version": escape(description["info"]["version"]),
        "live-url": escape(re.sub("^http", "ws", home)),
        "own-contents": "".join(map(entry, own)),
        "other-contents": "".join(map(entry, others)),
        "own-calls": "".join(section(call, home, with_key) for call in own),
        "other-calls": "".join(
            f"<h2>{escape(tag)}</h2>" + "".join(section(call, home, with_key) for call in group)
            for tag, group in groupby(others, attrgetter("tag"))
        ),
        "live-message": titled("Message", field_rows(schema_of(LiveMessage))),
        "live-answer": titled("Answer", field_rows(schema_of(LiveReply), is_reply=True)),
        "error-shapes": to_table(error_rows()),
        "failures": failures_table(),
    }
    return re.sub(r"<!-- ([\w-]+) -->", lambda found: parts[found[1]], template)


def home_of(request: Request) -> str:
    """The server's address as the client knows it."""
    host = request.headers["host"]
    root = request.scope.get("root_path", "").rstrip("/")
    return f"{request.scope['scheme']}://{host}{root}"


def entry(call: Call) -> str:
    """The call's line in the list of contents."""
    return (
        f'<li><a href="#{call.anchor}"><b>{call.verb}</b> <code>{escape(call.path)}</code></a> '
        f"<span>{escape(call.about['summary'])}</span></li>"
    )


def section(call: Call, home: str, with_key: bool) -> str:
    """All about one call."""
    body = "" if call.example is None else escape(json_text(call.example))
    editor = f'<textarea aria-label="Body" spellcheck="false" hidden>{body}</textarea>' if body else ""
    headers = escape(json.dumps(dict(call.headers)))
    return (
        f'<section class="call" id="{call.anchor}" data-verb="{call.verb}" data-path="{escape(call.path)}" '
        f'data-headers="{headers}">'
        f"<h3><b>{call.verb}</b> <code>{escape(call.path)}</code></h3>"
        f"<p>{escape(call.about['summary'])}. {prose(call.about.get('description', ''))}</p>"
        f'<pre class="curl"><code>{escape(call.curl(home, with_key))}</code></pre>'
        f"{editor}"
        '<p class="group try" hidden><button type="button">Copy</button>'
        '<button type="button" class="primary">Try it</button></p>'
        '<pre class="reply" hidden></pre>'
        f"{titled('Request', call.request_rows())}{titled('Reply', call.reply_rows())}</section>"
    )


def titled(title: str, rows: Iterable[FieldRow]) -> str:
    table = to_table(rows)
    return f"<h4>{title}</h4>{table}" if table else ""


def error_rows() -> Iterator[FieldRow]:
    """The shape of an error under the paths of each dialect."""
    for dialect in DIALECTS:
        shape = json.dumps(dialect.error("CODE", "MESSAGE"))
        yield FieldRow(f"{dialect.prefix}/...", dialect.name, f"`{shape}`")


def failures_table() -> str:
    """Statuses and codes of refusals."""
    lines = "".join(
        f'<tr><th scope="row">{status}</th><td class="kind">{codes_html(codes)}</td><td>{prose(meaning)}</td></tr>'
        for status, (meaning, codes) in FAILURES.items()
    )
    return f"<table>{lines}</table>"


def codes_html(codes: str) -> str:
    return " ".join(f"<code>{escape(code)}</code>" for code in codes.split())


def json_text(example: Mapping[str, Any]) -> str:
    """JSON with a line for each key, short enough to read."""
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in example.items())
    return f"{{\n{lines}\n}}"
