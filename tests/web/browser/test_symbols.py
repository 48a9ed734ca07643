"""Symbols and readings can be looked at and changed, by mouse and by keys."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web import fake, inks
from tests.web.browser import fake_sheet
from tests.web.browser.hands import BROWSER, OpenPage, color_at, draw, expect, latex, painted, write

from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import latex_from_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.segmentation import is_written
from inkscan.synthesis.generate import Generator

pytestmark = BROWSER


def test_readings_can_be_chosen(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    expect(page.locator(".reading")).to_have_count(3)
    page.locator(".reading").nth(1).click()
    latex(page, "x=z")
    expect(page.locator("#confidence-text")).to_have_text("your reading")
    page.keyboard.press("1")
    latex(page, "x=2")
    page.keyboard.press("3")
    latex(page, "X=2")


@pytest.fixture
def other_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six strokes are read as x=2^{5} or, with as many tokens, as x_{2}=5."""
    readings = [text.split() for text in ("x = 2 ^ { 5 }", "x _ { 2 } = 5")]
    alternatives = [
        {"latex": latex_from_tokens(t), "tokens": t, "mathml": to_mathml(parse_tokens(t)), "probability": 0.4}
        for t in readings
    ]
    monkeypatch.setitem(fake_sheet.beside, "alternatives", alternatives)


@pytest.mark.usefixtures("other_structure")
def test_symbols_of_a_reading_of_another_structure_are_not_those_of_the_answer(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4, 5)
    latex(page, "x=2^{5}")
    expect(page.locator("#formula [data-symbol]")).to_have_count(4)
    page.locator(".reading").last.click()
    latex(page, "x_{2}=5")
    expect(page.locator("#formula [data-symbol]")).to_have_count(0)
    page.locator(".reading").first.click()
    latex(page, "x=2^{5}")
    page.locator("#formula mn").first.click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z^{5}")
    expect(page.locator("#formula [data-symbol]")).to_have_count(4)


@pytest.mark.usefixtures("other_structure")
def test_a_reading_of_another_structure_survives_a_reload(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1, 2, 3, 4, 5)
    latex(page, "x=2^{5}")
    page.locator("#formula mn").first.click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z^{5}")
    page.locator(".reading").last.click()
    latex(page, "x_{2}=5")
    page.reload()
    latex(page, "x_{2}=5")
    expect(page.locator("#formula msub")).to_have_text("x2")
    page.locator(".reading").first.click()
    latex(page, "x=2^{5}")
    page.reload()
    expect(page.locator(".reading").first).to_be_visible()
    latex(page, "x=2^{5}")  # the older correction is gone


def test_a_symbol_of_an_edited_formula_can_be_changed_for_good(open_page: OpenPage) -> None:
    page = open_page()
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.fill("#latex", "y=2")
    expect(page.locator("#formula mi")).to_have_text("y")
    page.keyboard.press("Enter")
    page.locator("#formula mn").click()
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "y=z")
    page.reload()
    latex(page, "y=z")


def test_shapes_of_formulas(page: Any) -> None:
    script = "async (pair) => (await import('/static/latex.js')).haveOneShape(...pair)"
    for one, other, is_one in (
        ("x = 2", "X - z", True),
        ("x = 2", "x =", False),
        ("x ^ { 2 }", "x _ { 2 }", False),
        ("\\hat { x } + 1", "\\tilde { y } - 1", True),
        ("\\sqrt [ 3 ] { x }", "a b c \\hat { x }", False),
        ("\\sqrt [ 3 ] { x }", "\\sqrt [ n ] { x }", True),
        ("[ 3 ] x", "( 3 ) y", True),
    ):
        assert page.evaluate(script, [one.split(), other.split()]) == is_one, (one, other)


def test_of_quick_changes_none_is_lost_and_the_last_one_counts(page: Any) -> None:
    """However late the answers to the earlier ones come."""
    script = """async (changes) => {
        const { Corrections } = await import('/static/corrections.js');
        const { Lines } = await import('/static/lines.js');
        const waiting = [];
        const lines = new Lines(new Corrections(), (value) => new Promise((resolve) => {
            const tokens = value.tokens ?? value.latex.split(' ');
            waiting.push(() => resolve({ tokens, latex: tokens.join(' '), mathml: '' }));
        }));
        const strokes = ['a', 'b'].map((id, i) => ({ id, x: [10 * i, 10 * i + 5], y: [0, 20] }));
        const symbols = ['x', 'y'].map((token, index) => (
            { token, index, strokes: [index], confidence: 1, candidates: [{ token: 'X', probability: null }] }));
        const answer = { tokens: ['x', 'y'], latex: 'x y', confidence: 1, symbols, strokes: [0, 1], alternatives: [] };
        lines.take(strokes, [answer], strokes);
        const [line] = lines.all;
        const other = { tokens: ['a', 'b'], latex: 'a b', mathml: '' };
        for (const change of changes) {
            if (change === 'x') lines.correct(line, line.answer.symbols[0], 'X');
            else if (change === 'y') lines.correct(line, line.answer.symbols[1], 'Y');
            else if (change === 'choose') lines.choose(line, other);
            else lines.rewrite(line, change);
        }
        for (const answer of waiting.reverse()) answer();
        await new Promise((resolve) => { setTimeout(resolve); });
        return line.shown.latex;
    }"""
    for changes, shown in (
        (["x", "y"], "X Y"),
        (["x", "choose"], "a b"),
        (["choose", "x"], "X b"),
        (["x", "own text"], "own text"),
        (["own text", "choose"], "a b"),
        (["one", "two"], "two"),
        (["own text", ""], "x y"),
    ):
        assert page.evaluate(script, changes) == shown, changes


def test_readings_of_hardly_any_probability_have_no_bar(page: Any) -> None:
    script = """async (shares) => {
        const { Readings } = await import('/static/readings.js');
        const list = document.createElement('ol');
        const mathml = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>';
        new Readings(list, document.createElement('p'), () => {}).show(
            { alternatives: shares.map((probability) => ({ latex: 'x', mathml, probability })) }, 'x');
        return [...list.querySelectorAll('.reading')].map((row) => row.style.getPropertyValue('--share'));
    }"""
    assert page.evaluate(script, [0.7, 0.02, 0.01, 0.001]) == ["0.700", "0.020", "0", "0"]


def test_the_index_of_a_root_stands_clear_of_its_sign_without_a_font_for_mathematics(page: Any) -> None:
    script = """async (hasOne) => {
        const { setFont } = await import('/static/formula.js');
        const box = document.createElement('div');
        box.style.fontSize = '40px';
        box.innerHTML = '<math><mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>x</mi></msqrt></math>';
        document.body.append(box);
        setFont(box.firstElementChild, hasOne);
        box.firstElementChild.style.fontFamily = 'serif';
        const left = (selector) => box.querySelector(selector).getBoundingClientRect().left;
        const sign = left('msqrt mi') - left('msqrt');
        const room = left('mroot mi') - sign - left('mroot mn');
        box.remove();
        return room;
    }"""
    assert page.evaluate(script, False) > 6  # of the ten pixels that the index is wide
    assert page.evaluate(script, True) < 3


def test_a_tapped_symbol_lights_up_its_strokes_and_takes_another_reading(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    before = color_at(page, *inks.STROKES[0][1])
    page.locator("#formula mi").click()
    expect(page.locator("#symbol-about")).to_contain_text("written by 2 strokes")
    painted(page)
    assert color_at(page, *inks.STROKES[0][1]) != before
    page.locator("#formula mn").click()
    expect(page.locator("#symbol-about")).to_contain_text("40% sure, written by 1 stroke")
    page.click('#symbol-choices [data-token="z"]')
    latex(page, "x=z")
    expect(page.locator("#formula mi").last).to_have_text("z")
    write(page, 5)  # the correction stays while one writes on
    latex(page, "x=z^{5}")


def test_the_replay_shows_the_attention_step_by_step(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.click("#replay-next")
    expect(page.locator("#replay-tokens .now")).to_have_text("=")
    painted(page)
    looked_at, other = color_at(page, *inks.STROKES[2][1]), color_at(page, *inks.STROKES[0][1])
    assert looked_at[0] > looked_at[2] + 60 and looked_at != other
    page.click("#replay-next")
    expect(page.locator("#replay-tokens .now")).to_have_text("2")
    expect(page.locator("#formula .chosen")).to_have_text("2")
    page.keyboard.press("Escape")
    expect(page.locator("#replay-tokens .now")).to_have_count(0)


def test_only_the_symbol_under_the_mouse_is_coloured(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fake.ANSWERS, 3, ("\\frac { 1 } { 3 }", (1, 1, 1)))
    for points in inks.FRACTION:
        draw(page, points)
    latex(page, "\\frac{1}{3}")
    color = "(element) => getComputedStyle(element).color"
    one, three = page.locator("#formula mn").all()
    plain = three.evaluate(color)
    one.hover()
    assert one.evaluate(color) != plain and three.evaluate(color) == plain
    page.locator("#replay-next").click()  # past the fraction's bar, whose strokes alone are its symbol
    page.locator("#replay-back").click()
    expect(page.locator("#formula mfrac")).to_have_class(re.compile("chosen"))
    assert page.locator("#formula mfrac").evaluate(color) != plain and three.evaluate(color) == plain


def test_the_keyboard_reaches_every_symbol(page: Any) -> None:
    write(page, 0, 1, 2, 3, 4)
    latex(page, "x=2")
    page.locator("#formula [data-symbol]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#formula .chosen")).to_have_text("x")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#formula .chosen")).to_have_text("2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    latex(page, "x=z")
    expect(page.locator("#formula .chosen")).to_have_text("z")
    page.keyboard.press("Escape")
    expect(page.locator("#formula .chosen")).to_be_focused()
    page.keyboard.press("Delete")
    latex(page, "x=")
    for button in page.locator("button:visible").all():
        assert button.get_attribute("aria-label") or button.inner_text().strip()


def test_every_written_symbol_finds_its_element(page: Any) -> None:
    samples = Generator(max_symbols=20).samples(150, seed=11)
    cases = []
    for sample in samples:
        written = [t for t, w in zip(sample.tokens, is_written(sample.tokens), strict=True) if w]
        cases.append({"mathml": to_mathml(parse_tokens(sample.tokens)), "symbols": written})
    script = """async (cases) => {
        const { showFormula } = await import('/static/formula.js');
        return cases.map(({ mathml, symbols }) => {
            const box = document.createElement('div');
            const { marked } = showFormula(box, mathml, symbols);
            const plain = [...box.querySelectorAll('[data-symbol]')].filter((e) => !e.firstElementChild);
            return marked && plain.every((e) => {
                const token = symbols[Number(e.dataset.symbol)];
                return !/^[a-zA-Z0-9]$/.test(token) || e.textContent === token;
            });
        });
    }"""
    results = page.evaluate(script, cases)
    assert [case for case, right in zip(cases, results, strict=True) if not right] == []
