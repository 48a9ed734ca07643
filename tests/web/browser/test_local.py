"""Where the ink is read: by the server, or by a model in the browser (here a fake one that reads every line as y)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.browser.hands import BROWSER, OpenPage, draw, expect, latex, until, write
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

import inkscan
import inkscan.web
from inkscan.web.server_settings import Limits

pytestmark = BROWSER

STATIC = Path(inkscan.web.__file__).parent / "static"
LOCAL = """
const math = (inside) => `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">${inside}</math>`;
const answer = (strokes) => ({ latex: 'y', tokens: ['y'], confidence: 0.9, unread: [],
  mathml: math('<mi>y</mi>'),
  alternatives: [{ latex: 'y', tokens: ['y'], probability: 0.9, mathml: math('<mi>y</mi>') }],
  symbols: [{ token: 'y', index: 0, strokes: strokes.map((_, i) => i), confidence: 0.9, candidates: [] }] });
export async function openLocal(onProgress) {
  onProgress({ loaded: 5500000, total: 11000000 });
  await new Promise((resolve) => { globalThis.loadModel = resolve; });
  return {
    name: 'pocket', licence: 'none', symbols: ['y'],
    recognize: async (strokes) => answer(strokes),
    sheet: async (strokes) => ({ lines: [{ ...answer(strokes), strokes: strokes.map((_, i) => i) }] }),
    typeset: async ({ latex, tokens }) => ({ latex: latex ?? tokens.join(''), tokens: tokens ?? [latex],
      mathml: math(`<mtext>${latex ?? tokens.join('')}</mtext>`) }),
  };
}
"""


def load_model(page: Any) -> None:
    """Let the model come, which the page has asked for."""
    until(page, "() => globalThis.loadModel !== undefined")
    page.evaluate("() => loadModel()")


@pytest.fixture
def static_site(tmp_path: Path, other_site: int) -> int:
    """The page as a plain web server offers it, with a model."""
    shutil.copytree(STATIC, tmp_path / "static")
    (tmp_path / "static" / "local.js").write_text(LOCAL)
    index = (STATIC / "index.html").read_text()
    (tmp_path / "index.html").write_text(
        index.replace('<html lang="en">', '<html lang="en" data-reader="device">')
    )
    return other_site


def test_without_a_server_the_model_in_the_browser_reads(open_page: OpenPage, static_site: int) -> None:
    page = open_page("/index.html", at=static_site)
    expect(page.locator("#notice")).to_contain_text("5.5 of 11.0 MB")
    load_model(page)
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
    expect(page.locator("#notice")).to_be_hidden()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    write(page, 0, 1)
    latex(page, "y")
    expect(page.locator("#state-model")).to_contain_text("pocket on this device")
    expect(page.locator("#about")).to_contain_text("stays on this device")
    page.fill("#latex", "y+1")
    expect(page.locator("#formula mtext")).to_have_text("y+1")
    assert asked == []  # nothing leaves the page
    page.reload()
    load_model(page)
    latex(page, "y+1")


def test_ink_written_while_the_model_loads_is_read_then(open_page: OpenPage, static_site: int) -> None:
    page = open_page("/index.html", at=static_site)
    write(page, 0, 1)
    load_model(page)
    latex(page, "y")


def test_the_model_takes_over_while_the_server_is_away(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        page = open_page("/docs", at=number, forgive="ERR_CONNECTION_REFUSED")
        page.route(
            "**/static/local.js", lambda route: route.fulfill(content_type="text/javascript", body=LOCAL)
        )
        page.goto(page.url.replace("/docs", "/"))
        write(page, 0, 1)
        latex(page, "x")
        expect(page.locator("#state")).to_have_attribute("data-place", "server")
    load_model(page)
    expect(page.locator("#state")).to_have_attribute("data-place", "device")
    latex(page, "y")
    write(page, 2)
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
    with serving(FakeRecognizer(), Limits(), number):
        latex(page, "x-")
        expect(page.locator("#state")).to_have_attribute("data-place", "server")
        page.goto("about:blank")


def test_the_field_reads_by_itself_without_a_server_s_name(
    open_page: OpenPage, static_site: int, tmp_path: Path
) -> None:
    (tmp_path / "favicon.ico").touch()
    (tmp_path / "field.html").write_text(
        '<script type="module" src="static/ink-math.js"></script><ink-math></ink-math>'
    )
    page = open_page("/field.html", at=static_site)
    expect(page.locator("ink-math .notice")).to_contain_text("Loading the model")
    for points in inks.STROKES[:2]:
        draw(page, points, "ink-math canvas")
    load_model(page)
    expect(page.locator("ink-math math mi")).to_have_text("y")
    expect(page.locator("ink-math .notice")).to_be_hidden()


def test_a_model_that_cannot_be_loaded_is_said(open_page: OpenPage, static_site: int, tmp_path: Path) -> None:
    broken = "export async function openLocal() { throw new Error('the file is cut short'); }"
    (tmp_path / "static" / "local.js").write_text(broken)
    page = open_page("/index.html", at=static_site)
    expect(page.locator("#toast")).to_contain_text("could not be loaded: the file is cut short")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    write(page, 0)
    expect(page.locator("#notice")).to_contain_text("Your ink is kept")


def test_progress_is_told_to_those_who_wait_only(page: Any) -> None:
    files = {
        "local.js": (REPOSITORY / "js" / "app" / "local.js").read_text("utf-8"),
        "inkscan/download.js": "export const CACHE = 'none';",
        "inkscan/index.js": """let attempts = 0;
            export async function loadInWorker(_, { onProgress }) {
                attempts += 1;
                onProgress({ loaded: attempts, total: 2 });
                if (attempts === 1) throw new Error('cut short');
                return 'recognizer';
            }""",
        "app.json": '{"model": "", "second": "", "bytes": 2, "ort": "", "wasm": {"url": ""}, "kept": []}',
    }
    page.route(
        "**/built/**",
        lambda route: route.fulfill(
            content_type="text/javascript", body=files[route.request.url.split("/built/")[1]]
        ),
    )
    script = """async () => {
        const { openLocal } = await import('/built/local.js');
        const [first, second] = [[], []];
        const refused = await openLocal(({ loaded }) => first.push(loaded)).catch(({ message }) => message);
        const opened = await openLocal(({ loaded }) => second.push(loaded));
        return { refused, opened, first, second };
    }"""
    found = page.evaluate(script)
    assert [found["refused"], found["opened"]] == ["cut short", "recognizer"]
    assert found["first"] == [1] and found["second"] == [1, 2]
