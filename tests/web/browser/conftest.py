"""A Chromium for all browser tests, and pages of a server with the fake recogniser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser import fake_sheet
from tests.web.browser.hands import (
    CHROMIUM,
    DESK,
    TIMEOUT_MS,
    Console,
    OpenPage,
    QuietFiles,
    latex,
    playwright,
)
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        yield number


@pytest.fixture
def open_page(browser: Any, port: int) -> Iterator[OpenPage]:
    """Open a page of its own; errors on its console fail the test at the end."""
    console = Console()
    contexts = []

    def open_it(path: str = "/", at: int | None = None, forgive: str = "\0", **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **settings})
        context.route("**/v1/sheet", fake_sheet.answer)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        console.forgive = forgive
        console.listen(page)
        page.goto(f"http://127.0.0.1:{at or port}{path}")
        return page

    yield open_it
    for context in contexts:
        context.close()
    console.check()


@pytest.fixture(scope="module")
def shared_page(browser: Any, port: int) -> Iterator[Any]:
    context = browser.new_context(
        viewport=DESK, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
    )
    context.route("**/v1/sheet", fake_sheet.answer)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.console = Console()
    page.console.listen(page)
    page.goto(f"http://127.0.0.1:{port}/")
    yield page
    context.close()


@pytest.fixture
def page(shared_page: Any) -> Iterator[Any]:
    """One page for all that need no page of their own, emptied before each."""
    shared_page.click("#pen")
    if shared_page.locator("#clear").is_enabled():
        shared_page.click("#clear")
    latex(shared_page, "")
    yield shared_page
    shared_page.console.check()


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[int]:
    """Another web server, which offers what lies in tmp_path."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(tmp_path)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield site.server_port
    site.shutdown()
    site.server_close()
