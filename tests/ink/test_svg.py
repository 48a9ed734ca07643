from __future__ import annotations

from defusedxml.ElementTree import fromstring
from hypothesis import given

from inkscan.ink import Ink
from inkscan.ink.svg import INK_COLOR, symbol_colors, to_svg

from .strategies import inks

SVG = "{http://www.w3.org/2000/svg}"


def test_colours_and_titles_by_stroke() -> None:
    ink = Ink.from_points([[[0, 0], [10, 10]], [[10, 0], [0, 10]], [[20, 5]]])
    colors = symbol_colors([(0, 1)])
    drawing = fromstring(to_svg(ink, colors=colors, titles={0: "<x>"}))
    paths = drawing.findall(f"{SVG}path")
    assert [path.get("stroke") for path in paths] == [colors[0], colors[0], INK_COLOR]
    assert paths[0].find(f"{SVG}title").text == "<x>"
    assert paths[2].get("d").count("L") == 1  # a dot is visible


def test_the_drawing_fits_its_height_and_width() -> None:
    wide = Ink.from_points([[[0, 0], [10_000, 10]]])
    drawing = fromstring(to_svg(wide, height=100, max_width=500))
    assert float(drawing.get("width")) <= 501
    assert float(drawing.get("height")) <= 101


@given(inks())
def test_any_ink_gives_finite_svg(ink: Ink) -> None:
    text = to_svg(ink)
    assert "nan" not in text
    assert "inf" not in text
    fromstring(text)
