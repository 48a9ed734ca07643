"""The server's page with a built app beside it: the model in the browser reads while the server is away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.js.test_app import KEPT, LARGE_FILES, hosted
from tests.web import inks
from tests.web.browser.hands import BROWSER, DESK, TIMEOUT_MS, Console, draw, expect, latex, until
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

import inkscan
from inkscan.runtime.models import DEFAULT, bundled_models
from inkscan.web.server_settings import Limits

pytestmark = [
    *BROWSER,
    pytest.mark.slow,
    pytest.mark.skipif(DEFAULT not in bundled_models(), reason=f"the weights of {DEFAULT} are not bundled"),
]
EQUALS = [inks.line(460, 175, 510, 175, 8), inks.line(460, 197, 510, 197, 8)]
ZERO = inks.arc(560, 186, 30, -1.6, 4.7, 24)


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    console = Console()
    console.forgive = "ERR_CONNECTION_REFUSED"  # Chromium reports each vain attempt
    console.listen(page)
    yield page
    context.close()
    console.check()


def write(page: Any, *strokes: inks.Points) -> None:
    for points in strokes:
        draw(page, points)


def test_the_page_goes_on_while_its_server_is_away(page: Any, folder: Path) -> None:
    recognizer = inkscan.load()
    state, about = page.locator("#state"), page.locator("#about")
    with serving(recognizer, Limits(), app=folder) as (_, number):
        page.goto(f"http://127.0.0.1:{number}/")
        write(page, *inks.POLYNOMIAL)
        latex(page, "x^{2}+1")
        expect(state).to_have_attribute("data-place", "server")
        assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
        until(page, KEPT, lambda urls: len(urls) == LARGE_FILES)  # loaded without a word
        expect(state).to_have_attribute("data-state", "online")
    expect(state).to_have_attribute("data-place", "device")
    expect(state).to_have_attribute("data-state", "online")
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#state-text")).to_have_text("on device")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator("#state-text").evaluate("(text) => text.scrollWidth <= text.clientWidth")
    page.set_viewport_size(DESK)
    expect(about).to_contain_text("The server is away")
    write(page, *EQUALS, ZERO)
    latex(page, "x^{2}+1=0")
    page.fill("#latex", "x^{2}+1=0 \\cdot y")
    expect(page.locator("#formula mi").last).to_have_text("y")
    page.press("#latex", "Escape")
    expect(page.locator("#toast")).to_be_hidden()
    with serving(recognizer, Limits(), number, app=folder):
        expect(state).to_have_attribute("data-place", "server")
        expect(about).to_contain_text("goes to this server")
        page.click("#undo")
        page.click("#undo")
        page.click("#undo")
        latex(page, "x^{2}+1")
        expect(state).to_have_attribute("data-place", "server")
        page.goto("about:blank")


def test_a_field_on_another_site_reads_by_itself(page: Any, folder: Path, tmp_path: Path) -> None:
    with (
        serving(FakeRecognizer(), Limits(), app=folder, cors_origins=("*",)) as (_, number),
        hosted(tmp_path) as site,
    ):
        source = f"http://localhost:{number}/static/ink-math.js"
        (tmp_path / "index.html").write_text(
            f'<script type="module" src="{source}"></script><ink-math></ink-math>'
        )
        (tmp_path / "favicon.ico").touch()
        page.goto(site.url)
        for points in inks.POLYNOMIAL:
            draw(page, [(x - 150, y - 60) for x, y in points], "ink-math canvas")
        value = "() => document.querySelector('ink-math').value"
        until(page, value, lambda latex: latex == "x^{2}+1")
        page.goto("about:blank")
