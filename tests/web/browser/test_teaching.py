"""What it can read is shown and can be limited; what was put right is kept as a sample to train on."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.browser import fake_sheet
from tests.web.browser.hands import (
    BROWSER,
    OpenPage,
    begin_sheet,
    draw,
    expect,
    latex,
    on_page,
    painted,
    write,
)
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.data.corpus import Corpus
from inkscan.data.prepare_folder import prepare_folder
from inkscan.latex.vocabulary import CROHME
from inkscan.web.server_settings import Limits

pytestmark = BROWSER


def test_the_alphabet_is_shown_and_can_be_limited(open_page: OpenPage) -> None:
    def allowed() -> Any:
        return fake_sheet.asked[-1].get("allow")

    page = open_page()
    write(page, 0, 1)
    latex(page, "x")
    assert allowed() is None
    written = [token for token in CROHME.symbols if token not in ("{", "}", "^", "_", "\\limits")]
    expect(page.locator("#alphabet")).to_have_text(f"Reads {len(written)} symbols")
    page.click("#alphabet")
    table = page.locator("#alphabet-table")
    expect(table.locator("button")).to_have_count(len(written))
    expect(table.locator("h3")).to_have_text(["Digits", "Letters", "Greek", "Functions", "Signs"])
    expect(table.locator('[data-token="\\\\alpha"]')).to_have_text("α")
    page.select_option("#alphabet-preset", "arithmetic")
    expect(table.locator('[data-token="x"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#alphabet")).to_have_text(re.compile(r"^Reads only 2\d of "))
    on_page(page, allowed)
    assert "7" in allowed() and "x" not in allowed()
    table.locator('[data-token="x"]').click()
    expect(page.locator("#alphabet-preset")).to_have_value("own")
    expect(table.locator('[data-token="x"]')).to_be_focused()
    page.get_by_role("button", name="Close").click()
    page.reload()
    latex(page, "x")
    on_page(page, allowed)  # once the page knows which symbols there are
    assert "x" in allowed() and "y" not in allowed()
    page.click("#alphabet")
    page.select_option("#alphabet-preset", "all")
    on_page(page, lambda: allowed() is None)


def test_a_kept_limit_holds_for_ink_that_is_read_before_the_model_is_known(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1)
    latex(page, "x")
    page.click("#alphabet")
    page.select_option("#alphabet-preset", "arithmetic")
    on_page(page, lambda: fake_sheet.asked[-1].get("allow"))
    fake_sheet.asked.clear()
    held: list[Any] = []
    page.route("**/v1/model", lambda route: held.append(route))
    page.reload()
    on_page(page, lambda: fake_sheet.asked and held)
    assert "allow" not in fake_sheet.asked[-1]  # for which symbols there are is not known yet
    held[0].continue_()
    on_page(page, lambda: "7" in (fake_sheet.asked[-1].get("allow") or []))


def test_samples_become_a_corpus(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    expect(page.locator("#sample-keep")).to_be_disabled()
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.click("#sample-keep")
    expect(page.locator("#samples-about")).to_contain_text("1 sample of your hand")
    page.locator("#formula mn").click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z")
    page.click("#sample-keep")  # the same ink, put right
    begin_sheet(page)
    write(page, 0, 1)
    latex(page, "x")
    page.click("#sample-keep")
    expect(page.locator("#samples-about")).to_contain_text("2 samples of your hand")  # now it is stored
    page.reload()
    expect(page.locator("#samples-about")).to_contain_text("2 samples of your hand")
    with page.expect_download() as saved:
        page.click("#samples-give")
    assert saved.value.suggested_filename == "inkscan-samples.zip"
    with zipfile.ZipFile(saved.value.path()) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path)
    folder = tmp_path / "inkscan-samples"
    done = prepare_folder(folder / "ink", folder / "labels.tsv", tmp_path / "mine.parquet")
    assert not done.rejections and not done.unused_labels
    samples = list(Corpus.read(tmp_path / "mine.parquet"))
    assert sorted((" ".join(s.tokens), len(s.ink)) for s in samples) == [("x", 2), ("x = z", 5)]
    page.click("#samples-forget")
    expect(page.locator("#samples-give")).to_be_hidden()


def test_help_is_behind_a_question_mark(page: Any) -> None:
    page.click("#help")
    expect(page.locator("#help-dialog")).to_contain_text("Scribble over ink to remove it")
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()
    page.locator("#canvas").focus()
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")


def test_the_field_fits_its_page_whatever_the_system_likes(
    open_page: OpenPage, other_site: int, tmp_path: Path
) -> None:
    (tmp_path / "favicon.ico").touch()
    with serving(FakeRecognizer(), Limits(), cors_origins=(f"http://127.0.0.1:{other_site}",)) as (_, port):
        text = (REPOSITORY / "examples" / "embed.html").read_text()
        (tmp_path / "embed.html").write_text(text.replace("127.0.0.1:8731", f"127.0.0.1:{port}"))
        page = open_page("/embed.html", at=other_site, color_scheme="dark")
        expect(page.locator("ink-math canvas")).to_be_visible()
        background = "(field) => getComputedStyle(field).backgroundColor"
        assert page.locator("ink-math").evaluate(background) == "rgb(255, 254, 251)"
        draw(page, inks.STROKES[0], "ink-math canvas")
        painted(page)
        ink = page.locator("ink-math canvas").evaluate(
            "(c) => { const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);"
            " for (let i = 3; i < data.length; i += 4) if (data[i] === 255) return [...data.slice(i - 3, i)]; }"
        )
        assert ink == [28, 36, 64]
        page.evaluate("() => { document.documentElement.style.colorScheme = 'light dark'; }")
        assert page.locator("ink-math").evaluate(background) == "rgb(23, 26, 35)"
        page.goto("about:blank")
