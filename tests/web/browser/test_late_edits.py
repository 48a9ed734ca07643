"""People go back: strokes put in late, written on the page by pointer events and read by the bundled model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import REPOSITORY
from tests.web import inks
from tests.web.browser.hands import BROWSER, OpenPage, draw, expect, latex
from tests.web.conftest import serving

import inkscan
import inkscan.web
from inkscan import Ink
from inkscan.runtime.models import DEFAULT, bundled_models
from inkscan.web.server_settings import Limits

pytestmark = [
    *BROWSER,
    pytest.mark.skipif(DEFAULT not in bundled_models(), reason=f"the weights of {DEFAULT} are not bundled"),
]
MINUS = inks.line(125, 187, 175, 187, 8)


@pytest.fixture(scope="module")
def bundled() -> Iterator[int]:
    with serving(inkscan.load(), Limits()) as (_, number):
        yield number


def test_a_polynomial_is_read_in_its_order(open_page: OpenPage, bundled: int) -> None:
    page = open_page(at=bundled)
    for points in inks.POLYNOMIAL:
        draw(page, points)
    latex(page, "x^{2}+1")


def test_a_minus_put_in_front_is_read(open_page: OpenPage, bundled: int) -> None:
    page = open_page(at=bundled)
    for points in inks.POLYNOMIAL:
        draw(page, points)
    latex(page, "x^{2}+1")
    draw(page, MINUS)
    settled(page, 7)
    assert page.locator("#latex").input_value() == "-x^{2}+1"


def test_pythagoras_with_strokes_that_come_late_is_read(open_page: OpenPage, bundled: int) -> None:
    page = open_page(at=bundled)
    for stroke in Ink.read(REPOSITORY / "examples" / "ink" / "pythagoras.inkml").strokes:
        draw(page, [(60 + x, 120 + y) for x, y in stroke.xy.tolist()])
    settled(page, 10)
    assert page.locator("#latex").input_value() == "a^{2}+b^{2}=c^{2}"


def settled(page: Any, strokes: int) -> None:
    """Wait until all of the ink is read."""
    expect(page.locator("#canvas")).to_have_attribute("aria-label", f"Writing area, {strokes} strokes")
    expect(page.locator("#state")).to_have_attribute("data-state", "online")
