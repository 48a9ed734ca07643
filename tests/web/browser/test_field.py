"""<ink-math> in pages of other people."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.browser.hands import BROWSER, OpenPage, draw, expect
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

pytestmark = BROWSER


def test_a_page_of_another_origin_embeds_the_field(
    open_page: OpenPage, other_site: int, tmp_path: Path
) -> None:
    origin = f"http://127.0.0.1:{other_site}"
    with serving(FakeRecognizer(), Limits(), cors_origins=(origin,)) as (_, port):
        text = (REPOSITORY / "examples" / "embed.html").read_text()
        (tmp_path / "embed.html").write_text(text.replace("127.0.0.1:8731", f"127.0.0.1:{port}"))
        (tmp_path / "favicon.ico").touch()
        page = open_page("/embed.html", at=other_site)
        for points in inks.STROKES[:2]:
            draw(page, points, "ink-math canvas")
        expect(page.locator("#latex")).to_have_text("x")
        expect(page.locator("ink-math math mi")).to_have_text("x")
        assert page.evaluate("() => new FormData(document.forms[0]).get('answer')") == "x"
        page.goto("about:blank")  # before its server goes


def test_the_field_has_keys_and_resets_with_its_form(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate(
        """async (ink) => {
        await import('/static/ink-math.js');
        document.body.innerHTML = '<form><label for="f">Formula</label></form>';
        const field = document.createElement('ink-math');
        Object.assign(field, { id: 'f', ink });
        document.forms[0].append(field);
    }""",
        inks.inkml(5),
    )
    value = "(text) => document.querySelector('ink-math').value === text"
    page.wait_for_function(value, arg="x=2")
    draw(page, inks.STROKES[5], "ink-math canvas")
    page.wait_for_function(value, arg="x=2^{5}")
    page.get_by_text("Formula", exact=True).click()  # its label takes one to the field
    page.keyboard.press("Control+z")
    page.wait_for_function(value, arg="x=2")
    page.keyboard.press("Control+y")
    page.wait_for_function(value, arg="x=2^{5}")
    page.evaluate("() => document.forms[0].reset()")
    assert page.evaluate("() => document.querySelector('ink-math').value") == ""


def test_a_field_that_cannot_be_loaded_says_so(open_page: OpenPage, other_site: int, tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "examples" / "embed.html", tmp_path)  # no server of its name allows this page
    (tmp_path / "favicon.ico").touch()
    page = open_page("/embed.html", at=other_site, forgive="")
    field = page.locator("ink-math")
    expect(field).to_be_visible()
    expect(field).to_contain_text("could not be loaded")
    expect(field).to_contain_text("inkscan serve --cors")
    page.goto((tmp_path / "embed.html").as_uri())
    expect(field).to_contain_text("could not be loaded")


def test_a_field_whose_server_goes_or_refuses_says_so(
    open_page: OpenPage, other_site: int, tmp_path: Path
) -> None:
    text = (REPOSITORY / "examples" / "embed.html").read_text()
    (tmp_path / "favicon.ico").touch()
    origin = f"http://127.0.0.1:{other_site}"
    notice = "ink-math .notice"
    with serving(FakeRecognizer(), Limits(strokes=2), cors_origins=(origin,)) as (_, port):
        (tmp_path / "embed.html").write_text(text.replace("127.0.0.1:8731", f"127.0.0.1:{port}"))
        page = open_page("/embed.html", at=other_site, forgive="WebSocket connection")
        expect(page.locator("ink-math .formula")).to_be_visible()
        expect(page.locator(notice)).to_be_hidden()
        expect(page.locator("ink-math > code").first).to_be_hidden()
        for points in inks.STROKES[:3]:
            draw(page, points, "ink-math canvas")
        expect(page.locator(notice)).to_contain_text("at most 2")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#latex")).to_have_text("x")
        expect(page.locator(notice)).to_be_hidden()
    expect(page.locator(notice)).to_contain_text(
        f"No connection to http://127.0.0.1:{port}. Your ink is kept"
    )
    with serving(FakeRecognizer(), Limits(), port, cors_origins=(origin,)):
        expect(page.locator(notice)).to_be_hidden()
        page.goto("about:blank")
