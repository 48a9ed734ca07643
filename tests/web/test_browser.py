"""The page in a real Chromium: ink is drawn by pointer events and read by the fake recogniser."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import REPOSITORY
from tests.ink import test_inkml
from tests.web import fake, inks
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan import Ink
from inkscan.ink.json import ink_from_json
from inkscan.latex.tree import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.segmentation import is_written
from inkscan.synthesis.generate import Generator
from inkscan.web.settings import Limits

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium at /usr/bin/chromium"),
]
expect = playwright.expect
TIMEOUT_MS = 30_000  # a loaded machine is slow, not wrong
expect.set_options(timeout=TIMEOUT_MS)
OpenPage = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        yield number


class Console:
    """What pages complain of; `forgive` names what a test provokes."""

    def __init__(self) -> None:
        self._complaints: list[str] = []
        self.forgive = "\0"

    def listen(self, page: Any) -> None:
        page.on("console", lambda m: self._complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self._complaints.append(str(error)))

    def check(self) -> None:
        found, self._complaints = self._complaints, []
        assert [text for text in found if self.forgive not in text] == []


@pytest.fixture
def open_page(browser: Any, port: int) -> Iterator[OpenPage]:
    """Open a page of its own; errors on its console fail the test at the end."""
    console = Console()
    contexts = []

    def open_it(path: str = "/", at: int | None = None, forgive: str = "\0", **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **settings})
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


def draw(page: Any, points: inks.Points, selector: str = "canvas") -> None:
    frame = page.locator(selector).bounding_box()
    (x, y), *others = points
    page.mouse.move(frame["x"] + x, frame["y"] + y)
    page.mouse.down()
    for x, y in others:
        page.mouse.move(frame["x"] + x, frame["y"] + y)
    page.mouse.up()


def touch(page: Any, points: inks.Points) -> None:
    """Draw with a finger; the points are those of the window."""
    finger = page.context.new_cdp_session(page)
    for kind, (x, y) in zip(["touchStart"] + ["touchMove"] * (len(points) - 1), points, strict=True):
        spot = {"x": x, "y": y, "force": 0.7}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [spot]})
    page.wait_for_timeout(150)  # the finger rests before it lifts: no fling
    finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [spot]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def write(page: Any, *numbers: int) -> None:
    """Draw some strokes of `x = 2 ^ 5`."""
    for number in numbers:
        draw(page, inks.STROKES[number])


def latex(page: Any, text: str) -> None:
    expect(page.locator("#latex")).to_have_text(text)


def color_at(page: Any, x: float, y: float) -> list[int]:
    script = """([x, y]) => { const c = document.querySelector('canvas'); const r = devicePixelRatio;
        return [...c.getContext('2d').getImageData(x * r, y * r, 1, 1).data]; }"""
    found: list[int] = page.evaluate(script, [x, y])
    return found


def test_writing_is_read_and_typeset_while_it_goes_on(page: Any) -> None:
    write(page, 0, 1)
    latex(page, "x")
    write(page, 2, 3, 4)
    latex(page, "x=2")
    expect(page.locator("#formula math mi")).to_have_text("x")
    expect(page.locator("#formula math mn")).to_have_text("2")
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
    expect(page.locator("#state-text")).to_have_text(re.compile(r"^\d+ ms$"))
    expect(page.locator("#confidence-text")).to_have_text("70% sure")
    expect(page.locator("#live")).to_have_text("x=2")


def test_low_confidence_is_marked_on_the_ink_and_in_the_formula(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    expect(page.locator("#formula .doubtful")).to_have_text("2")
    halo = color_at(page, inks.STROKES[4][-1][0] - 20, 155)
    assert halo[3] > 0 and halo[0] > 200 and halo[2] < 200  # amber beside the line of the two
    assert color_at(page, 125, 125)[3] == 0 or color_at(page, 100, 86)[3] == 0  # none beside the x


def test_undo_redo_and_clear_by_buttons_and_keys(page: Any) -> None:
    write(page, 0, 1, 2)
    latex(page, "x-")
    page.click("#undo")
    latex(page, "x")
    page.click("#redo")
    latex(page, "x-")
    page.keyboard.press("Control+z")
    latex(page, "x")
    page.keyboard.press("Control+Shift+z")
    latex(page, "x-")
    page.click("#clear")
    latex(page, "")
    expect(page.locator("#formula math")).to_have_count(0)
    expect(page.locator("#empty")).to_be_visible()
    page.keyboard.press("Control+z")
    latex(page, "x-")
    page.keyboard.press("Control+Backspace")
    latex(page, "")


def test_the_eraser_takes_the_strokes_it_touches(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.keyboard.press("e")
    expect(page.locator("#eraser")).to_have_attribute("aria-pressed", "true")
    draw(page, inks.line(300, 145, 300, 155))
    latex(page, "x=")
    page.click("#pen")
    write(page, 4)
    latex(page, "x=2")


def test_a_scribble_scratches_out_what_it_covers(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    draw(page, inks.SCRIBBLE)
    latex(page, "x=")
    page.click("#undo")
    latex(page, "x=2")


def test_readings_can_be_chosen(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    expect(page.locator(".reading")).to_have_count(3)
    page.locator(".reading").nth(1).click()
    latex(page, "x=z")
    expect(page.locator("#confidence-text")).to_have_text("your reading")
    page.keyboard.press("1")
    latex(page, "x=2")
    page.keyboard.press("3")
    latex(page, "X=2")


def test_a_long_formula_is_made_to_fit(page: Any, tmp_path: Path) -> None:
    (tmp_path / "long.json").write_text(
        json.dumps({"strokes": [[[9 * i, 0], [9 * i, 50]] for i in range(60)]})
    )
    page.set_input_files("#file", tmp_path / "long.json")
    latex(page, "1" * 60)
    right = "(element) => element.getBoundingClientRect().right"
    assert page.locator("#formula math").evaluate(right) <= page.locator("#formula").evaluate(right)
    smallest = page.locator("#readings math").evaluate("(math) => math.style.fontSize")
    assert smallest == "0.55em"  # the rest of a reading fades out


def test_readings_of_hardly_any_probability_have_no_bar(page: Any) -> None:
    script = """async (shares) => {
        const { Readings } = await import('/static/readings.js');
        const list = document.createElement('ol');
        const mathml = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>';
        new Readings(list, document.createElement('p'), () => {}).show(
            { alternatives: shares.map((probability) => ({ latex: 'x', mathml, probability })) }, 'x');
        return [...list.querySelectorAll('.reading')].map((row) => row.style.getPropertyValue('--share'));
    }"""
    assert page.evaluate(script, [0.7, 0.02, 0.01, 0.001]) == ["0.700", "0.020", "0", "0"]


def test_the_index_of_a_root_stands_clear_of_its_sign_without_a_font_for_mathematics(page: Any) -> None:
    script = """async (font) => {
        const { setFont } = await import('/static/formula.js');
        const box = document.createElement('div');
        box.style.fontSize = '40px';
        box.innerHTML = '<math><mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>x</mi></msqrt></math>';
        document.body.append(box);
        setFont(box.firstElementChild, font);
        const left = (selector) => box.querySelector(selector).getBoundingClientRect().left;
        const sign = left('msqrt mi') - left('msqrt');
        const room = left('mroot mi') - sign - left('mroot mn');
        box.remove();
        return room;
    }"""
    assert page.evaluate(script, None) > 6  # of the ten pixels that the index is wide
    assert page.evaluate(script, "serif") < 3


def test_a_tapped_symbol_lights_up_its_strokes_and_takes_another_reading(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    before = color_at(page, *inks.STROKES[0][1])
    page.locator("#formula mi").click()
    expect(page.locator("#symbol-about")).to_contain_text("written by 2 strokes")
    page.wait_for_timeout(60)
    assert color_at(page, *inks.STROKES[0][1]) != before
    page.locator("#formula mn").click()
    expect(page.locator("#symbol-about")).to_contain_text("40% sure, written by 1 stroke")
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z")
    expect(page.locator("#formula mi").last).to_have_text("z")
    write(page, 5)  # the correction stays while one writes on
    latex(page, "x=z^{5}")


def test_the_replay_shows_the_attention_step_by_step(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.click("#replay-next")
    expect(page.locator("#replay-tokens .now")).to_have_text("=")
    page.wait_for_timeout(60)
    looked_at, other = color_at(page, *inks.STROKES[2][1]), color_at(page, *inks.STROKES[0][1])
    assert looked_at[0] > looked_at[2] + 60 and looked_at != other
    page.click("#replay-next")
    expect(page.locator("#replay-tokens .now")).to_have_text("2")
    expect(page.locator("#formula .chosen")).to_have_text("2")
    page.keyboard.press("Escape")
    expect(page.locator("#replay-tokens .now")).to_have_count(0)


def test_copies_latex_mathml_and_inkml(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    clipboard = "() => navigator.clipboard.readText()"
    page.click('[data-copy="latex"]')
    expect(page.locator("#toast")).to_have_text("LaTeX copied")
    assert page.evaluate(clipboard) == "x=2"
    page.click('[data-copy="mathml"]')
    expect(page.locator("#toast")).to_have_text("MathML copied")
    assert page.evaluate(clipboard).startswith("<math")
    page.click('[data-copy="inkml"]')
    expect(page.locator("#toast")).to_have_text("InkML copied")
    assert len(Ink.read(page.evaluate(clipboard).encode())) == 5


def test_copies_without_a_secure_context(page: Any) -> None:
    write(page, 0, 1)
    latex(page, "x")
    page.evaluate(
        """() => { window.kept = navigator.clipboard;
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }); }"""
    )
    page.click('[data-copy="latex"]')
    expect(page.locator("#toast")).to_have_text("LaTeX copied")
    assert page.evaluate("() => { delete navigator.clipboard; return window.kept.readText(); }") == "x"


def test_opens_and_saves_ink_files(page: Any, tmp_path: Path) -> None:
    page.set_input_files("#file", REPOSITORY / "examples" / "ink" / "pythagoras.inkml")
    latex(page, "1" * 10)
    with page.expect_download() as saved:
        page.keyboard.press("Control+s")
    assert saved.value.suggested_filename == "formula.inkml"
    ink, original = (
        Ink.read(saved.value.path()),
        Ink.read(REPOSITORY / "examples" / "ink" / "pythagoras.inkml"),
    )
    assert [len(s) for s in ink.strokes] == [len(s) for s in original.strokes]
    plain = tmp_path / "plain.json"
    plain.write_text(str({"strokes": inks.plain(5)}).replace("'", '"'))
    page.set_input_files("#file", plain)
    latex(page, "x=2")
    plain.write_text("{")
    page.set_input_files("#file", plain)
    expect(page.locator("#toast")).to_contain_text("broken")
    latex(page, "x=2")


READABLE = {
    "orientation": '<ink><traceFormat><channel name="X"/><channel name="Y" orientation="-ve"/></traceFormat>'
    "<trace>1 2, 3 4</trace></ink>",
    "contexts": test_inkml.GENERAL.decode(),
    "units": '<ink><traceFormat><channel name="Y"/><channel name="T" units="s"/><channel name="X"/></traceFormat>'
    "<trace>1 0.5 2, 3 1 4</trace></ink>",
    "the last format": '<ink><traceFormat><channel name="Y"/><channel name="X"/></traceFormat><trace>1 2</trace>'
    '<traceFormat xml:id="f"><channel name="X"/><channel name="Y"/></traceFormat><trace>1 2</trace></ink>',
    "pieces without time": '<ink><definitions><context xml:id="c"><traceFormat><channel name="X"/><channel name="Y"/>'
    '<channel name="T"/></traceFormat></context><traceFormat><channel name="X"/><channel name="Y"/></traceFormat>'
    '</definitions><trace id="a" contextRef="#c">1 2 3</trace>'
    '<trace continuation="end" priorRef="#a">4 5</trace></ink>',
    "pairs": '{"strokes": [[[1, 2], [3, 4]]]}',
    "triples": '{"strokes": [[[1, 2, 0], [3, 4, 8]]]}',
    "quadruples": "[[[1, 2, 0, 0.5], [3, 4, 8, 0.6]]]",
    "columns": '{"strokes": {"x": [[1, 3]], "y": [[2, 4]], "t": [[0, 8]], "p": [[0.5, 0.6]]}}',
}


@pytest.mark.parametrize("name", READABLE)
def test_the_page_reads_ink_as_python_does(page: Any, name: str) -> None:
    script = "async (text) => (await import('/static/inkfile.js')).readInk(text)"
    found = {"strokes": [{**s, "id": ""} for s in page.evaluate(script, READABLE[name])]}
    assert ink_from_json(found) == Ink.read(READABLE[name].encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<ink><trace>1 2, '3 '4</trace></ink>", "as differences"),
        ('{"strokes": [[[1, 2, 3], [4, 5]]]}', "time or pressure"),
        ('{"strokes": [[[1, "b"]]]}', "not a number"),
    ],
)
def test_the_page_says_what_it_cannot_read(page: Any, text: str, words: str) -> None:
    script = """async (text) => {
        try { (await import('/static/inkfile.js')).readInk(text); } catch (error) { return error.message; }
    }"""
    assert words in page.evaluate(script, text)


def test_examples_can_be_tried(page: Any) -> None:
    page.click('[data-example="polynomial"]')
    latex(page, "1" * 16)
    expect(page.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 16 strokes")
    expect(page.locator("#canvas")).to_be_focused()
    page.keyboard.press("Control+Backspace")
    expect(page.locator("#live")).to_have_text("Nothing is written")


def test_a_press_on_an_example_that_moves_is_ink(page: Any) -> None:
    expect(page.locator("[data-example]").last).to_be_visible()
    canvas, card = (page.locator(s).bounding_box() for s in ("#canvas", '[data-example="polynomial"]'))
    x, y = card["x"] - canvas["x"] + 30, card["y"] - canvas["y"] + 30
    for points in (
        inks.line(x, y, x + 10, y, 5),  # all of it on the card
        inks.line(x, y, x + 300, y + 120, 12),
        inks.line(x, y, x - 80, y - 60, 1),  # off the card at the first move
    ):
        draw(page, points)
        latex(page, "/")
        expect(page.locator("#empty")).to_be_hidden()
        page.click('[data-copy="inkml"]')
        expect(page.locator("#toast")).to_have_text("InkML copied")
        ink = Ink.read(page.evaluate("() => navigator.clipboard.readText()").encode())
        assert len(ink) == 1
        assert np.abs(ink.strokes[0].xy[[0, -1]] - np.array([points[0], points[-1]])).max() < 2
        page.click("#clear")
        latex(page, "")
    draw(page, [(x, y), (x + 3, y + 2)])  # a hand that shakes a little still taps
    latex(page, "1" * 16)
    page.click("#clear")
    page.locator('[data-example="polynomial"]').press("Enter")
    latex(page, "1" * 16)


def test_a_finger_on_an_example_writes_or_taps(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    card = page.locator('[data-example="polynomial"]')
    frame = card.bounding_box()
    for length in (10, 150):  # Chromium would take the short one for a tap
        points = inks.line(frame["x"] + 20, frame["y"] + 20, frame["x"] + 20 + length, frame["y"] + 30, 5)
        touch(page, points)
        expect(page.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 1 stroke")
        latex(page, "/")
        page.wait_for_timeout(400)
        expect(page.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 1 stroke")
        page.click("#clear")
        latex(page, "")
    page.wait_for_timeout(800)
    card.tap()
    latex(page, "1" * 16)


def test_the_first_answer_moves_nothing(open_page: OpenPage) -> None:
    for viewport in (PHONE, {"width": 620, "height": 844}, DESK):
        page = open_page(viewport=viewport)
        expect(page.locator("[data-example]").last).to_be_visible()
        before = page.locator("#canvas").bounding_box()
        write(page, 0, 1)
        latex(page, "x")
        assert page.locator("#canvas").bounding_box() == before


def test_ink_written_offline_is_read_when_the_server_is_back(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        page = open_page(at=number, forgive="WebSocket connection")  # Chromium reports each vain attempt
        write(page, 0, 1)
        latex(page, "x")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    write(page, 2, 3, 4)
    expect(page.locator("#state-text")).to_contain_text("Your ink is kept")
    expect(page.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 5 strokes")
    with serving(FakeRecognizer(), Limits(), number):
        latex(page, "x=2")
        expect(page.locator("#state")).to_have_attribute("data-state", "online")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")


def test_a_server_that_accepts_and_refuses_is_asked_less_and_less_often(page: Any) -> None:
    script = """async () => {
        const { LiveClient } = await import('/static/client.js');
        const kept = { WebSocket, setTimeout: window.setTimeout };
        const [sockets, pauses] = [[], []];
        window.WebSocket = class extends EventTarget {
            constructor() { super(); sockets.push(this); }
            send() {}
            close() {}
        };
        window.setTimeout = (again, pause) => { pauses.push(pause); again(); };
        const tell = (event) => sockets.at(-1).dispatchEvent(event);
        const refuse = () => { tell(new Event('open')); tell(new Event('close')); };
        const client = new LiveClient();
        refuse();
        refuse();
        refuse();
        tell(new Event('open'));
        tell(new MessageEvent('message', { data: '{"type": "answer", "id": 4}' }));
        tell(new Event('close'));
        client.state = 'offline';
        window.dispatchEvent(new Event('online'));
        const before = sockets.length;
        let called = 0;
        client.reconnect = () => { called += 1; };
        window.dispatchEvent(new Event('online'));
        client.close();
        window.dispatchEvent(new Event('online'));
        Object.assign(window, kept);
        return { pauses, before, called };
    }"""
    assert page.evaluate(script) == {"pauses": [500, 1000, 2000, 500], "before": 6, "called": 1}


def test_the_page_asks_for_the_key_until_it_is_right(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits(), api_key="secret") as (_, number):
        page = open_page(at=number)
        expect(page.locator("#key-dialog")).to_be_visible()
        expect(page.locator("#key-refused")).to_be_hidden()
        page.fill("#key-input", "guess")
        page.keyboard.press("Enter")
        expect(page.locator("#key-refused")).to_be_visible()
        page.fill("#key-input", "secret")
        page.keyboard.press("Enter")
        expect(page.locator("#key-dialog")).to_be_hidden()
        write(page, 0, 1)
        latex(page, "x")
        page.goto("about:blank")


def test_the_state_is_not_cut_off_on_a_small_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 740})
    write(page, 0, 1)
    latex(page, "x")
    expect(page.locator("#state-text")).to_contain_text("ms")
    assert page.locator("#state-text").evaluate("(text) => text.scrollWidth <= text.clientWidth")
    page.locator("#formula mi").click()
    expect(page.locator("#symbol-choices")).to_be_in_viewport(ratio=1)


def test_only_the_symbol_under_the_mouse_is_coloured(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fake.ANSWERS, 3, ("\\frac { 1 } { 3 }", (1, 1, 1)))
    write(page, 0, 1, 2)
    latex(page, "\\frac{1}{3}")
    color = "(element) => getComputedStyle(element).color"
    one, three = page.locator("#formula mn").all()
    plain = three.evaluate(color)
    one.hover()
    assert one.evaluate(color) != plain and three.evaluate(color) == plain
    page.locator("#replay-next").click()  # past the fraction's bar, whose strokes alone are its symbol
    page.locator("#replay-back").click()
    expect(page.locator("#formula mfrac")).to_have_class(re.compile("chosen"))
    assert page.locator("#formula mfrac").evaluate(color) != plain and three.evaluate(color) == plain


def test_touch_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    frame = page.locator("#canvas").bounding_box()
    for points in inks.STROKES[:2]:
        touch(page, [(frame["x"] + x, frame["y"] + y) for x, y in points])
    latex(page, "x")
    about = page.locator("#symbol-about")
    for _ in range(4):  # Chromium may take a tap soon after a stroke for the end of a fling: tap again
        page.wait_for_timeout(800)
        page.locator("#formula mi").tap()
        page.wait_for_timeout(1500)
        if about.inner_text():
            break
    expect(about).to_contain_text("written by 2 strokes")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_keyboard_reaches_every_symbol(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.locator("#formula [data-symbol]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#formula .chosen")).to_have_text("x")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#formula .chosen")).to_have_text("2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    latex(page, "x=z")
    expect(page.locator("#formula .chosen")).to_have_text("z")
    page.keyboard.press("Escape")
    expect(page.locator("#formula .chosen")).to_be_focused()
    page.keyboard.press("Delete")
    latex(page, "x=")
    for button in page.locator("button:visible").all():
        assert button.get_attribute("aria-label") or button.inner_text().strip()


def test_the_page_follows_the_system_and_can_be_turned(page: Any) -> None:
    html = page.locator("html")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(html).to_have_attribute("data-theme", scheme)
    page.click("#theme")
    expect(html).to_have_attribute("data-theme", "dark")
    page.click("#theme")
    expect(html).to_have_attribute("data-theme", "light")


def test_every_written_symbol_finds_its_element(page: Any) -> None:
    samples = Generator(max_symbols=20).samples(150, seed=11)
    cases = []
    for sample in samples:
        written = [t for t, w in zip(sample.tokens, is_written(sample.tokens), strict=True) if w]
        cases.append({"mathml": to_mathml(parse_tokens(sample.tokens)), "symbols": written})
    script = """async (cases) => {
        const { showFormula } = await import('/static/formula.js');
        return cases.map(({ mathml, symbols }) => {
            const box = document.createElement('div');
            const { marked } = showFormula(box, mathml, symbols);
            const plain = [...box.querySelectorAll('[data-symbol]')].filter((e) => !e.firstElementChild);
            return marked && plain.every((e) => {
                const token = symbols[Number(e.dataset.symbol)];
                return !/^[a-zA-Z0-9]$/.test(token) || e.textContent === token;
            });
        });
    }"""
    results = page.evaluate(script, cases)
    assert [case for case, right in zip(cases, results, strict=True) if not right] == []


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[int]:
    """Another web server, which offers what lies in tmp_path."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(tmp_path)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield site.server_port
    site.shutdown()
    site.server_close()


class QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


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


def test_the_client_has_the_verbs_of_the_handwriting_api(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fake.ANSWERS, 4, ("\\sin x", (3, 1)))
    script = """async (strokes) => {
        const { createHandwritingRecognizer, HandwritingStroke } = await import('/static/client.js');
        const recognizer = await createHandwritingRecognizer({ server: '/' });
        const drawing = recognizer.startDrawing({ alternatives: 2 });
        drawing.addStroke(new HandwritingStroke());
        const drawn = strokes.map((points) => {
            const stroke = new HandwritingStroke();
            for (const [x, y] of points) stroke.addPoint({ x, y });
            drawing.addStroke(stroke);
            return stroke;
        });
        const all = await drawing.getPrediction();
        drawing.removeStroke(drawn.at(-1));
        const fewer = await drawing.getPrediction();
        drawing.clear();
        return { all, fewer, none: await drawing.getPrediction() };
    }"""
    result = page.evaluate(script, inks.plain(5))
    assert [p["text"] for p in result["all"]] == ["x=2", "x=z"]
    segments = [s["drawingSegments"] for s in result["all"][0]["segmentationResult"]]
    assert [[part["strokeIndex"] for part in parts] for parts in segments] == [[1, 2], [3, 4], [5]]
    fewer = result["fewer"][0]
    assert fewer["text"] == "\\sin x" and result["none"] == []
    places = [(s["grapheme"], s["beginIndex"], s["endIndex"]) for s in fewer["segmentationResult"]]
    assert all(fewer["text"][begin:end] == token for token, begin, end in places) and len(places) == 2


def test_the_api_page_tries_requests(open_page: OpenPage) -> None:
    page = open_page("/docs", forgive="status of 400")
    for name, answer in (
        ("v1-recognize", '"latex": "x"'),
        ("api-v4-0-iink-batch", "200\nx"),
        ("v1-model", '"fake"'),
    ):
        call = page.locator(f"#{name}")
        call.get_by_role("button", name="Try it").click()
        expect(call.locator(".reply")).to_contain_text(answer)
    call = page.locator("#v1-recognize")
    call.locator("textarea").fill('{"strokes": []}')
    call.get_by_role("button", name="Send again").click()
    expect(call.locator(".reply")).to_contain_text("ink.no_strokes")


def test_the_api_page_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page("/docs", viewport=PHONE)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
