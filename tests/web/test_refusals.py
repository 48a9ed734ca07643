"""What the server does not take: hostile bodies, too much of anything, strangers."""

from __future__ import annotations

import json
import logging

import pytest
from fastapi.testclient import TestClient
from tests.web import inks
from tests.web.conftest import MakeClient
from tests.web.fake import FakeRecognizer

from inkscan.errors import BadServerSetting, InkscanError
from inkscan.web import failures
from inkscan.web.dialects import DIALECTS
from inkscan.web.server_settings import ServerSettings

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<ink><trace>&b;</trace></ink>"
)
HOSTILE = {
    "empty": (b"", "ink.empty"),
    "blank": (b"   ", "ink.empty"),
    "cut JSON": (b'{"strokes": [[[1, 2', "ink.malformed"),
    "deep JSON": (b"[" * 100_000, "ink.malformed"),
    "not UTF-8": (b'{"strokes": "\xff\xfe"}', "ink.encoding"),
    "no strokes": (b'{"strokes": []}', "ink.no_strokes"),
    "a number": (b'{"strokes": 5}', "ink.malformed"),
    "null": (b'{"strokes": null}', "ink.malformed"),
    "an empty stroke": (b'{"strokes": [[]]}', "ink.malformed"),
    "ragged": (b'{"strokes": [[[1, 2], [3]]]}', "ink.malformed"),
    "text for numbers": (b'{"strokes": [[["a", "b"]]]}', "ink.malformed"),
    "NaN": (b'{"strokes": [[[NaN, 1]]]}', "ink.coordinate"),
    "infinity": (b'{"strokes": [[[1e999, 1]]]}', "ink.coordinate"),
    "far away": (b'{"strokes": [[[1e30, 1]]]}', "ink.coordinate"),
    "huge integers": (b'{"strokes": [[[' + b"9" * 400 + b", 1]]]}", "ink.coordinate"),
    "entity bomb": (BOMB.encode(), "ink.unsafe_xml"),
    "cut XML": (b"<ink><trace>1 2", "ink.malformed"),
    "other XML": (b"<svg/>", "ink.malformed"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "ink.unknown_format"),
    "zeros": (b"\x00" * 1000, "ink.unknown_format"),
    "many strokes": (json.dumps({"strokes": [[[1, 2]]] * 501}).encode(), "ink.too_large"),
    "many points": (json.dumps({"strokes": [[[1, 2]] * 50_001]}).encode(), "ink.too_large"),
    "a megabyte": (b" " * 1_000_001, "ink.too_large"),
    "half a surrogate": (
        b'{"strokes": [[[1, 2]]], "allow": ["\\ud800"], "formats": ["\\udfff"]}',
        "request.invalid",
    ),
    "bad options": (b'{"strokes": [[[1, 2]]], "n_best": "many"}', "request.invalid"),
}


STATUSES = {
    "ink.coordinate": 400,
    "ink.empty": 400,
    "ink.encoding": 400,
    "ink.malformed": 400,
    "ink.no_strokes": 400,
    "ink.too_large": 413,
    "ink.unknown_format": 415,
    "ink.unsafe_xml": 400,
    "latex.mathml": 400,
    "latex.syntax": 400,
    "latex.too_deep": 400,
    "latex.unknown_token": 400,
    "request.cancelled": 499,
    "request.crashed": 500,
    "request.invalid": 400,
    "request.not_acceptable": 406,
    "request.nothing_allowed": 400,
    "request.overloaded": 429,
    "request.timeout": 504,
    "request.unauthorized": 401,
    "request.unavailable": 503,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_get_a_code_and_the_server_lives(client: TestClient, name: str) -> None:
    body, code = HOSTILE[name]
    for path in (
        "/v1/recognize",
        "/v3/strokes",
        "/api/v4.0/iink/batch",
        "/api/v4.0/iink/recognize",
        "/v1/typeset",
    ):
        response = client.post(path, content=body)
        assert response.status_code < 500, (path, response.text)
        assert response.status_code >= 400 or code == "request.invalid"  # whose ink is good
        if path == "/v1/recognize":
            assert response.json()["error"]["code"] == code
            assert response.status_code == failures.status_of(code)
    assert client.post("/v1/recognize", json={"strokes": inks.plain(2)}).json()["latex"] == "x"


@pytest.mark.parametrize(
    ("key", "nearest"),
    [("nbest", "n_best"), ("N-Best", "n_best"), ("format", "formats"), ("forbidden", "forbid")],
)
def test_a_misspelt_key_is_refused_with_the_nearest_one(client: TestClient, key: str, nearest: str) -> None:
    good = {"strokes": inks.plain(2)}
    for response in (
        client.post("/v1/recognize", json={**good, key: 1}),
        client.post(f"/v1/recognize?{key}=1", content=inks.inkml(2)),
    ):
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (400, "request.invalid")
        assert f"unknown key {key!r} (did you mean {nearest!r}?)" in error["message"]


def test_keys_like_no_other_are_refused_with_the_list(client: TestClient) -> None:
    for key in ("foo", "x" * 100_000, "\ud800"):
        body = json.dumps({"strokes": inks.plain(2), key: 1})
        response = client.post("/v1/recognize", content=body)
        assert response.status_code == 400
        message = response.json()["error"]["message"]
        assert "did you mean" not in message and "there are formats, n_best" in message and len(message) < 200
    typeset = client.post("/v1/typeset", json={"latex": "x", "foo": 1})
    assert "there are latex, tokens" in typeset.json()["error"]["message"]


def test_other_services_shapes_may_have_any_keys(client: TestClient) -> None:
    for path, body in (
        ("/v3/strokes", {"strokes": {"strokes": inks.columns(2)}}),
        ("/api/v4.0/iink/batch", {"strokeGroups": [{"strokes": inks.channels(2)}]}),
        ("/api/v4.0/iink/recognize", {"strokes": inks.channels(2)}),
    ):
        assert client.post(path, json={**body, "foo": 1}).status_code == 200


def test_every_error_code_has_a_status() -> None:
    def leaves(error: type[InkscanError]) -> list[type[InkscanError]]:
        return [error, *(leaf for child in error.__subclasses__() for leaf in leaves(child))]

    mine = {e.code for e in leaves(InkscanError) if e.code.startswith(("ink.", "latex.", "request."))}
    assert {code: failures.status_of(code) for code in mine} == STATUSES
    assert failures.status_of("model.damaged") == 500


def test_no_answer_in_time_is_504(make_client: MakeClient, fake: FakeRecognizer) -> None:
    client = make_client(answer_seconds=0.1)
    fake.hold.clear()
    response = client.post("/v1/recognize", json={"strokes": inks.plain(2)})
    assert (response.status_code, response.json()["error"]["code"]) == (504, "request.timeout")


def test_the_key_opens_every_dialect(make_client: MakeClient) -> None:
    client = make_client(ServerSettings(api_key="secret"))
    native, mathpix = {"strokes": inks.plain(2)}, {"strokes": {"strokes": inks.columns(2)}}
    myscript = {"strokeGroups": [{"strokes": inks.channels(2)}]}
    refused = client.post("/v1/recognize", json=native)
    assert refused.status_code == 401
    assert all(dialect.key_header in refused.json()["error"]["message"] for dialect in DIALECTS)
    assert (
        client.post("/v1/recognize", json=native, headers={"Authorization": "Bearer wrong"}).status_code
        == 401
    )
    for path, body, headers in (
        ("/v1/recognize", native, {"Authorization": "Bearer secret"}),
        ("/v1/recognize", native, {"X-API-Key": "secret"}),
        ("/v3/strokes", mathpix, {"app_id": "me", "app_key": "secret"}),
        ("/api/v4.0/iink/batch", myscript, {"applicationKey": "secret"}),
    ):
        assert client.post(path, json=body).status_code == 401
        assert client.post(path, json=body, headers=headers).status_code == 200
    assert client.get("/").status_code == client.get("/healthz").status_code == 200


def test_no_cors_unless_told(make_client: MakeClient) -> None:
    origin = {"Origin": "https://notes.example"}
    assert "access-control-allow-origin" not in make_client().get("/v1/model", headers=origin).headers
    told = make_client(ServerSettings(cors_origins=("https://notes.example",)))
    assert told.get("/v1/model", headers=origin).headers["access-control-allow-origin"] == origin["Origin"]
    other = told.get("/v1/model", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize("origin", ["https://notes.example/", "notes.example", "", "https://"])
def test_an_origin_that_no_browser_sends_is_refused(origin: str) -> None:
    with pytest.raises(BadServerSetting, match="without a slash"):
        ServerSettings(cors_origins=(origin,))


def test_a_fault_has_the_headers_of_every_reply_and_is_found_in_the_log(
    make_client: MakeClient, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_client(ServerSettings(cors_origins=("https://notes.example",)))
    thirteen, origin = {"strokes": inks.plain(1) * 13}, {"Origin": "https://notes.example"}
    response = client.post("/v1/recognize", json=thirteen, headers=origin)
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal")
    assert response.headers["access-control-allow-origin"] == "https://notes.example"
    assert response.headers["access-control-expose-headers"] == "Retry-After, X-Request-Id"
    named = [vars(r)["fields"]["id"] for r in caplog.records if r.message == "a fault"]
    assert named == [response.headers["x-request-id"]]


def test_logs_say_what_happened_but_not_what_was_written(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "inkscan.web"):
        client.post("/v1/recognize", json={"strokes": inks.plain(5)})
        client.post("/v1/recognize", content=b'{"strokes": [[["geheim", 77777]]]}')
    fields = [record.fields for record in caplog.records if hasattr(record, "fields")]
    assert fields[0]["strokes"] == 5 and fields[0]["status"] == 200 and fields[0]["path"] == "/v1/recognize"
    assert fields[1]["code"] == "ink.malformed"
    text = json.dumps(fields)
    assert "geheim" not in text and "77777" not in text and "x=2" not in text
