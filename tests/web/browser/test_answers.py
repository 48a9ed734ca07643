"""Answers as people need them: LaTeX that can be edited, and copies in every form."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.web import inks
from tests.web.browser.hands import BROWSER, OpenPage, copied, draw, expect, latex, on_page, write
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan import Ink
from inkscan.latex.alphabet import ALPHABET, ARGUMENT, Entry, SymbolKind
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import ACCENTS, STACKS, STRUCTURE, Row
from inkscan.latex.typeset import to_mathml
from inkscan.synthesis.generate import Generator
from inkscan.web.asciimath import to_asciimath
from inkscan.web.server_settings import Limits

pytestmark = BROWSER
UNWRITTEN = {*STRUCTURE, "'"}  # `'` is read as \\prime


def test_latex_is_typeset_while_it_is_edited(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.locator("#latex").focus()
    page.keyboard.press("End")
    page.keyboard.type("+\\frac12")
    expect(page.locator("#formula mfrac")).to_have_text("12")
    expect(page.locator("#confidence-text")).to_have_text("your reading")
    page.keyboard.press("Enter")
    latex(page, "x=2+\\frac12")  # to the letter
    assert copied(page, "latex") == "x=2+\\frac12"
    write(page, 5)  # other ink is another formula
    latex(page, "x=2^{5}")
    page.click("#undo")
    latex(page, "x=2+\\frac12")
    page.locator("#latex").focus()
    page.keyboard.press("Escape")
    latex(page, "x=2")
    expect(page.locator("#formula mfrac")).to_have_count(0)


def test_an_edit_that_cannot_be_typeset_is_kept_and_said(open_page: OpenPage) -> None:
    page = open_page(forgive="status of 400", permissions=["clipboard-read", "clipboard-write"])
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.fill("#latex", "\\begin{matrix}x\\end{matrix}")
    expect(page.locator("#confidence-text")).to_contain_text("arrays are not read")
    expect(page.locator("#latex")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Enter")
    assert copied(page, "inline") == "$\\begin{matrix}x\\end{matrix}$"
    page.reload()
    latex(page, "\\begin{matrix}x\\end{matrix}")
    expect(page.locator(".reading").first).to_be_visible()  # of the ink, which is read again
    page.keyboard.press("1")
    latex(page, "x=2")
    expect(page.locator("#confidence-text")).to_have_text("70% sure")


def test_an_edit_made_offline_is_typeset_when_the_server_is_back(open_page: OpenPage) -> None:
    with serving(FakeRecognizer(), Limits()) as (_, number):
        page = open_page(at=number, forgive="ERR_CONNECTION_REFUSED")
        write(page, 0, 1)
        latex(page, "x")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    page.fill("#latex", "x^2")
    expect(page.locator("#confidence-text")).to_contain_text("Your text is kept")
    page.keyboard.press("Enter")
    with serving(FakeRecognizer(), Limits(), number):
        expect(page.locator("#formula msup")).to_have_text("x2")
        latex(page, "x^2")
        page.goto("about:blank")


def test_long_latex_is_not_cut_without_a_sign(page: Any, tmp_path: Path) -> None:
    ink = tmp_path / "long.json"
    ink.write_text(json.dumps({"strokes": [[[9 * i, 0], [9 * i, 50]] for i in range(150)]}))
    page.set_input_files("#file", ink)
    latex(page, "1" * 150)
    field = page.locator("#latex")
    expect(field).to_have_class(re.compile("cut"))
    canvas = page.locator("#canvas").bounding_box()
    field.click()
    assert field.evaluate(
        "(area) => area.scrollHeight <= area.clientHeight && area.scrollWidth <= area.clientWidth"
    )
    expect(field).not_to_have_class(re.compile("cut"))
    assert page.locator("#canvas").bounding_box() == canvas
    page.keyboard.press("Enter")
    expect(field).to_have_class(re.compile("cut"))


def test_copies_in_every_form(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4, 5)
    latex(page, "x=2^{5}")
    assert copied(page, "latex") == "x=2^{5}"
    assert copied(page, "inline") == "$x=2^{5}$"
    assert copied(page, "display") == "\\[x=2^{5}\\]"
    assert copied(page, "mathml").startswith("<math")
    assert copied(page, "asciimath") == "x = 2^(5)"
    assert copied(page, "typst") == "x = 2^(5)"
    assert len(Ink.read(copied(page, "inkml").encode())) == 6
    expect(page.locator("#toast")).to_have_text("InkML copied")
    svg = ElementTree.fromstring(copied(page, "svg"))
    assert [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")] == ["x", "=", "2", "5"]
    page.reload()
    expect(page.locator("#copy-as")).to_have_value("svg")  # the last form is used again
    page.select_option("#copy-as", "latex")


def test_what_cannot_be_typeset_is_copied_as_latex_alone(open_page: OpenPage) -> None:
    page = open_page(forgive="status of 400", permissions=["clipboard-read", "clipboard-write"])
    write(page, 0, 1)
    latex(page, "x")
    page.fill("#latex", "x+\\foo")
    expect(page.locator("#latex")).to_have_attribute("aria-invalid", "true")
    assert copied(page, "latex") == "x+\\foo"
    for form in ("asciimath", "mathml", "svg", "png"):
        page.select_option("#copy-as", form)
        expect(page.locator("#toast")).to_contain_text("cannot be typeset")
    page.select_option("#copy-as", "latex")


def test_the_inkml_of_several_lines_has_the_truth_of_all(page: Any) -> None:
    write(page, 0, 1)
    latex(page, "x")
    for stroke in (inks.STROKES[0], inks.STROKES[1]):
        draw(page, [(x, y + 200) for x, y in stroke])
    on_page(page, lambda: copied(page, "lines") == "x\nx")
    assert "x \\\\ x" in copied(page, "inkml")
    page.select_option("#copy-as", "latex")


def test_copies_a_picture(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.select_option("#copy-as", "png")
    expect(page.locator("#toast")).to_have_text("PNG copied")
    script = """async () => {
        const [item] = await navigator.clipboard.read();
        const { width, height } = await createImageBitmap(await item.getType('image/png'));
        return [width, height]; }"""
    width, height = page.evaluate(script)
    assert width > height > 100
    page.select_option("#copy-as", "latex")


def test_a_box_is_in_the_picture(page: Any) -> None:
    script = """async (mathml) => {
        const holder = document.createElement('div');
        const alone = holder.attachShadow({ mode: 'open' }); // of the page's style
        alone.innerHTML = (await import('/static/picture.js')).toSvg(mathml);
        document.body.append(holder);
        const [box, bar, x] = [...alone.querySelectorAll('path, text')].map((one) => one.getBoundingClientRect());
        const boxes = [...alone.querySelectorAll('path')].filter((path) => path.getAttribute('d').endsWith('Z'));
        holder.remove();
        return [boxes.length, [box, bar, x].map(({ left, top, right, bottom }) => [left, top, right, bottom])]; }"""
    count, (box, *inside) = page.evaluate(script, to_mathml(parse_latex(r"\boxed{\frac{x}{2}}+1")))
    assert count == 1
    for left, top, right, bottom in inside:  # a text is as high as its font
        assert box[0] < left and right < box[2] and box[1] < (top + bottom) / 2 < box[3]


def test_copies_without_a_secure_context(page: Any) -> None:
    write(page, 0, 1)
    latex(page, "x")
    page.evaluate(
        """() => { window.kept = navigator.clipboard;
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }); }"""
    )
    page.select_option("#copy-as", "inline")
    expect(page.locator("#toast")).to_have_text("$…$ copied")
    assert page.evaluate("() => { delete navigator.clipboard; return window.kept.readText(); }") == "$x$"
    page.select_option("#copy-as", "latex")


def converted(page: Any, form: str, rows: list[Row]) -> list[str]:
    script = f"async (all) => all.map((await import('/static/convert.js')).{form})"
    return page.evaluate(script, [to_mathml(row) for row in rows])  # type: ignore[no-any-return]


def test_asciimath_is_that_of_the_server(page: Any) -> None:
    rows = [parse_tokens(sample.tokens) for sample in Generator(max_symbols=20).samples(200, seed=5)]
    extra = (
        r"\binom{n}{k}",
        r"2^{\binom{n}{k}}",
        r"\hat{x}+\overline{ab}+\vec{v}",
        r"\sqrt[3]{x^2}",
        r"|x|\leq[0,1)",
        r"\langle x\rangle",
        r"\frac{f(x,y)}{n!}",
        r"\sqrt{\boxed{x}}",
        r"\overbrace{a+b}^{n}+\boxed{cd}^{2}",
        r"\{[a,b],[c,d]\}+f((a,b),(c,d))+x^{(a,b)}+|(a),(b)|+((a,b)^2,(c,d))+(|(a,b))+\langle(a),(b)\rangle+x_{:}",
        r"\binom{a,b}{(c,d)}+\boxed{[a,b]}+\overline{(a,b)}+([0,1],[2,3))+((a+b)c)+[[a,b]_1]",
        r"\frac{a}{b}^{2}+\sqrt{x}_{1}+\sqrt[3]{x}^{2}+\binom{n}{k}^{2}+\hat{x}_{1}^{2}+(a+b)^{2}+\sin\frac{x}{2}",
    )
    rows += [parse_latex(text) for text in extra]
    rows += [parse_tokens(written(entry)) for entry in ALPHABET.values() if entry.label not in UNWRITTEN]
    found = converted(page, "toAsciiMath", rows)
    wrong = [
        (ours, theirs) for ours, theirs in zip(found, map(to_asciimath, rows), strict=True) if ours != theirs
    ]
    assert wrong == []


def written(entry: Entry) -> list[str]:
    """A formula with the symbol in it."""
    argument = ["{", "b", "}"]
    count = 2 if entry.label in STACKS else int(entry.label in ACCENTS or entry.kind == SymbolKind.ROOT)
    return ["a", entry.label, *argument * count, "c"]


def test_typst_is_that_of_the_alphabet(page: Any) -> None:
    entries = [e for e in ALPHABET.values() if e.label not in {*UNWRITTEN, *STACKS, r"\sqrt"}]
    found = converted(page, "toTypst", [parse_tokens(written(entry)) for entry in entries])
    for entry, typst in zip(entries, found, strict=True):
        word = entry.typst.replace(ARGUMENT, "b") if entry.label in ACCENTS else entry.typst
        assert typst == f"a {word} c"


def test_typst_escapes_what_it_would_take_for_its_own(page: Any) -> None:
    for text, typst in (
        (r"\frac{a,b}{n!}", r"frac(a \, b, n !)"),
        (r"\sqrt[3]{x^2}", "root(3, x^(2))"),
        (r"\sin x_{1}", "sin x_(1)"),
        (r"\binom{n}{k}", "binom(n, k)"),
        (r"x/y", r"x \/ y"),
        (r"\overline{ab}", "overline(a b)"),
        (r"[0,1)", r"[ 0 \, 1 )"),
        (r"\sum_{i=1}^n i", "sum_(i = 1)^(n) i"),
        (r"\tilde{x}+\boxed{y^2}", "accent(x, tilde) + #box(stroke: 1pt, inset: 2pt, $y^(2)$)"),
        (r"\limsup_{n\to\infty}|x|", "limsup_(n arrow.r infinity) | x |"),
        ("x@y", r"x \@ y"),
        (r"\frac{a}{b}^{2}+\sqrt{x}_{1}", "frac(a, b)^(2) + sqrt(x)_(1)"),
        (r"\sqrt[3]{x}^{2}+\binom{n}{k}^{2}", "root(3, x)^(2) + binom(n, k)^(2)"),
        (r"\hat{x}_{1}^{2}+(a+b)^{2}", "accent(x, hat)_(1)^(2) + ( a + b )^(2)"),
        (r"\boxed{x}^{2}", "#box(stroke: 1pt, inset: 2pt, $x$)^(2)"),
    ):
        assert converted(page, "toTypst", [parse_latex(text)]) == [typst]
