"""Requests that no honest client sends, settings that would leave a door open, and logs that stay short."""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.conftest import REPOSITORY
from tests.web.conftest import MakeClient
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.cli.serve import answered_hosts
from inkscan.errors import BadServerSetting
from inkscan.web.logs import JsonLines, Sparing
from inkscan.web.server_settings import ServerSettings


def test_a_server_answers_for_its_own_names(make_client: MakeClient) -> None:
    client = make_client(ServerSettings(hosts=answered_hosts("127.0.0.1", ("Notes.example",))))
    for host in ("localhost", "LOCALHOST:8731", "127.0.0.1:8731", "[::1]:8731", "notes.example"):
        assert client.get("/v1/model", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "evil.example:8731", "127.0.0.1.evil.example"):
        reply = client.get("/v1/model", headers={"Host": host})
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "request.invalid")
        assert "--allow-host" in reply.json()["error"]["message"]
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/v1/live", headers={"Host": host, "Origin": f"http://{host}"}),
        ):
            pass


@pytest.mark.parametrize(
    ("host", "allowed", "expected"),
    [
        ("127.0.0.1", (), ("127.0.0.1", "[::1]", "localhost")),
        ("::1", ("a.b",), ("127.0.0.1", "[::1]", "a.b", "localhost")),
        ("0.0.0.0", (), ()),
        ("0.0.0.0", ("a.b",), ("0.0.0.0", "127.0.0.1", "[::1]", "a.b", "localhost")),
        ("127.0.0.1", ("*",), ()),
    ],
)
def test_names_by_address(host: str, allowed: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert answered_hosts(host, allowed) == expected


def test_a_key_that_is_set_but_empty_opens_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for options, variables in (
        (["--api-key", ""], {}),
        ([], {"INKSCAN_API_KEY": ""}),
        ([], {"INKSCAN_HMAC_KEY": ""}),
    ):
        with monkeypatch.context() as environment:
            for name, value in variables.items():
                environment.setenv(name, value)
            done = CliRunner().invoke(app, ["serve", "--port", "0", *options])
        assert isinstance(done.exception, BadServerSetting)
        assert "empty" in str(done.exception)


@pytest.mark.parametrize("origin", ["http://[", "http://]", "null", "", "http://testserver.evil", "\x7f"])
def test_odd_origins_of_live_sessions_are_refused(client: TestClient, origin: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/v1/live", headers={"Origin": origin}),
    ):
        pass
    with client.websocket_connect("/v1/live", headers={"Origin": "http://testserver"}):
        pass


def test_an_hmac_key_alone_would_leave_the_other_calls_open() -> None:
    with pytest.raises(BadServerSetting, match="API key"):
        ServerSettings(hmac_key="secret")


def test_a_huge_length_is_refused_before_its_body(client: TestClient) -> None:
    for length in ("16000001", "9" * 100):
        reply = client.post("/v1/recognize", content=b"{}", headers={"Content-Length": length})
        assert (reply.status_code, reply.json()["error"]["code"]) == (413, "ink.too_large")


def test_a_strangers_line_is_cut_in_the_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "inkscan.web"):
        client.get("/" + "x" * 5_000)
    (fields,) = [record.fields for record in caplog.records if hasattr(record, "fields")]
    assert len(json.dumps(fields)) < 500


def test_a_flood_of_records_is_left_out_and_counted() -> None:
    sparing = Sparing(requests=50, others=5)

    def write(message: str, second: int) -> str | None:
        record = logging.LogRecord("inkscan.web", logging.INFO, __file__, 1 + len(message), message, (), None)
        record.created = float(second)
        return JsonLines().format(record) if sparing.filter(record) else None

    first = [write("request", 1) for _ in range(100)]
    assert len([line for line in first if line]) == 50
    faults = [write("a longer fault", 1) for _ in range(100)]
    assert len([line for line in faults if line]) == 5
    assert json.loads(next(line for line in faults if line))["left_out"] == 50
    assert json.loads(write("request", 2) or "")["left_out"] == 95
    assert "left_out" not in json.loads(write("request", 2) or "")


def test_the_unit_is_hardened() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(REPOSITORY / "deploy" / "inkscan.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    if found is None:
        pytest.skip(f"systemd-analyze cannot judge a file here: {done.stderr.strip()[:100]}")
    assert float(found[1]) <= 1.5
