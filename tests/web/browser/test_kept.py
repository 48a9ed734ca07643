"""Nothing is lost: ink, corrections and older sheets are kept on the device until somebody deletes them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web import inks
from tests.web.browser.hands import (
    BROWSER,
    OpenPage,
    begin_sheet,
    color_at,
    expect,
    latex,
    painted,
    playwright,
    strokes_are,
    until,
    write,
)
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.web.server_settings import Limits

pytestmark = BROWSER
KEPT_STROKES = """() => new Promise((done) => {
    indexedDB.open('inkscan').onsuccess = ({ target: { result } }) => {
        result.transaction('sheets').objectStore('sheets').getAll().onsuccess = ({ target }) => {
            result.close();
            done(target.result.flatMap(({ strokes }) => strokes).length);
        };
    };
})"""


def test_ink_survives_a_reload_and_is_read_again(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    before = color_at(page, *inks.STROKES[0][1])
    page.reload()
    latex(page, "x=2")
    strokes_are(page, 5)
    painted(page)
    assert color_at(page, *inks.STROKES[0][1]) == before and before[3] > 0
    write(page, 5)  # what is new is told apart from what was kept
    latex(page, "x=2^{5}")
    page.click("#undo")
    latex(page, "x=2")
    expect(page.locator("#undo")).to_be_disabled()  # a kept sheet has no past
    page.click("#clear")
    until(page, KEPT_STROKES, lambda count: count == 0)  # a reload at once might come before it is stored
    page.reload()
    strokes_are(page, 0)


def test_ink_survives_a_crash(open_page: OpenPage) -> None:
    page = open_page(forgive="crash")
    write(page, 0, 1)
    latex(page, "x")
    page.route("**/v1/sheet", lambda route: None)
    write(page, 2)  # and never read
    until(page, KEPT_STROKES, lambda count: count == 3)
    again = page.context.new_page()
    url = page.url
    with pytest.raises(playwright.Error, match="crash"):
        page.goto("chrome://crash")
    again.goto(url)
    latex(again, "x-")
    strokes_are(again, 3)


def test_corrections_survive_a_reload(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.locator("#formula mn").click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z")
    page.reload()
    latex(page, "x=z")


def test_a_choice_made_offline_holds_when_the_server_is_back(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        page = open_page(at=number, forgive="ERR_CONNECTION_REFUSED")
        write(page, 0, 1, 2, 3, 4)
        latex(page, "x=2")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    page.locator("#formula mn").click()
    page.click('#symbol-choices [data-token="z"]')
    expect(page.locator("#toast")).to_contain_text("Your choice is kept")
    with serving(FakeRecognizer(), Limits(), number):
        latex(page, "x=z")
        page.goto("about:blank")


def test_older_sheets_can_be_taken_up_and_deleted(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    begin_sheet(page)
    latex(page, "")
    write(page, 0, 1)
    latex(page, "x")
    page.click("#sheets")
    rows = page.locator("#sheet-list .kept")
    expect(rows).to_have_count(2)
    expect(rows.locator("code")).to_have_text(["x", "x=2"])  # the newest first
    expect(rows.first).to_have_attribute("aria-current", "true")
    rows.last.click()
    latex(page, "x=2")
    expect(page.locator("#undo")).to_be_disabled()
    page.reload()  # this tab stays with its sheet
    latex(page, "x=2")
    page.click("#sheets")
    page.locator("#sheet-list li", has_text="x=2").get_by_label("Delete this sheet").click()
    expect(rows).to_have_count(1)
    strokes_are(page, 0)
    page.click("#sheets-forget")
    expect(rows).to_have_count(1)  # not before it is asked again
    page.click("#sheets-forget")
    expect(rows).to_have_count(0)
    expect(page.locator("#sheets-none")).to_be_visible()
    page.reload()
    strokes_are(page, 0)


def two_tabs(open_page: OpenPage) -> tuple[Any, Any]:
    """A tab with an x, and a new one beside it."""
    page = open_page()
    write(page, 0, 1)
    latex(page, "x")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("[data-example]").last).to_be_visible()
    return page, other


def test_two_tabs_do_not_write_over_each_other(open_page: OpenPage) -> None:
    page, other = two_tabs(open_page)
    strokes_are(other, 0)
    other.click("#sheets")
    other.locator("#sheet-list .kept").click()
    expect(other.locator("#sheet-list")).to_contain_text("open in another tab")
    other.locator("#sheet-list [title='Delete this sheet']").click()
    expect(other.locator("#sheet-list")).to_contain_text("open in another tab")
    expect(other.locator("#sheet-list .kept")).to_have_count(1)
    held = "async () => (await navigator.locks.query()).held.length"
    before = other.evaluate(held)
    page.close()
    until(other, held, lambda count: count < before)  # the closed tab has let its sheet go
    other.locator("#sheet-list .kept").click()
    latex(other, "x")


def test_without_a_database_the_page_still_reads(open_page: OpenPage) -> None:
    page = open_page("/docs")
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined });")
    page.goto(page.url.replace("/docs", "/"))
    write(page, 0, 1)
    latex(page, "x")
    page.click("#sheets")
    expect(page.locator("#sheet-list .kept")).to_have_count(1)


def test_each_of_two_new_tabs_stays_with_its_sheet(open_page: OpenPage) -> None:
    page, other = two_tabs(open_page)
    write(other, 0)
    latex(other, "/")
    page.reload()
    latex(page, "x")
    other.reload()
    latex(other, "/")


def test_a_tab_whose_sheet_is_empty_stays_with_it(open_page: OpenPage) -> None:
    page, other = two_tabs(open_page)
    begin_sheet(page)  # nobody has the first sheet open now
    for tab in (page, other):
        tab.reload()
        resumed(tab)
        strokes_are(tab, 0)
    write(page, 0)
    latex(page, "/")
    page.click("#clear")
    until(page, KEPT_STROKES, lambda count: count == 2)  # those of the first
    page.reload()
    resumed(page)
    strokes_are(page, 0)
    new = page.context.new_page()
    new.goto(page.url)
    latex(new, "x")  # a new tab takes up what was written last


def resumed(page: Any) -> None:
    """Wait until the page has taken up a sheet, if there is one to take up: its script ends with that."""
    page.evaluate("async () => { await import('/static/app.js'); }")
    painted(page)
