"""The WebSocket /v1/live."""

from __future__ import annotations

import logging
import time

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.web import inks
from tests.web.conftest import MakeClient
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import ServerSettings


def test_strokes_come_and_go(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"id": 1, "add": inks.plain(2)})
        first = live.receive_json()
        assert (first["type"], first["id"], first["latex"], first["strokes"]) == ("answer", 1, "x", 2)
        steps = [
            ({"add": inks.channels(5)[2:]}, "x=2"),
            ({"remove": [4]}, "x="),
            ({"undo": True}, "x=2"),
            ({"redo": True}, "x="),
            ({"remove": [2, 3], "add": inks.plain(1)}, "x-"),
            ({"set": inks.plain(6)}, "x=2^{5}"),
            ({"clear": True}, None),
        ]
        for message, latex in steps:
            live.send_json(message)
            assert live.receive_json().get("latex") == latex


@pytest.mark.parametrize("name", ["options", "wishes"])  # the second is the older one
def test_options_change_the_answers(client: TestClient, name: str) -> None:
    with client.websocket_connect("/v1/live") as live:
        live.send_json({name: {"formats": ["latex", "alignment"], "n_best": 1}, "set": inks.plain(5)})
        answer = live.receive_json()
        assert "alignment" in answer and "mathml" not in answer and "alternatives" not in answer


def test_only_the_newest_ink_is_read(client: TestClient, fake: FakeRecognizer) -> None:
    fake.hold.clear()
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"id": 0, "set": inks.plain(1)})
        for count in (2, 3, 4, 5):
            live.send_json({"id": count, "set": inks.plain(count)})
        live.send_json({"id": 9})  # the queue of messages has been read when its turn has come
        fake.hold.set()
        ids: list[int] = []
        while not ids or ids[-1] != 9:
            ids.append(live.receive_json()["id"])
    assert len(ids) <= 3
    assert sum(fake.batches) <= 3


def test_mistakes_are_answered_and_the_session_goes_on(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"set": inks.plain(2)})
        live.receive_json()
        for message, code in [
            ({"id": 7, "remove": [5]}, "request.invalid"),
            ({"id": 7, "remove": "all"}, "request.invalid"),
            ({"id": 7, "add": [[["a", 1]]]}, "ink.malformed"),
            ({"id": 7, "add": [[[float("nan"), 1]]]}, "ink.coordinate"),
            ({"id": 7, "add": [[[1, 1]]] * 600}, "ink.too_large"),
            ({"id": 7, "options": {"n_best": 0}}, "request.invalid"),
            ({"id": 7, "options": {"nbest": 1}}, "request.invalid"),
            ({"id": 7, "ad": inks.plain(1)}, "request.invalid"),
            ({"id": 7, "wishes": []}, "request.invalid"),
            ({"id": 7, "options": []}, "request.invalid"),
            ({"id": 7, "undo": 1}, "request.invalid"),
            ({"id": 7, "remove": [0], "add": [[["a", 1]]]}, "ink.malformed"),
            ({"id": 7, "options": {"formats": []}, "remove": [5]}, "request.invalid"),
            ({"id": 7, "options": {"allow": ["nope"]}, "add": inks.plain(1)}, "request.invalid"),
            ({"id": 7, "options": {"allow": []}}, "request.nothing_allowed"),
            ({"id": 7, "clear": True, "add": inks.plain(1)}, "request.invalid"),
            ({"id": 7, "undo": True, "redo": True}, "request.invalid"),
            ({"id": 7, "set": inks.plain(5), "remove": [99]}, "request.invalid"),
        ]:
            live.send_json(message)
            reply = live.receive_json()
            assert (reply["type"], reply["id"], reply["error"]["code"]) == ("error", 7, code)
        for name in ("1.5", "[1]", "{}", "true"):
            live.send_text(f'{{"id": {name}, "add": [[[0, 0]]]}}')
            assert live.receive_json()["error"]["message"] == "id is a string or a whole number"
        live.send_text("{")
        assert live.receive_json()["error"]["code"] == "ink.malformed"
        live.send_text("[]")
        assert live.receive_json()["error"]["code"] == "request.invalid"
        live.send_json({"add": inks.plain(5)[2:]})
        answer = live.receive_json()
        assert answer["latex"] == "x=2" and "mathml" in answer


def test_one_message_is_one_change(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as live:
        for message, latex in [
            ({"set": inks.plain(2)}, "x"),
            ({"set": inks.plain(5), "remove": []}, "x=2"),
            ({"undo": True}, "x"),
            ({"remove": [1], "add": inks.plain(5)[1:]}, "x=2"),
            ({"undo": True}, "x"),
        ]:
            live.send_json(message)
            assert live.receive_json()["latex"] == latex


def test_a_fault_is_answered_and_the_session_goes_on(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "inkscan.web")
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"id": 1, "set": inks.plain(1) * 13})
        reply = live.receive_json()
        assert (reply["type"], reply["id"], reply["error"]["code"]) == ("error", 1, "internal")
        live.send_json({"set": inks.plain(2)})
        assert live.receive_json()["latex"] == "x"
    fault = next(record for record in caplog.records if record.message == "a fault")
    assert fault.exc_info and "thirteen" in str(fault.exc_info[1])
    closing = next(
        vars(r)["fields"] for r in caplog.records if getattr(r, "fields", {}).get("path") == "/v1/live"
    )
    assert vars(fault)["fields"]["id"] == closing["id"]


def test_the_key_comes_first(make_client: MakeClient) -> None:
    client = make_client(ServerSettings(api_key="secret"))
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"key": "secret", "set": inks.plain(2)})
        assert live.receive_json()["latex"] == "x"
    with client.websocket_connect("/v1/live") as live:
        live.send_json({"set": inks.plain(2)})
        assert live.receive_json()["error"]["code"] == "request.unauthorized"
        with pytest.raises(WebSocketDisconnect):
            live.receive_json()


@pytest.mark.parametrize("first", [None, "{", "[]", '{"key": 5}'])
def test_without_the_key_no_place_is_held(make_client: MakeClient, first: str | None) -> None:
    client = make_client(ServerSettings(api_key="secret"), live_sessions=1, body_seconds=0.2)
    with client.websocket_connect("/v1/live") as live:
        if first is not None:
            live.send_text(first)
            assert live.receive_json()["type"] == "error"
        with pytest.raises(WebSocketDisconnect) as closed:
            live.receive_json()
        assert closed.value.code == 1008
    with client.websocket_connect("/v1/live", headers={"Authorization": "Bearer secret"}) as live:
        time.sleep(0.4)  # with the key one may take one's time
        live.send_json({"set": inks.plain(2)})
        assert live.receive_json()["latex"] == "x"


def test_pages_of_other_origins_are_refused_unless_named(make_client: MakeClient) -> None:
    stranger = {"origin": "https://stranger.example"}
    with pytest.raises(WebSocketDisconnect):
        make_client().websocket_connect("/v1/live", headers=stranger).__enter__()
    named = make_client(ServerSettings(cors_origins=("https://stranger.example",)))
    with named.websocket_connect("/v1/live", headers=stranger) as live:
        live.send_json({"set": inks.plain(2)})
        assert live.receive_json()["latex"] == "x"


def test_sessions_are_bounded(make_client: MakeClient) -> None:
    client = make_client(live_sessions=1)
    with client.websocket_connect("/v1/live") as first:
        first.send_json({"set": inks.plain(2)})
        first.receive_json()
        assert "inkscan_live_sessions 1" in client.get("/metrics").text
        with client.websocket_connect("/v1/live") as second, pytest.raises(WebSocketDisconnect):
            second.receive_json()
