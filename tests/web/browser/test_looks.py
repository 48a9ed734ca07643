"""What small screens show, and how well it can be read: nothing overlaps, nothing is cut off, letters stand out."""

from __future__ import annotations

import pytest
from tests.web.browser.hands import BROWSER, OpenPage, expect, latex, until, write

pytestmark = BROWSER

WIDTHS = (320, 340, 375, 420)
# Controls that leave the window, hide their text, or lie over the sheet or one another.
FAULTS = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const name = (one) => one.id || one.className || one.dataset.example;
    const box = (one) => one.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 0.5 || a.bottom <= b.top + 0.5;
    const isOver = (a, b) => !a.contains(b) && !b.contains(a) && !apart(box(a), box(b)) && !apart(box(b), box(a));
    const isCut = (one) => box(one).left < 0 || box(one).right > innerWidth;
    const leaves = (one) => box(one).bottom > box(one.closest('.answer')).bottom;
    const hides = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    const answer = shown('.answer :is(textarea, button, select, #confidence)');
    const controls = [...answer, ...shown('.bar :is(h1, p, button), .sheet, .tools, [data-example]')];
    const over = controls.flatMap((a, i) => controls.slice(i + 1).filter((b) => isOver(a, b)).map((b) => [a, b]));
    return [
        ...controls.filter(isCut).map((one) => `${name(one)} is cut off`),
        ...answer.filter(leaves).map((one) => `${name(one)} leaves its card`),
        ...over.map(([a, b]) => `${name(a)} and ${name(b)} overlap`),
        ...shown('#state-text, #confidence-text, button').filter(hides).map((one) => `${name(one)} hides some text`),
        ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
    ];
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_on_a_small_phone(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 640})
    expect(page.locator("[data-example]").last).to_be_visible()
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
    assert page.evaluate(FAULTS) == []
    write(page, 0, 1)
    latex(page, "x")
    for form in ("latex", "aligned", "mathml"):
        page.evaluate("(form) => { document.querySelector('#copy-as').value = form; }", form)
        assert page.evaluate(FAULTS) == []
    for text in ("1234 ms", "not read", "connecting"):
        page.evaluate("(text) => { document.querySelector('#state-text').textContent = text; }", text)
        assert page.evaluate(FAULTS) == []
    page.evaluate(
        "() => { document.querySelector('#confidence-text').textContent = '70% sure, 12 strokes not read'; }"
    )
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize(("width", "height"), [(320, 480), (420, 560), (568, 320), (844, 390), (1024, 500)])
def test_the_examples_are_clear_of_the_tools_on_a_low_screen(
    open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(viewport={"width": width, "height": height})
    expect(page.locator("[data-example]").nth(2)).to_be_visible()
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
    assert page.evaluate(FAULTS) == []
    top = page.locator(".sheet").bounding_box()["y"]
    assert page.locator(".invitation").bounding_box()["y"] >= top


def test_the_list_of_sheets_fits_a_small_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 320, "height": 640})
    write(page, 0, 1)
    latex(page, "x")
    page.click("#sheets")
    kept = page.locator(".sheets .kept").first
    expect(kept).to_be_visible()
    assert kept.bounding_box()["height"] < 110  # the date is not a column of single words
    for button in page.locator("#sheets-dialog form button").all():
        assert button.bounding_box()["height"] < 42  # one line of text each


# Of each text: how much it stands out from what is painted behind it.
CONTRASTS = """() => {
    const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const painted = (colors) => {
        dot.clearRect(0, 0, 1, 1);
        for (const color of colors) { dot.fillStyle = color; dot.fillRect(0, 0, 1, 1); }
        return [...dot.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (color) => {
        const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = color.map((value) => linear(value / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const found = new Map();
    for (const one of document.body.querySelectorAll('*')) {
        const hasText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
        if (!hasText || !one.checkVisibility() || one.matches(':disabled, :disabled *, option')) continue;
        const behind = [];
        for (let up = one; up; up = up.parentElement) behind.unshift(getComputedStyle(up).backgroundColor);
        const { color, fontSize, fontWeight } = getComputedStyle(one);
        const pair = [painted([...behind, color]), painted(behind)].map(light).sort((a, b) => b - a);
        const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
        const contrast = pair[0] / pair[1];
        if (contrast < (isLarge ? 3 : 4.5)) found.set(`${one.localName}.${one.className} ${color}`, contrast);
    }
    return [...found];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_stand_out(open_page: OpenPage, theme: str) -> None:
    docs = open_page("/docs", color_scheme=theme)
    assert docs.evaluate(CONTRASTS) == []
    page = open_page(color_scheme=theme)
    assert page.evaluate(CONTRASTS) == []
    page.hover("#alphabet")
    assert page.evaluate(CONTRASTS) == []
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.keyboard.press("1")
    assert page.evaluate(CONTRASTS) == []
    page.click("#replay-next")
    expect(page.locator(".tokens .now")).to_be_visible()
    assert page.evaluate(CONTRASTS) == []
    page.locator("#formula mi").first.click()
    expect(page.locator("#symbol-choices")).to_be_visible()
    assert page.evaluate(CONTRASTS) == []
    for name in ("help", "sheets", "alphabet"):
        page.click(f"#{name}")
        until(page, "() => document.querySelector('dialog[open]')", bool)
        assert page.evaluate(CONTRASTS) == []
        page.evaluate("() => document.querySelector('dialog[open]').close()")
