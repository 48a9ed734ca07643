"""Writing on the page: ink is drawn by pointer events and read by the fake recogniser."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from tests.web import inks
from tests.web.browser import fake_sheet
from tests.web.browser.hands import (
    BROWSER,
    PHONE,
    OpenPage,
    begin_sheet,
    color_at,
    copied,
    draw,
    expect,
    latex,
    on_page,
    strokes_are,
    tap,
    touch,
    write,
)

from inkscan import Ink

pytestmark = BROWSER


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


def test_touch_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    frame = page.locator("#canvas").bounding_box()
    for points in inks.STROKES[:2]:
        touch(page, [(frame["x"] + x, frame["y"] + y) for x, y in points])
    latex(page, "x")
    about = page.locator("#symbol-about")
    tap(
        page.locator("#formula mi"),
        lambda ms: expect(about).to_contain_text("written by 2 strokes", timeout=ms),
    )
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


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
        ink = Ink.read(copied(page, "inkml").encode())
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
        page.wait_for_timeout(400)  # in which a tap could have come after it
        expect(page.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 1 stroke")
        page.click("#clear")
        latex(page, "")
    tap(card, lambda ms: expect(page.locator("#latex")).to_have_value("1" * 16, timeout=ms))


def test_the_page_follows_the_system_and_can_be_turned(page: Any) -> None:
    html = page.locator("html")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(html).to_have_attribute("data-theme", scheme)
    page.click("#theme")
    expect(html).to_have_attribute("data-theme", "dark")
    page.click("#theme")
    expect(html).to_have_attribute("data-theme", "light")


def test_a_pen_takes_over_from_the_palm_that_came_first(open_page: OpenPage) -> None:
    page = open_page(has_touch=True, permissions=["clipboard-read", "clipboard-write"])
    frame = page.locator("#canvas").bounding_box()
    hand = page.context.new_cdp_session(page)
    palm = {"x": frame["x"] + 400, "y": frame["y"] + 300}
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [palm]})
    for points in inks.STROKES[:2]:
        for kind, (x, y) in zip(
            ["mousePressed", *["mouseMoved"] * (len(points) - 2), "mouseReleased"], points, strict=True
        ):
            spot = {"x": frame["x"] + x, "y": frame["y"] + y, "button": "left", "clickCount": 1}
            buttons = int(kind != "mouseReleased")
            hand.send(
                "Input.dispatchMouseEvent", {"type": kind, "pointerType": "pen", "buttons": buttons, **spot}
            )
    hand.send(
        "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{**palm, "x": palm["x"] + 9}]}
    )
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    latex(page, "x")
    ink = Ink.read(copied(page, "inkml").encode())
    assert [len(ink), ink.strokes[0].xy[0].tolist()] == [2, list(inks.STROKES[0][0])]


def test_an_example_that_is_being_written_can_be_stopped(open_page: OpenPage) -> None:
    # A slow machine may come to the thirteenth stroke, which the fake recogniser refuses.
    page = open_page(reduced_motion="no-preference", forgive="status of 500")
    canvas = page.locator("#canvas")
    for stop in (lambda: page.click("#clear"), lambda: begin_sheet(page)):
        page.click('[data-example="quadratic"]')
        expect(canvas).to_have_attribute("aria-label", re.compile("[2-9] strokes"))
        stop()
        expect(canvas).to_have_attribute("aria-label", "Writing area, empty")
        page.wait_for_timeout(500)  # in which several strokes would come
        expect(canvas).to_have_attribute("aria-label", "Writing area, empty")


def held_once(page: Any) -> list[Any]:
    """The next request for answers, which waits until the test answers it; those after it are answered at once."""
    held: list[Any] = []
    page.route("**/v1/sheet", lambda route: fake_sheet.answer(route) if held else held.append(route))
    return held


def test_an_undo_while_ink_is_read_keeps_the_answer_before_it(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1)
    latex(page, "x")
    held = held_once(page)
    write(page, 2)
    on_page(page, lambda: held)
    page.keyboard.press("Control+z")
    strokes_are(page, 2)
    with page.expect_response("**/v1/sheet"):
        fake_sheet.answer(held[0])
    page.wait_for_timeout(200)
    latex(page, "x")
    expect(page.locator("#state")).not_to_have_attribute("data-state", "reading")


def test_ink_that_was_first_read_together_with_an_undone_stroke_is_read_again(open_page: OpenPage) -> None:
    page = open_page()
    held = held_once(page)
    write(page, 0, 1, 2)
    on_page(page, lambda: held)
    page.keyboard.press("Control+z")
    strokes_are(page, 2)
    fake_sheet.answer(held[0])
    latex(page, "x")
    expect(page.locator("#state")).not_to_have_attribute("data-state", "reading")
