"""Hands for a page in a real Chromium: they draw by pointer events, and look at what is shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, Protocol

import pytest
from tests.waiting import eventually
from tests.web import inks

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = Path("/usr/bin/chromium")
DESK = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 844}
BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium at /usr/bin/chromium"),
]
expect = playwright.expect
TIMEOUT_MS = 30_000  # a loaded machine is slow, not wrong
expect.set_options(timeout=TIMEOUT_MS)


class OpenPage(Protocol):
    """Opens a page of its own."""

    def __call__(
        self, path: str = "/", at: int | None = None, forgive: str = "\0", **settings: Any
    ) -> Any: ...


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
        complaints = [text for text in found if self.forgive not in text]
        assert complaints == [], complaints


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


def strokes_are(page: Any, count: int) -> None:
    words = "empty" if not count else f"{count} stroke" + "s" * (count > 1)
    expect(page.locator("#canvas")).to_have_attribute("aria-label", f"Writing area, {words}")


def begin_sheet(page: Any) -> None:
    """An empty sheet; while the dialog is still there, a stroke would be drawn on that."""
    page.click("#sheets")
    page.click("#sheets-begin")
    expect(page.locator("#sheets-dialog")).to_be_hidden()
    strokes_are(page, 0)


def latex(page: Any, text: str) -> None:
    expect(page.locator("#latex")).to_have_value(text)


def copied(page: Any, form: str) -> str:
    """What the page copies in this form."""
    page.evaluate("() => navigator.clipboard.writeText('')")
    page.select_option("#copy-as", form)
    page.click("#copy")
    text: str = until(page, "() => navigator.clipboard.readText()")
    return text


def until(page: Any, script: str, done: Callable[[Any], bool] = bool) -> Any:
    """The script's value as soon as that will do. (Playwright's own wait takes a promise for true.)"""

    def found() -> list[Any]:
        value = page.evaluate(script)
        return [value] if done(value) else []

    return on_page(page, found)[0]


def on_page(page: Any, condition: Callable[[], Any]) -> Any:
    """Wait for a condition while the page, and what answers it here, go on."""
    return eventually(condition, TIMEOUT_MS / 1000, lambda: page.wait_for_timeout(20))


def painted(page: Any) -> None:
    """Wait until what was to be drawn is drawn."""
    page.evaluate(
        "() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); })"
    )


def tap(target: Any, shown: Callable[[int], None]) -> None:
    """Tap until that shows, which gets milliseconds: Chromium may take a tap soon after a stroke for a fling's end."""
    for _ in range(10):
        if target.is_visible():
            target.tap()
        with suppress(AssertionError):
            return shown(3_000)
    shown(TIMEOUT_MS)


def color_at(page: Any, x: float, y: float) -> list[int]:
    script = """([x, y]) => { const c = document.querySelector('canvas'); const r = devicePixelRatio;
        return [...c.getContext('2d').getImageData(x * r, y * r, 1, 1).data]; }"""
    found: list[int] = page.evaluate(script, [x, y])
    return found


class QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass
