"""Servers with the fake recogniser: in process for requests, on a port for browsers and raw sockets."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient
from tests.waiting import eventually
from tests.web.fake import FakeRecognizer

from inkscan import Recognizer
from inkscan.web.app import create_app
from inkscan.web.server import config
from inkscan.web.server_settings import Limits, ServerSettings

MakeClient = Callable[..., TestClient]


@pytest.fixture
def fake() -> FakeRecognizer:
    return FakeRecognizer()


@pytest.fixture
def make_client(fake: FakeRecognizer) -> Iterator[MakeClient]:
    """A client of a new server; keywords are limits, or settings of the server."""
    opened: list[TestClient] = []

    def make(settings: ServerSettings | None = None, **limits: Any) -> TestClient:
        settings = settings or ServerSettings()
        settings = replace(settings, limits=replace(Limits(), **limits))
        client = TestClient(create_app(fake, settings), raise_server_exceptions=False)
        client.__enter__()
        opened.append(client)
        return client

    yield make
    fake.hold.set()
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def client(make_client: MakeClient) -> TestClient:
    return make_client()


@contextmanager
def serving(
    recognizer: FakeRecognizer | Recognizer, limits: Limits, port: int = 0, **settings: Any
) -> Iterator[tuple[uvicorn.Server, int]]:
    """A real server in a thread."""
    listener = socket.create_server(("127.0.0.1", port))
    app = create_app(recognizer, ServerSettings(limits, **settings))
    server = uvicorn.Server(config(app, "127.0.0.1", 0, limits))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    eventually(lambda: server.started, 20)
    try:
        yield server, listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
