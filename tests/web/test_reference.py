"""The page about the API: its commands run, and its tables have the fields that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.conftest import MakeClient, serving
from tests.web.fake import FakeRecognizer

from inkscan.web import failures
from inkscan.web.dialects import DIALECTS
from inkscan.web.failures import FAILURES
from inkscan.web.live import LiveMessage, LiveReply
from inkscan.web.options import FORMATS, Options
from inkscan.web.server_settings import Limits, ServerSettings
from inkscan.web.shapes import schema_of


def curls(page: str) -> list[str]:
    found = re.findall(r'<pre class="curl"><code>(curl .*?)</code></pre>', page, re.S)
    return [unescape(text) for text in found]


def test_every_command_of_the_page_runs() -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with serving(FakeRecognizer(), Limits()) as (_, port):
        home = f"http://127.0.0.1:{port}"
        page = subprocess.run(
            ["curl", "-sf", f"{home}/docs"], capture_output=True, text=True, timeout=60, check=True
        )
        commands = curls(page.stdout)
        for command in commands:
            assert home in command
            done = subprocess.run(
                ["sh", "-c", f"{command} -f"], capture_output=True, text=True, timeout=60, check=False
            )
            assert done.returncode == 0 and done.stdout, command
    assert len(commands) == 9


def test_every_call_is_on_the_page_with_tables(client: TestClient) -> None:
    page = client.get("/docs").text
    paths = client.get("/openapi.json").json()["paths"]
    assert len(paths) == 9
    for path, verbs in paths.items():
        (call,) = re.findall(rf'data-path="{path}".*?</section>', page, re.S)
        assert "<h4>Reply</h4><table>" in call
        assert ("<h4>Request</h4><table>" in call) == ("post" in verbs)
    assert "<!--" not in page


def described(schema: dict[str, Any], place: str = "") -> Iterator[str]:
    for name, field in schema.get("properties", {}).items():
        assert field["description"], name
        yield place + name
        yield from described(field.get("items", field), f"{place}{name}.")


def present(value: Any, place: str = "") -> Iterator[str]:
    """Names in a reply, down to where the description goes."""
    if isinstance(value, list):
        for entry in value:
            yield from present(entry, place)
    if isinstance(value, dict):
        for name, field in value.items():
            yield place + name
            yield from present(field, f"{place}{name}.")


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/v1/recognize", {"strokes": inks.plain(5), "formats": list(FORMATS)}),
        ("/v1/typeset", {}),
        ("/v1/sheet", {"formats": list(FORMATS)}),
        ("/v1/model", None),
        ("/v3/strokes", {"formats": ["text", "latex_styled", "latex_simplified", "html", "data"]}),
        ("/api/v4.0/iink/recognize", {}),
        ("/healthz", None),
    ],
)
def test_the_replies_have_the_fields_described(client: TestClient, path: str, changes: Any) -> None:
    ((_, about),) = client.get("/openapi.json").json()["paths"][path].items()
    if changes is None:
        reply = client.get(path)
    else:
        body = {**about["requestBody"]["content"]["application/json"]["example"], **changes}
        accept = {p["name"]: p["example"] for p in about.get("parameters", ())}
        reply = client.post(path, json=body, headers=accept)
    kind = reply.headers["content-type"]
    wanted = set(described(about["responses"]["200"]["content"][kind]["schema"]))
    opaque = {name for name in wanted if not any(other.startswith(f"{name}.") for other in wanted)}
    found = {
        name for name in present(reply.json()) if not any(name.startswith(f"{parent}.") for parent in opaque)
    }
    assert found == wanted


def test_the_options_described_are_those_that_are_read(client: TestClient) -> None:
    about = client.get("/openapi.json").json()["paths"]["/v1/recognize"]["post"]
    schema = about["requestBody"]["content"]["application/json"]["schema"]
    assert set(schema["properties"]) == {"strokes", *Options.model_fields}


def test_the_live_messages_described_are_those_that_are_read(client: TestClient) -> None:
    (messages,) = re.findall(r"<h4>Message</h4>.*?</table>", client.get("/docs").text, re.S)
    assert set(re.findall(r'<th scope="row"><code>(\w+)', messages)) == set(LiveMessage.model_fields)
    shapes = (LiveMessage, LiveReply)
    assert all(set(described(schema_of(shape))) == set(shape.model_fields) for shape in shapes)
    (section,) = re.findall(
        r"^## WebSocket /v1/live$.*?^## ", (REPOSITORY / "docs/http-api.md").read_text("utf-8"), re.S | re.M
    )
    assert all(f"`{name}`" in section or f'"{name}":' in section for name in LiveMessage.model_fields)


def test_the_error_shapes_described_are_those_of_the_dialects(client: TestClient) -> None:
    page = unescape(client.get("/docs").text)
    for dialect in DIALECTS:
        assert json.dumps(dialect.error("CODE", "MESSAGE")) in page
        refused = client.post(f"{dialect.prefix}/nothing").json()
        assert refused == dialect.error(
            "request.not_found", failures._sentence(404, f"{dialect.prefix}/nothing")
        )


def test_statuses_have_their_codes() -> None:
    by_code = {code: status for status, code in failures.CODES.items()}
    for status, (_, codes) in FAILURES.items():
        for code in codes.split():
            assert by_code.get(code, failures.status_of(code)) == status


def test_a_strange_host_is_not_repeated(client: TestClient) -> None:
    for host in ("evil';rm", "<script>", "[::"):
        reply = client.get("/docs", headers={"Host": host})
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "request.invalid")
        assert host not in reply.text
    assert "curl -s http://[::1]:8731/v1" in client.get("/docs", headers={"Host": "[::1]:8731"}).text


def test_a_server_with_a_key_says_so_in_its_commands(make_client: MakeClient) -> None:
    for command in curls(make_client(ServerSettings(api_key="secret")).get("/docs").text):
        assert ("Authorization: Bearer KEY" in command) == ("Content-Type" in command)
        assert "secret" not in command
