"""The page that needs no server, in a real Chromium: it reads ink by itself, and goes on when the server is gone."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.js.conftest import PACKAGE
from tests.web import inks
from tests.web.browser.hands import BROWSER, draw, expect, until

TIMEOUT_MS = 120_000  # a loaded machine is slow, not wrong
SETTLED_MS = 1_000  # what is sent late is seen too
GOLDEN = json.loads((PACKAGE / "test" / "golden.json").read_text("utf-8"))["recognitions"]
READ = """async ([ink, options]) => {
  const { openLocal } = await import('./static/local.js');
  const progress = [];
  const local = await openLocal((step) => progress.push(step));
  await local.complete();
  const answer = await local.recognize(ink, options);
  const typeset = await local.typeset({ latex: 'x^2' });
  const sheet = await local.sheet(ink, options);
  const refused = await local.recognize([]).catch(({ code }) => code);
  return { answer, progress, typeset, sheet, refused, name: local.name };
}"""
LARGE_FILES = 7  # the graphs of two models, of the classifier and its language model, and the WebAssembly
KEPT = "async () => (await (await caches.open('inkscan-models')).keys()).map(({ url }) => url)"
NEWER_BUILD = {"/service-worker.js", "/precache.js"}  # where the browser by itself looks for one

pytestmark = [*BROWSER, pytest.mark.slow]


class _Host(ThreadingHTTPServer):
    """A static host that remembers what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        assert isinstance(self.server, _Host)
        self.server.asked.append(self.path)


@contextmanager
def hosted(folder: Path) -> Iterator[_Host]:
    """A host in a thread."""
    server = _Host(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def host(folder: Path) -> Iterator[_Host]:
    with hosted(folder) as server:
        yield server


@pytest.fixture
def page(browser: Any, host: _Host) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(host.url)
    yield page
    context.close()


def write(page: Any, strokes: list[inks.Points], latex: str) -> None:
    for points in strokes:
        draw(page, points)
    reads(page, latex)


def reads(page: Any, latex: str) -> None:
    """The page shows this; unlike elsewhere it loads its model first."""
    expect(page.locator("#latex")).to_have_value(latex, timeout=TIMEOUT_MS)


def test_it_reads_without_a_server_of_ours(page: Any, folder: Path) -> None:
    """The answer is Python's, and the progress ends with all bytes."""
    golden = GOLDEN[0]
    found = page.evaluate(READ, [golden["ink"], {"n_best": 3}])
    assert found["answer"]["latex"] == golden["reply"]["latex"]
    assert abs(found["answer"]["confidence"] - golden["reply"]["confidence"]) < 0.01
    assert len(found["answer"]["alternatives"]) == 3
    assert found["typeset"]["tokens"] == ["x", "^", "{", "2", "}"]
    assert found["sheet"]["latex"] == golden["reply"]["latex"]
    assert found["refused"] == "ink.no_strokes"
    whole = json.loads((folder / "static" / "app.json").read_text("utf-8"))["bytes"]
    assert found["progress"][-1] == {"loaded": whole, "total": whole}
    assert len(found["progress"]) > 10


def test_it_goes_on_when_the_host_is_gone(page: Any, host: _Host) -> None:
    """Ink drawn by hand is read, kept and read again, and neither the host nor anybody else is asked for anything."""
    write(page, inks.POLYNOMIAL[:3], "x^{2}")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    until(page, KEPT, lambda urls: len(urls) == LARGE_FILES)
    sent: list[str] = []  # by the page, its workers and the service worker
    page.context.on("request", lambda request: sent.append(request.url))
    host.asked.clear()
    page.reload()  # the host is there, so that it would notice
    write(page, inks.POLYNOMIAL[3:5], "x^{2}+")
    page.wait_for_timeout(SETTLED_MS)
    assert set(host.asked) <= NEWER_BUILD
    host.shutdown()
    host.server_close()
    page.reload()
    reads(page, "x^{2}+")
    write(page, inks.POLYNOMIAL[5:], "x^{2}+1")
    assert sent
    assert [url for url in sent if not url.startswith(host.url)] == []


def test_large_files_are_fetched_once(page: Any, host: _Host) -> None:
    for _ in range(2):
        page.evaluate(READ, [GOLDEN[0]["ink"], {}])
        page.reload()
    for ending in (".onnx", ".wasm"):
        asked = [path for path in host.asked if path.endswith(ending)]
        assert len(asked) == len(set(asked)) > 0


def test_models_of_older_builds_are_forgotten(page: Any, host: _Host) -> None:
    old = f"{host.url}static/model/older/encoder.onnx?sha256=0"
    page.evaluate("async (url) => (await caches.open('inkscan-models')).put(url, new Response('old'))", old)
    page.evaluate(READ, [GOLDEN[0]["ink"], {}])
    until(page, KEPT, lambda urls: len(urls) == LARGE_FILES and old not in urls)


def test_a_damaged_download_is_refused(page: Any, folder: Path, tmp_path: Path) -> None:
    damaged = shutil.copytree(folder, tmp_path / "damaged")
    for graph in damaged.rglob("step.onnx"):
        graph.write_bytes(b"cut")
    opened = "(await import('./static/local.js')).openLocal().then(() => 'opened', ({ code }) => code)"
    with hosted(damaged) as host:
        page.goto(host.url)
        assert page.evaluate(f"async () => {opened}") == "model.damaged"


def test_it_can_be_installed(page: Any, folder: Path) -> None:
    assert page.locator('link[rel="manifest"]').get_attribute("href") == "manifest.webmanifest"
    manifest = json.loads((folder / "manifest.webmanifest").read_text("utf-8"))
    assert all((folder / icon["src"]).is_file() for icon in manifest["icons"])
    kept = (folder / "precache.js").read_text("utf-8")
    named = json.loads(kept[kept.index("{") : kept.rindex("}") + 1])["files"]
    assert "./" in named
    assert all((folder / name).exists() for name in named)
