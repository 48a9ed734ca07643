"""<ink-math> in pages of other people."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.browser.hands import BROWSER, OpenPage, draw, expect, on_page, touch, until
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

pytestmark = BROWSER
FIELD = """async (html) => {
    await import('/static/ink-math.js');
    document.body.innerHTML = html;
    globalThis.field = document.querySelector('ink-math');
}"""


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


def write(page: Any, *numbers: int) -> None:
    """Draw some strokes of `x = 2 ^ 5` in the field."""
    for number in numbers:
        draw(page, inks.STROKES[number], "ink-math canvas")


def strokes_of(page: Any) -> list[list[list[float]]]:
    """The points of the field's strokes."""
    traces = page.evaluate("() => [...field.ink.matchAll(/<trace [^>]*>([^<]*)/g)].map((found) => found[1])")
    return [[[float(v) for v in point.split()[:2]] for point in trace.split(",")] for trace in traces]


def test_ink_set_while_the_field_is_hidden_is_upright_and_fits_when_it_is_shown(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate(FIELD, "<div hidden><ink-math></ink-math></div>")
    page.evaluate("(ink) => { field.ink = ink; }", inks.inkml(2))
    until(page, "() => field.value === 'x'")
    assert strokes_of(page) == inks.plain(2)
    page.evaluate("() => { document.querySelector('div').hidden = false; }")
    frame = page.locator("ink-math canvas").bounding_box()
    on_page(page, lambda: strokes_of(page) != inks.plain(2))
    first, second = strokes_of(page)
    assert first[0][0] < first[-1][0] and first[0][1] < first[-1][1]  # down to the right, as it was
    ys = [y for _, y in first + second]
    assert min(ys) == 16 and abs(max(ys) - (frame["height"] - 16)) < 1
    page.evaluate("() => field.undo()")
    assert strokes_of(page) == []  # the fit was no step of its own


def test_a_field_is_valid_only_with_an_answer_for_its_ink(open_page: OpenPage) -> None:
    recognizer = FakeRecognizer()
    with serving(recognizer, Limits(strokes=3)) as (_, port):
        page = open_page(at=port)
        page.evaluate(FIELD, "<form><ink-math name='f'></ink-math></form>")
        state = (
            "() => [field.value, field.pending, document.forms[0].checkValidity(), field.validationMessage]"
        )
        assert page.evaluate(state) == ["", False, True, ""]
        write(page, 0, 1)
        until(page, state, lambda found: found == ["x", False, True, ""])
        recognizer.hold.clear()
        write(page, 2)
        assert page.evaluate(state) == ["x", True, False, "The ink is still being read."]
        recognizer.hold.set()
        until(page, state, lambda found: found == ["x-", False, True, ""])
        write(page, 3)
        until(page, state, lambda found: "at most 3" in found[3])
        assert page.evaluate(state)[:3] == ["x-", True, False]
        page.evaluate("() => field.undo()")
        assert page.evaluate(state) == ["x-", False, True, ""]
        page.goto("about:blank")


def test_a_field_taken_out_under_the_finger_takes_ink_again(open_page: OpenPage) -> None:
    page = open_page(has_touch=True)
    page.evaluate(FIELD, "<ink-math></ink-math>")
    frame = page.locator("ink-math canvas").bounding_box()
    finger = page.context.new_cdp_session(page)
    spot = {"x": frame["x"] + 50, "y": frame["y"] + 50}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    until(page, "() => { field.remove(); return true; }")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.evaluate("() => document.body.append(field)")
    touch(page, [(frame["x"] + x, frame["y"] + y) for x, y in inks.STROKES[0]])
    until(page, "() => field.value === '/'")


def test_ink_can_be_set_early_emptied_and_refused(open_page: OpenPage) -> None:
    page = open_page()
    refused = page.evaluate(
        """async (ink) => {
        await import('/static/ink-math.js');
        globalThis.field = document.createElement('ink-math');
        field.ink = '';
        field.ink = field.ink;
        let refused = '';
        try { field.ink = 'rubbish'; } catch (error) { refused = error.message; }
        document.body.replaceChildren(field);
        field.ink = ink;
        return refused;
    }""",
        inks.inkml(2),
    )
    assert "none of the formats of ink" in refused
    until(page, "() => field.value === 'x'")
    assert page.evaluate("() => { field.ink = ''; return [field.ink, field.value]; }") == ["", ""]


def test_a_disabled_field_takes_no_ink(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate(FIELD, "<form><fieldset disabled><ink-math name='f'></ink-math></fieldset></form>")
    write(page, 0)
    assert strokes_of(page) == []
    page.evaluate("() => { document.querySelector('fieldset').disabled = false; }")
    write(page, 0)
    until(page, "() => field.value === '/'")
    page.evaluate("() => { document.querySelector('fieldset').disabled = true; }")
    write(page, 1)
    page.evaluate(
        """() => field.shadowRoot.querySelector('canvas').dispatchEvent(
        new PointerEvent('pointerdown', { pointerId: 9, pointerType: 'pen', button: 0 }))"""
    )
    assert len(strokes_of(page)) == 1


def test_key_and_server_of_a_field_can_change(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits(), api_key="secret") as (_, port):
        page = open_page("/docs", at=port, forgive="WebSocket connection")
        page.evaluate(FIELD, '<ink-math api-key="guess"></ink-math>')
        page.evaluate("(ink) => { field.ink = ink; }", inks.inkml(2))
        expect(page.locator("ink-math .notice")).to_contain_text("key")
        page.evaluate("() => field.setAttribute('api-key', 'secret')")
        until(page, "() => field.value === 'x'")
        expect(page.locator("ink-math .notice")).to_be_hidden()
        page.evaluate("() => field.setAttribute('server', 'http://127.0.0.1:9')")
        expect(page.locator("ink-math .notice")).to_contain_text("No connection to http://127.0.0.1:9")
        write(page, 2)
        page.evaluate("() => field.removeAttribute('server')")
        until(page, "() => field.value === 'x-'")
        page.goto("about:blank")


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<label>Your answer <ink-math></ink-math></label>", "Your answer, writing area"),
        ("<ink-math aria-label='The root'></ink-math>", "The root, writing area"),
        ("<ink-math></ink-math>", "Writing area"),
    ],
)
def test_what_is_written_on_is_called_as_the_field_is(open_page: OpenPage, html: str, name: str) -> None:
    page = open_page()
    page.evaluate(FIELD, html)
    expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()
