"""Servers that go, come back, refuse and want a key; the client for programs; the page about the API."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web import fake, inks
from tests.web.browser.hands import BROWSER, PHONE, OpenPage, expect, latex, write
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

pytestmark = BROWSER


def test_ink_written_offline_is_read_when_the_server_is_back(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        page = open_page(at=number, forgive="WebSocket connection")  # Chromium reports each vain attempt
        write(page, 0, 1)
        latex(page, "x")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    write(page, 2, 3, 4)
    expect(page.locator("#notice")).to_contain_text("Your ink is kept")
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


def test_an_answer_stays_stale_when_newer_ink_is_refused(open_page: OpenPage) -> None:
    page = open_page(forgive="status of 400")
    write(page, 0, 1)
    latex(page, "x")
    expect(page.locator("#formula")).not_to_have_class(re.compile("stale"))
    refusal = {"error": {"code": "request.invalid", "message": "not today"}}
    page.route("**/v1/sheet", lambda route: route.fulfill(status=400, json=refusal))
    write(page, 2)
    expect(page.locator("#toast")).to_have_text("not today")
    expect(page.locator("#formula")).to_have_class(re.compile("stale"))
    expect(page.locator("#state-text")).to_have_text("not read")
    page.unroute("**/v1/sheet")
    page.click("#undo")
    page.click("#redo")
    latex(page, "x-")
    expect(page.locator("#formula")).not_to_have_class(re.compile("stale"))


def test_strokes_need_neither_times_nor_pressure_and_may_grow(page: Any) -> None:
    script = """async () => {
        const { LiveClient, HandwritingStroke } = await import('/static/client.js');
        const { WebSocket } = window;
        const sent = [];
        let socket;
        window.WebSocket = class extends EventTarget {
            constructor() { super(); socket = this; }
            send(text) { sent.push(JSON.parse(text)); }
            close() {}
        };
        const client = new LiveClient({ key: 'secret' });
        const stroke = { x: [1], y: [2] };
        client.addEventListener('state', () => client.update([stroke]));
        client.update([stroke]);
        socket.dispatchEvent(new Event('open'));
        stroke.x.push(3);
        stroke.y.push(4);
        client.update([stroke]);
        let refused = '';
        try { client.update([new HandwritingStroke()]); } catch (error) { refused = error.message; }
        client.close();
        Object.assign(window, { WebSocket });
        return { sent, refused };
    }"""
    found = page.evaluate(script)
    first, again, grown = found["sent"]
    assert first == {"id": 1, "key": "secret", "options": {}, "set": [{"x": [1], "y": [2]}]}
    assert again == {"id": 2}  # nothing is new
    assert grown == {"id": 3, "remove": [0], "add": [{"x": [1, 3], "y": [2, 4]}]}
    assert found["refused"].startswith("A stroke is {x: [...], y: [...]}")


def test_the_client_asks_for_no_more_readings_than_a_server_gives(page: Any) -> None:
    script = """async (alternatives) => {
        const { createHandwritingRecognizer, HandwritingStroke } = await import('/static/client.js');
        const drawing = (await createHandwritingRecognizer({ server: '/' })).startDrawing({ alternatives });
        for (const x of [10, 50]) {
            const stroke = new HandwritingStroke();
            stroke.addPoint({ x, y: 30 });
            drawing.addStroke(stroke);
        }
        return (await drawing.getPrediction()).map(({ text }) => text);
    }"""
    assert page.evaluate(script, 0) == ["x"]
    assert page.evaluate(script, 25) == ["x", "X"]
