"""A sheet of several lines: each has its answer beside it, and only what changed is read again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web import inks
from tests.web.browser import fake_sheet
from tests.web.browser.hands import BROWSER, PHONE, OpenPage, copied, draw, expect, latex, on_page, write

from inkscan.latex.tokens import canonical_tokens, latex_from_tokens

pytestmark = BROWSER

DOWN = 400  # pixels between the lines of these tests: further than a neighbour


def write_at(page: Any, down: float, *numbers: int) -> None:
    for number in numbers:
        draw(page, [(x, y + down) for x, y in inks.STROKES[number]])


@pytest.fixture
def tall(open_page: OpenPage) -> Any:
    fake_sheet.asked.clear()
    return open_page(
        viewport={"width": 1200, "height": 1300}, permissions=["clipboard-read", "clipboard-write"]
    )


def tags_are(page: Any, *texts: str) -> None:
    labels = [re.compile(f": {re.escape(text)}$") for text in texts]
    expect(page.locator(".tag")).to_have_count(len(texts))
    for tag, label in zip(page.locator(".tag").all(), labels, strict=True):
        expect(tag).to_have_attribute("aria-label", label)


def test_each_line_has_its_answer_beside_it(tall: Any) -> None:
    write_at(tall, 0, 0, 1, 2, 3, 4)
    latex(tall, "x=2")
    tags_are(tall)  # one line has the card
    write_at(tall, DOWN, 0, 1)
    latex(tall, "x")  # the line at hand
    tags_are(tall, "x=2", "x")
    canvas, tag = (tall.locator(s).first.bounding_box() for s in ("#canvas", ".tag"))
    assert tag["x"] > canvas["x"] + 325 and abs(tag["y"] + tag["height"] / 2 - canvas["y"] - 115) < 30
    expect(tall.locator(".tag").last).to_have_attribute("aria-pressed", "true")
    tall.mouse.click(tag["x"] + 10, tag["y"] + 10)
    latex(tall, "x=2")
    expect(tall.locator("#canvas")).to_have_attribute("aria-label", "Writing area, 7 strokes")  # no dot
    tall.locator(".tag").last.press("Enter")
    latex(tall, "x")
    tall.locator(".tag").first.press("Enter")
    latex(tall, "x=2")
    tall.locator("#formula mn").click()
    tall.click('#symbol-choices [data-token="z"]')
    latex(tall, "x=z")
    tags_are(tall, "x=z", "x")
    assert copied(tall, "lines") == "x=z\nx"
    assert copied(tall, "aligned") == "\\begin{aligned}\nx &=z \\\\\n&x\n\\end{aligned}"
    tall.reload()
    tags_are(tall, "x=z", "x")


ALIGNED = """async (latex) => (await import('/static/latex.js')).aligned(latex.map((latex) => ({ latex })))"""


def test_lines_are_aligned_at_a_relation_in_no_group(page: Any) -> None:
    formulas = {
        "\\sqrt[n=2]{x}=1": "\\sqrt[n=2]{x} &=1",
        "a\\mathop{=}\\limits^{?}b": "a &\\mathop{=}\\limits^{?}b",
        "\\stackrel{?}{=} b": "&\\stackrel{?}{=} b",  # as the user typed it
        "\\sin \\leq 1": "\\sin &\\leq 1",
    }
    assert page.evaluate(ALIGNED, list(formulas)).splitlines()[1:-1] == [
        row + " \\\\" * (i < len(formulas)) for i, row in enumerate(formulas.values(), start=1)
    ]


PLACES = """async ([latex, tokens]) => {
  const { placesOf } = await import('/static/latex.js');
  const { opened } = await import('/static/unfinished.js');
  return [placesOf(tokens, latex), opened({ latex, tokens }, [{ fraction: 0, side: 1 }]).latex];
}"""


def test_symbols_that_became_operators_are_found_and_left_out(page: Any) -> None:
    tokens = list(canonical_tokens(r"\frac{\overset{a}{m}}{\overset{p}{m}}"))
    formula = latex_from_tokens(tokens)
    places, without_below = page.evaluate(PLACES, [formula, tokens])
    assert all(formula.startswith(token, at) for at, token in zip(places, tokens, strict=True))
    assert formula[places[2] - 8 : places[2] + 2] == r"\mathop{m}"
    assert without_below == r"\frac{\mathop{m}\limits^{a}}{}"


PLACE = """async ([ink, others]) => {
  const { placeOf } = await import('/static/tags.js');
  const box = ([left, top, right, bottom]) => ({ left, top, right, bottom });
  const sheet = { width: 400, height: 600 };
  const { left, top } = placeOf(box(ink), { offsetWidth: 100, offsetHeight: 30 }, sheet, [ink, ...others].map(box));
  return [left, top];
}"""


@pytest.mark.parametrize(
    ("ink", "others", "place"),
    [
        ([20, 100, 200, 140], [], [218, 105]),  # beside it
        ([20, 100, 380, 140], [], [20, 66]),  # else above
        ([20, 100, 380, 140], [[20, 10, 380, 90]], [20, 144]),  # else below
        ([150, 100, 390, 140], [[150, 10, 390, 90], [150, 150, 390, 190]], [32, 105]),  # else left of it
        ([20, 520, 380, 560], [[20, 430, 380, 510], [20, 565, 250, 600]], [296, 564]),  # else at the edge
        ([0, 0, 400, 600], [], [296, 285]),  # never off the sheet
    ],
)
def test_an_answer_covers_no_ink_where_it_can_help_it(
    tall: Any, ink: list[int], others: list[list[int]], place: list[int]
) -> None:
    assert tall.evaluate(PLACE, [ink, others]) == place


def test_only_changed_lines_are_read_again(tall: Any) -> None:
    write_at(tall, 0, 0, 1, 2, 3, 4)
    latex(tall, "x=2")
    write_at(tall, DOWN, 0, 1)
    latex(tall, "x")
    tags_are(tall, "x=2", "x")
    fake_sheet.asked.clear()
    write_at(tall, DOWN, 2)
    latex(tall, "x-")
    assert max(request["strokes"] for request in fake_sheet.asked) == 3  # without the first line's five
    tall.click("#undo")
    latex(tall, "x")
    write_at(tall, 0, 5)
    latex(tall, "x=2^{5}")
    tags_are(tall, "x=2^{5}", "x")
    fake_sheet.asked.clear()
    tall.keyboard.press("e")
    write_at(tall, DOWN, 0)  # the eraser takes both strokes of the second line
    tags_are(tall)
    latex(tall, "x=2^{5}")
    tall.wait_for_timeout(300)  # in which nothing may be asked
    assert fake_sheet.asked == []


def test_a_stroke_over_an_answer_is_ink(tall: Any) -> None:
    write_at(tall, 0, 0, 1)
    latex(tall, "x")
    write_at(tall, DOWN, 0, 1, 2)
    tags_are(tall, "x", "x-")
    tag, canvas = (tall.locator(s).first.bounding_box() for s in (".tag", "#canvas"))
    x, y = tag["x"] - canvas["x"] + 8, tag["y"] - canvas["y"] + 12
    draw(tall, inks.line(x, y, x + 60, y, 5))
    tags_are(tall, "x-", "x-")


def test_answers_stay_on_a_phone_s_sheet(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    for down in (0, 240):
        for number in (0, 1, 2, 3, 4):
            draw(page, [(0.9 * x, 0.9 * y + down) for x, y in inks.STROKES[number]])
    tags_are(page, "x=2", "x=2")
    canvas = page.locator("#canvas").bounding_box()
    for tag in page.locator(".tag").all():
        box = tag.bounding_box()
        assert box["x"] >= canvas["x"] and box["x"] + box["width"] <= canvas["x"] + canvas["width"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_server_without_sheets_reads_one_formula(open_page: OpenPage) -> None:
    page = open_page("/docs", forgive="status of 404")
    gone = {"error": {"code": "request.not_found", "message": "no such path"}}
    page.route("**/v1/sheet", lambda route: route.fulfill(status=404, json=gone))
    page.goto(page.url.replace("/docs", "/"))
    write(page, 0, 1)
    latex(page, "x")
    draw(page, [(x, y + 300) for x, y in inks.STROKES[2]])
    latex(page, "x-")


def test_ink_that_could_not_be_read_at_first_is_not_read_over_newer_ink(open_page: OpenPage) -> None:
    """A failed request comes again after a second, with what was written meanwhile."""
    fake_sheet.asked.clear()
    page = open_page(forgive="Failed to load resource")
    page.route("**/v1/sheet", lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        write(page, 0)
    write(page, 1)
    latex(page, "x")
    page.wait_for_timeout(2000)  # in which the older ink could have come again
    latex(page, "x")
    assert [request["strokes"] for request in fake_sheet.asked] == [2]


def test_an_edit_stays_with_its_line_when_another_one_is_read_meanwhile(tall: Any) -> None:
    write_at(tall, 0, 0, 1, 2, 3, 4)
    latex(tall, "x=2")
    write_at(tall, DOWN, 0, 1)
    tags_are(tall, "x=2", "x")
    held = hold_answers(tall)
    write_at(tall, DOWN, 2)
    on_page(tall, lambda: held)
    tall.locator(".tag").first.press("Enter")
    append(tall, "+")
    fake_sheet.answer(held.pop())
    tags_are(tall, "x=2+", "x-")
    tall.keyboard.type("1")
    tags_are(tall, "x=2+1", "x-")
    expect(tall.locator("#formula mn")).to_have_text(["2", "1"])
    tall.keyboard.type("2")
    tall.locator(".tag").last.press("Enter")  # before the pause after which an edit is typeset
    latex(tall, "x-")
    tags_are(tall, "x=2+12", "x-")


def test_an_edited_line_that_is_read_anew_shows_its_answer_when_nobody_types(tall: Any) -> None:
    write_at(tall, 0, 0, 1, 2, 3, 4)
    latex(tall, "x=2")
    held = hold_answers(tall)
    write_at(tall, 0, 5)
    on_page(tall, lambda: held)
    append(tall, "+1")
    expect(tall.locator("#formula mn")).to_have_text(["2", "1"])
    fake_sheet.answer(held.pop())
    expect(tall.locator("#formula msup")).to_have_text("25")
    latex(tall, "x=2+1")  # nothing goes from under the hands
    tall.locator("#latex").blur()
    latex(tall, "x=2^{5}")


def hold_answers(page: Any) -> list[Any]:
    """The requests to read from now on, which wait for `fake_sheet.answer`."""
    held: list[Any] = []
    page.route("**/v1/sheet", lambda route: held.append(route))
    return held


def append(page: Any, text: str) -> None:
    """Type at the end of the LaTeX."""
    page.locator("#latex").focus()
    page.keyboard.press("End")
    page.keyboard.type(text)
