"""Ink files in and out, and the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import REPOSITORY
from tests.ink import test_inkml
from tests.web import inks
from tests.web.browser.hands import BROWSER, expect, latex

from inkscan import Ink
from inkscan.ink.formats import ink_suffixes
from inkscan.ink.json import ink_from_json

pytestmark = BROWSER


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
    scgink = tmp_path / "two.scgink"
    Ink.read(plain).only(range(2)).save(scgink)
    page.set_input_files("#file", scgink)
    latex(page, "x")
    page.set_input_files("#file", plain)
    latex(page, "x=2")
    assert set(ink_suffixes()) <= set(page.locator("#file").get_attribute("accept").split(","))
    plain.write_text("{")
    page.set_input_files("#file", plain)
    expect(page.locator("#toast")).to_contain_text("broken")
    latex(page, "x=2")


READABLE = {
    "orientation": '<ink><traceFormat><channel name="X"/><channel name="Y" orientation="-ve"/></traceFormat>'
    "<trace>1 2, 3 4</trace></ink>",
    "contexts": test_inkml.GENERAL.decode(),
    "contexts of groups": test_inkml.CONTEXTS,
    "units": '<ink><traceFormat><channel name="Y"/><channel name="T" units="s"/><channel name="X"/></traceFormat>'
    "<trace>1 0.5 2, 3 1 4</trace></ink>",
    "the last format": '<ink><traceFormat><channel name="Y"/><channel name="X"/></traceFormat><trace>1 2</trace>'
    '<traceFormat xml:id="f"><channel name="X"/><channel name="Y"/></traceFormat><trace>1 2</trace></ink>',
    "pieces without time": '<ink><definitions><context xml:id="c"><traceFormat><channel name="X"/><channel name="Y"/>'
    '<channel name="T"/></traceFormat></context><traceFormat><channel name="X"/><channel name="Y"/></traceFormat>'
    '</definitions><trace id="a" contextRef="#c">1 2 3</trace>'
    '<trace continuation="end" priorRef="#a">4 5</trace></ink>',
    "a format that comes later": '<ink><trace contextRef="#c">1 2</trace><context xml:id="c"><traceFormat>'
    '<channel name="Y"/><channel name="X"/></traceFormat></context></ink>',
    "a canvas": "<ink><context><canvasTransform><mapping type='affine'>1 0 5, 0 -1 0</mapping></canvasTransform>"
    "</context><trace>1 2, 3 4</trace></ink>",
    "differences": "<ink><trace>1 2, '3 '4, * \"5</trace></ink>",
    "pairs": '{"strokes": [[[1, 2], [3, 4]]]}',
    "triples": '{"strokes": [[[1, 2, 0], [3, 4, 8]]]}',
    "quadruples": "[[[1, 2, 0, 0.5], [3, 4, 8, 0.6]]]",
    "SCGINK": "\n SCG_INK\n2\n2\n1 2\n3 -4.5\n1\n5 6e1\n",
    "columns": '{"strokes": {"x": [[1, 3]], "y": [[2, 4]], "t": [[0, 8]], "p": [[0.5, 0.6]]}}',
}


@pytest.mark.parametrize("name", READABLE)
def test_the_page_reads_ink_as_python_does(page: Any, name: str) -> None:
    script = "async (text) => (await import('/static/inkfile.js')).readInk(text)"
    found = {"strokes": [{**s, "id": ""} for s in page.evaluate(script, READABLE[name])]}
    assert ink_from_json(found) == Ink.read(READABLE[name].encode())


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ("UTF-16", "utf-16"),
        ("", "latin-1"),
        ("ISO-8859-1", "latin-1"),
    ],
)
def test_the_page_decodes_files_as_python_does(
    page: Any, tmp_path: Path, declared: str, encoding: str
) -> None:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' * bool(declared)
    text = f"{declaration}<ink><annotation>\xe9\xb7</annotation><trace>1 2, 3 4</trace></ink>"
    (tmp_path / "a.inkml").write_bytes(text.encode(encoding))
    assert len(Ink.read(tmp_path / "a.inkml")) == 1
    page.set_input_files("#file", tmp_path / "a.inkml")
    expect(page.locator("#live")).to_contain_text("a.inkml opened, 1 stroke")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<ink><trace>1 2 3 4</trace></ink>", "more values than its format has channels"),
        ('<ink><trace contextRef="#c">1 2</trace></ink>', "refers to #c, which it does not define"),
        ("<ink><canvasTransform><mapping type='lookup'/></canvasTransform></ink>", "affine ones are read"),
        ('{"strokes": [[[1, 2, 3], [4, 5]]]}', "time or pressure"),
        ('{"strokes": [[[1, "b"]]]}', "not a number"),
        ('{"strokes": [{"x": [1], "y": [2], "pointerType": "Eraser"}]}', "eraser"),
        ("GIF89a", "formats of ink that are read: InkML, JSON with strokes, SCGINK"),
        ("SCG_INK 1 3 1 2", "point count of stroke 1"),
        ("SCG_INK 2 1 1 2", "point count of stroke 2"),
        ("SCG_INK 1 -1 1 2", "point count of stroke 1"),
        ("SCG_INK 1 1 1 2 3 4", "more points"),
        ("SCG_INK 1 1 x 2", "not a number"),
        ("SCG_INK x 1 1 2", "more points"),
        ("SCG_INK 0", "no strokes"),
        ("SCG_INK", "no strokes"),
        ('{"strokes": [{"x": [], "y": []}, {"x": [1, 2], "y": [1, 2]}]}', "no points"),
    ],
)
def test_the_page_says_what_it_cannot_read(page: Any, text: str, words: str) -> None:
    script = """async (text) => {
        try { (await import('/static/inkfile.js')).readInk(text); } catch (error) { return error.message; }
    }"""
    assert words in page.evaluate(script, text)
