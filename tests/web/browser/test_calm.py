"""The page is calm: nothing moves under the pen, nothing is invented, and what is said agrees."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.web import fake, inks
from tests.web.browser import fake_sheet
from tests.web.browser.hands import (
    BROWSER,
    DESK,
    PHONE,
    OpenPage,
    color_at,
    draw,
    expect,
    latex,
    painted,
    write,
)
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

pytestmark = BROWSER


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


def test_the_first_answer_moves_nothing(open_page: OpenPage) -> None:
    for viewport in (PHONE, {"width": 620, "height": 844}, DESK):
        page = open_page(viewport=viewport)
        expect(page.locator("[data-example]").last).to_be_visible()
        before = page.locator("#canvas").bounding_box()
        write(page, 0, 1)
        latex(page, "x")
        assert page.locator("#canvas").bounding_box() == before


def test_the_state_is_not_cut_off_on_a_small_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 740})
    write(page, 0, 1)
    latex(page, "x")
    expect(page.locator("#state-text")).to_contain_text("ms")
    assert page.locator("#state-text").evaluate("(text) => text.scrollWidth <= text.clientWidth")
    page.locator("#formula mi").click()
    expect(page.locator("#symbol-choices")).to_be_in_viewport(ratio=1)


SIZES = (PHONE, {"width": 768, "height": 1024}, DESK)
BAR, ABOVE, BELOW = inks.FRACTION
BESIDE = inks.line(170, 80, 170, 130)


def test_the_sheet_never_moves_whatever_is_read(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    tall = "\\frac { \\frac { \\frac { 1 } { 2 } } { 3 } } { \\frac { 4 } { \\frac { 5 } { 6 } } }"
    monkeypatch.setitem(fake.ANSWERS, 1, (tall, (*[0] * 10, 1)))
    monkeypatch.setitem(fake.ANSWERS, 3, (" ".join(["x + y"] * 40), (*[0] * 119, 3)))
    for viewport in SIZES:
        with serving(FakeRecognizer(), Limits()) as (_, number):
            page = open_page(at=number, viewport=viewport, forgive="WebSocket connection")
            expect(page.locator("[data-example]").last).to_be_visible()
            places = [page.locator("#canvas").bounding_box()]
            for stroke in (0, 1, 2):
                write(page, stroke)
                expect(page.locator("#latex")).to_have_value(re.compile("."))
                expect(page.locator("#state")).to_have_attribute("data-state", "online")
                painted(page)
                places.append(page.locator("#canvas").bounding_box())
            page.locator("#formula [data-symbol]").first.click()
            places.append(page.locator("#canvas").bounding_box())
        expect(page.locator("#notice")).to_be_visible()
        places.append(page.locator("#canvas").bounding_box())
        page.keyboard.press("Escape")
        page.click("#clear")
        latex(page, "")
        places.append(page.locator("#canvas").bounding_box())
        assert places == [places[0]] * len(places), viewport
        page.goto("about:blank")


def test_a_tall_formula_is_made_to_fit(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tall = "\\frac { \\frac { 1 } { 2 } } { \\frac { 4 } { 5 } }"
    monkeypatch.setitem(fake.ANSWERS, 1, (tall, (*[0] * 6, 1)))
    write(page, 0)
    expect(page.locator("#formula mfrac")).to_have_count(3)
    box, math = (page.locator(s).bounding_box() for s in ("#formula", "#formula math"))
    assert math["y"] >= box["y"] and math["y"] + math["height"] <= box["y"] + box["height"]


def test_ink_does_not_shrink_while_one_writes(page: Any) -> None:
    write(page, 0)
    latex(page, "/")
    before = color_at(page, *inks.STROKES[0][1])
    frame = page.locator("#canvas").bounding_box()
    draw(page, inks.line(frame["width"] - 40, 100, frame["width"] + 200, 100, 8))  # over the edge
    latex(page, "x")
    assert before[3] > 0 and color_at(page, *inks.STROKES[0][1]) == before


def test_an_unfinished_fraction_invents_nothing(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = "\\frac { 1 } { 2 }"
    monkeypatch.setitem(fake.ANSWERS, 3, (answer, (1, 1, 1)))
    for points in (BAR, ABOVE, BESIDE):
        draw(page, points)
    latex(page, "\\frac{1}{}")
    expect(page.locator("#formula mn")).to_have_text("1")
    gap = page.locator("#formula mfrac > mrow").bounding_box()
    assert gap["width"] > 10 and gap["height"] > 10
    readings = page.locator(".reading")
    expect(readings).to_have_count(1)  # the others differed in what was invented
    expect(page.locator("#replay-tokens")).to_have_text("\\frac{1}{}")
    page.locator("#formula mn").click()  # its strokes are all that stands above
    expect(page.locator("#symbol-about")).to_contain_text("written by 2 strokes")


def test_ink_beside_a_bar_is_no_part_of_its_fraction(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fake.ANSWERS, 3, ("\\frac { 1 } { 2 }", (1, 1, 1)))
    for points in (BAR, ABOVE, inks.line(60, 160, 60, 220)):  # the last one is left of the bar, and lower
        draw(page, points)
    latex(page, "\\frac{1}{}")


def test_a_fraction_is_whole_when_its_denominator_is_written(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fake.ANSWERS, 3, ("\\frac { 1 } { 2 }", (1, 1, 1)))
    for points in (BAR, ABOVE, BELOW):
        draw(page, points)
    latex(page, "\\frac{1}{2}")
    page.locator("#formula mn").last.click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "\\frac{1}{z}")


def test_a_symbol_of_an_unfinished_fraction_can_be_changed(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fake.ANSWERS, 3, ("\\frac { 2 } { x }", (1, 1, 1)))
    for points in (BAR, ABOVE, BESIDE):
        draw(page, points)
    latex(page, "\\frac{2}{}")
    page.locator("#formula mn").click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "\\frac{z}{}")


def test_unread_strokes_are_marked(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fake_sheet.beside, "unread", [1])
    write(page, 0, 1)
    latex(page, "x")
    expect(page.locator("#confidence-text")).to_have_text("70% sure, 1 stroke not read")
    expect(page.locator("#live")).to_have_text("x, 1 stroke not read")
    painted(page)
    reds = """() => { const c = document.querySelector('canvas');
        const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) found += data[i + 3] > 0 && data[i] > data[i + 2] + 60;
        return found; }"""
    assert page.evaluate(reds) > 20
    monkeypatch.delitem(fake_sheet.beside, "unread")
    page.click("#undo")
    latex(page, "/")
    page.click("#redo")
    latex(page, "x")
    expect(page.locator("#confidence-text")).to_have_text("70% sure")
    painted(page)
    assert page.evaluate(reds) == 0


def test_shares_agree_with_the_confidence_beside_them(page: Any) -> None:
    script = "async ([sure, others]) => (await import('/static/answers.js')).sharesBeside(sure, others)"
    for sure, others in (
        (0.92, [0.17, None, 0.02]),
        (0.3, [0.6]),
        (0.5, [0.1, 0.05]),
        (1.0, [0.4]),
        (0.4, []),
    ):
        shares = page.evaluate(script, [sure, others])
        known = [share for share in shares if share is not None]
        assert sure + sum(known) <= 1 + 1e-9 and all(share <= sure for share in known)
        assert [share is None for share in shares] == [share is None for share in others]
    assert page.evaluate(script, [0.5, [0.1, 0.05]]) == [0.1, 0.05]  # with room they keep their own
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.locator("#formula mi").click()
    expect(page.locator("#symbol-about")).to_contain_text("98% sure")
    expect(page.locator('#symbol-choices [data-token="X"] small')).to_have_text("2%")  # 10% in the search
