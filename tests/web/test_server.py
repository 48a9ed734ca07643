"""The process on a real port: slow and broken clients, and a stop in the middle of work."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.waiting import eventually
from tests.web import inks
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.errors import NoSuchAddress
from inkscan.web.server import listen
from inkscan.web.server_settings import Limits

HEAD = b"POST /v1/recognize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
IMPATIENT = Limits(header_seconds=0.5, body_seconds=0.5)


def ask(port: int, count: int = 5) -> httpx.Response:
    return httpx.post(
        f"http://127.0.0.1:{port}/v1/recognize", json={"strokes": inks.plain(count)}, timeout=20
    )


def drained(connection: socket.socket, seconds: float = 10) -> bytes:
    """All that comes until the server closes."""
    connection.settimeout(seconds)
    chunks = []
    while chunk := connection.recv(65536):
        chunks.append(chunk)
    return b"".join(chunks)


def test_slow_broken_and_oversized_clients_do_not_stop_others() -> None:
    with serving(FakeRecognizer(), IMPATIENT) as (_, port):
        connect = lambda: socket.create_connection(("127.0.0.1", port))  # noqa: E731
        silent, slow_header, slow_body, half_closed, second = (connect() for _ in range(5))
        slow_header.sendall(HEAD[:40])
        slow_body.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")
        half_closed.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")
        half_closed.shutdown(socket.SHUT_WR)
        second.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea")  # and never goes on
        oversized = httpx.post(f"http://127.0.0.1:{port}/v1/recognize", content=b"[" * 3_000_000, timeout=20)
        assert oversized.status_code == 413
        started = time.monotonic()
        assert ask(port).json()["latex"] == "x=2"
        assert time.monotonic() - started < 5
        assert drained(silent) == drained(slow_header) == b""
        assert b"408" in drained(slow_body).split(b"\r\n")[0]
        assert b"200 OK" in drained(second)
        drained(half_closed)
        assert ask(port).json()["latex"] == "x=2"


def test_a_stop_finishes_what_was_accepted() -> None:
    recognizer = FakeRecognizer(delay=0.1)
    with serving(recognizer, Limits(batch=2)) as (server, port), ThreadPoolExecutor(12) as pool:
        recognizer.hold.clear()
        futures = [pool.submit(ask, port, count) for count in (1, 2, 3, 4, 5, 6) * 2]
        eventually(lambda: recognizer.started + _waiting(port) == 12)
        server.should_exit = True  # what SIGTERM sets
        eventually(lambda: _is_refused(port))
        recognizer.hold.set()
        answers = [future.result(20) for future in futures]
    assert [answer.status_code for answer in answers] == [200] * 12
    assert [answer.json()["latex"] for answer in answers] == ["/", "x", "x-", "x=", "x=2", "x=2^{5}"] * 2


def test_the_command_says_where_it_listens_and_when_the_port_is_taken() -> None:
    command = [sys.executable, "-m", "inkscan", "serve", "--port"]
    with subprocess.Popen([*command, "0"], stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            found = re.fullmatch(r"inkscan is at http://127\.0\.0\.1:(\d+) \(Ctrl-C stops it\)\n", line)
            assert found, line
            assert ask(int(found[1])).status_code == 200
            second = subprocess.run([*command, found[1]], capture_output=True, text=True, check=False)
        finally:
            server.terminate()
    assert second.returncode == 2
    assert second.stderr.startswith(f"error [serve.port_in_use]: port {found[1]} of 127.0.0.1 is in use")
    assert "--port 0" in second.stderr
    assert second.stderr.count("\n") == 1


def _is_refused(port: int) -> bool:
    """Whether the server takes no connections any more."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return True
    return False


def _waiting(port: int) -> float:
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("inkscan_queue_length "))


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(NoSuchAddress, match=f"^{host} is no address of this machine"):
        listen(host, 0)


def test_small_answers_are_sent_at_once() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_connection_rests_longer_than_clients_let_theirs() -> None:
    """Else both close at once, and a request that was under way is lost: 5 of 5,196 in an hour's soak."""
    with serving(FakeRecognizer(), Limits()) as (server, _):
        assert server.config.timeout_keep_alive > 15  # seconds; httpx and node wait for 5, aiohttp for 15
