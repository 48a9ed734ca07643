"""Connections on a real port: too many of them, slow readers, floods of frames, clients that leave."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest
from tests.waiting import eventually
from tests.web import inks
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer
from websockets.sync.client import connect as live_connect

from inkscan.web.connections import Connections
from inkscan.web.server_settings import Limits

IMPATIENT = Limits(header_seconds=0.5, body_seconds=0.5, read_seconds=1.0)
HEAD = b"POST /v1/recognize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def connect(port: int, buffer: int | None = None) -> socket.socket:
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(15)
    connection.connect(("127.0.0.1", port))
    return connection


def seconds_until_closed(connection: socket.socket) -> float:
    """Until the server has closed; what it sends is left out."""
    started = time.monotonic()
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return time.monotonic() - started


def health(port: int) -> int:
    return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code


def metrics(port: int) -> str:
    return httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=5).text


@pytest.mark.parametrize("line", [b"POST /nothing", b"GET /healthz", b"PUT /v1/recognize"])
def test_a_body_that_no_route_reads_has_a_clock(line: bytes) -> None:
    with serving(FakeRecognizer(), IMPATIENT) as (_, port), closing(connect(port)) as slow:
        slow.sendall(line + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        assert seconds_until_closed(slow) < 5


def test_who_does_not_read_is_cut_off() -> None:
    with serving(FakeRecognizer(), IMPATIENT) as (_, port), closing(connect(port, 4096)) as deaf:
        deaf.setblocking(False)
        request = b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"

        def is_cut_off() -> bool:
            try:
                deaf.send(request * 100)
            except BlockingIOError:
                return False
            except ConnectionError:
                return True
            return False

        eventually(is_cut_off, 15)
        assert health(port) == 200


def test_more_connections_than_the_bound_are_refused_and_the_others_served() -> None:
    with serving(FakeRecognizer(), Limits(connections=8)) as (_, port):
        held = [connect(port) for _ in range(8)]
        eventually(lambda: b"503" in _first_line(port))
        for connection in held:
            connection.close()
        eventually(lambda: b"200" in _first_line(port))


def _first_line(port: int) -> bytes:
    with closing(connect(port)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        try:
            return connection.recv(4096).partition(b"\r\n")[0]
        except ConnectionError:
            return b""


class _Transport:
    def __init__(self, host: str) -> None:
        self._peer = (host, 1)

    def get_extra_info(self, name: str) -> Any:
        return self._peer


def test_one_address_has_a_bound_of_its_own() -> None:
    async def counts() -> dict[str, int]:
        limits = Limits(connections=100, connections_each=3)
        connections = Connections(limits)
        hosts = ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "127.0.0.1")
        admitted = dict.fromkeys(hosts, 0)
        for _ in range(5):
            for host in hosts:
                transport: Any = _Transport(host)
                admitted[host] += connections.admit(transport, lambda: None)
        connections._timer.cancel()  # type: ignore[union-attr]
        return admitted

    admitted = asyncio.run(counts())
    assert admitted.pop("2001:db8::1") + admitted.pop("2001:db8::2") == 3  # one customer's network
    assert admitted == {"192.0.2.1": 3, "192.0.2.2": 3, "2001:db8:0:1::1": 3, "127.0.0.1": 5}


def test_out_of_files_the_log_stays_short_and_the_server_lives() -> None:
    command = [sys.executable, "-m", "inkscan", "serve", "--port", "0"]
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (120, 120))  # noqa: E731
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=few) as server:
        try:
            assert server.stderr is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stderr.readline())
            assert found
            server.send_signal(signal.SIGSTOP)  # so that they all come at once
            crowd = []
            for _ in range(300):
                connection = socket.socket()
                connection.setblocking(False)
                connection.connect_ex(("127.0.0.1", int(found[1])))
                crowd.append(connection)
            server.send_signal(signal.SIGCONT)
            time.sleep(3)  # a log that says the same again and again would grow meanwhile
            for connection in crowd:
                connection.close()
            eventually(lambda: b"200" in _first_line(int(found[1])), 20)
        finally:
            server.send_signal(signal.SIGTERM)
        log = server.stderr.read()
    assert "too many connections" in log or "out of system resource" in log
    assert len(log) < 50_000


def test_a_client_that_leaves_is_no_fault_and_its_work_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    recognizer = FakeRecognizer()
    with serving(recognizer, Limits()) as (_, port):
        with closing(connect(port)) as leaver:  # in the middle of its body
            leaver.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
            assert leaver.recv(4096).startswith(b"HTTP/1.1 100 ")  # the route waits for the body
            leaver.sendall(b"{")
        recognizer.hold.clear()
        body = httpx.Request("POST", "http://localhost", json={"strokes": inks.plain(2)}).content
        with closing(connect(port)) as leaver:  # while its ink is read
            leaver.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            eventually(lambda: recognizer.started == 1)
        eventually(lambda: recognizer.cancelled == 1)
        recognizer.hold.set()
        eventually(lambda: 'inkscan_requests_total{route="/v1/recognize",status="499"} 2' in metrics(port))
        assert 'status="500"' not in metrics(port)
    assert not [record for record in caplog.records if record.exc_info]


def test_what_timed_out_is_not_worked_on() -> None:
    recognizer = FakeRecognizer()
    recognizer.hold.clear()
    with serving(recognizer, Limits(answer_seconds=0.2)) as (_, port):
        reply = httpx.post(f"http://127.0.0.1:{port}/v1/recognize", json={"strokes": inks.plain(2)})
        assert reply.status_code == 504
        eventually(lambda: recognizer.cancelled == 1)


def test_a_stop_does_not_wait_longer_than_it_says() -> None:
    recognizer = FakeRecognizer()
    recognizer.hold.clear()  # for ever
    with serving(recognizer, Limits(shutdown_seconds=1)) as (server, port):
        body = httpx.Request("POST", "http://localhost", json={"strokes": inks.plain(2)}).content
        waiting = connect(port)
        waiting.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        eventually(lambda: recognizer.started == 1)
        started = time.monotonic()
        server.should_exit = True
        seconds_until_closed(waiting)
        eventually(lambda: recognizer.cancelled == 1)
        assert time.monotonic() - started < 4
        waiting.close()


def test_two_lengths_of_one_body_are_refused() -> None:
    with serving(FakeRecognizer(), Limits()) as (_, port), closing(connect(port)) as smuggler:
        smuggler.sendall(HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x")
        reply = b""
        while chunk := smuggler.recv(65536):  # until the server has closed
            reply += chunk
        assert b" 400 " in reply.partition(b"\r\n")[0] and b"request.invalid" in reply


def upgraded(port: int, buffer: int | None = None) -> socket.socket:
    """A live session by hand."""
    connection = connect(port, buffer)
    key = base64.b64encode(os.urandom(16))
    connection.sendall(
        b"GET /v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
    )
    assert b" 101 " in connection.recv(4096).partition(b"\r\n")[0]
    return connection


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A client's frame; its mask of zeros changes nothing."""
    head = struct.pack("!BB", (0x80 if fin else 0) | opcode, 0x80 | min(len(payload), 125))
    return head + b"\0" * 4 + payload[:125]


@pytest.mark.parametrize(
    "flood",
    [frame(9, b"x" * 125) * 500, frame(1, b"{", fin=False) + frame(0, fin=False) * 20_000],
    ids=["pings", "empty fragments"],
)
def test_a_flood_of_frames_ends_its_session_and_stalls_nobody(
    flood: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    def pour(flooder: socket.socket) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                flooder.sendall(flood)

    with (
        serving(FakeRecognizer(), Limits()) as (_, port),
        ThreadPoolExecutor(1) as pool,
        closing(upgraded(port, 4096)) as flooder,
    ):
        pouring, slowest = pool.submit(pour, flooder), 0.0
        while not pouring.done():
            asked = time.monotonic()
            assert health(port) == 200
            slowest = max(slowest, time.monotonic() - asked)
        pouring.result()
    assert slowest < 2
    assert "too many WebSocket frames" in caplog.messages


def test_frames_in_pieces_are_put_together() -> None:
    with (
        serving(FakeRecognizer(), Limits()) as (_, port),
        live_connect(f"ws://127.0.0.1:{port}/v1/live") as live,
    ):
        text = '{"set": [' + ",".join("[[1, 2], [3, 4]]" for _ in range(400)) + "]}"
        live.send([text[i : i + 700] for i in range(0, len(text), 700)])
        assert '"strokes": 400' in live.recv(10)


def test_without_the_key_no_place_is_held() -> None:
    limits = Limits(body_seconds=0.5, live_sessions=1)
    with serving(FakeRecognizer(), limits, api_key="secret") as (_, port):
        strangers = [upgraded(port) for _ in range(5)]
        assert re.search(r"^inkscan_live_sessions 0", metrics(port), re.M)
        with live_connect(f"ws://127.0.0.1:{port}/v1/live") as live:
            live.send(json.dumps({"key": "secret", "set": inks.plain(2)}))
            assert json.loads(live.recv(5))["latex"] == "x"
        for stranger in strangers:
            stranger.sendall(frame(9) * 3)
            stranger.sendall(frame(8, struct.pack("!H", 1000)))  # an honest end, or none
            assert seconds_until_closed(stranger) < 12
            stranger.close()
