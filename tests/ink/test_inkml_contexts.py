"""What an InkML file says of its traces: channels, contexts wherever they stand, units, resolutions, the canvas."""

from __future__ import annotations

import time

import pytest

from inkscan.errors import MalformedInk
from inkscan.ink.inkml import read_inkml

SWAPPED = '<traceFormat><channel name="Y"/><channel name="X"/></traceFormat>'
NAMED = SWAPPED.replace(">", ' xml:id="f">', 1)
XY = [[1.0, 2.0], [3.0, 5.0]]
YX = [[2.0, 1.0], [5.0, 3.0]]


def places(inside: str) -> list[list[float]]:
    """The points of the only stroke."""
    (stroke,) = read_inkml(f"<ink>{inside}</ink>".encode()).ink.strokes
    points: list[list[float]] = stroke.xy.tolist()
    return points


def trace(context: str = "", points: str = "1 2, 3 5") -> str:
    reference = f' contextRef="#{context}"' if context else ""
    return f"<trace{reference}>{points}</trace>"


@pytest.mark.parametrize(
    "definition",
    [
        f'<context xml:id="c">{SWAPPED}</context>',
        f'<context xml:id="c" traceFormatRef="#f"/>{NAMED}',
        f'<context xml:id="c"><inkSource>{SWAPPED}</inkSource></context>',
    ],
)
@pytest.mark.parametrize("comes_first", [True, False])
def test_a_context_holds_wherever_it_is_defined(definition: str, comes_first: bool) -> None:
    parts = [f"<definitions>{definition}</definitions>", trace("c")]
    assert places("".join(parts if comes_first else parts[::-1])) == YX


def test_the_default_context_is_that_of_the_standard() -> None:
    assert places(f"<context>{SWAPPED}</context>{trace('DefaultContext')}") == XY
    assert places(f"<context>{SWAPPED}</context>{trace()}") == YX


@pytest.mark.parametrize(
    "inside",
    [
        trace("nope"),
        f'<context xml:id="c" contextRef="#c"/>{trace("c")}',
        f'{trace("a")}<context xml:id="a" contextRef="#b"/><context xml:id="b" contextRef="#a"/>',
        f"<context>{trace()}</context>",
    ],
)
def test_what_is_not_defined_or_defines_itself_is_refused(inside: str) -> None:
    with pytest.raises(MalformedInk):
        places(inside)


def test_a_chain_of_definitions_has_an_end() -> None:
    chain = "".join(f'<context xml:id="c{i}" contextRef="#c{i + 1}"/>' for i in range(20_000))
    inner = "<context>" * 90
    nested = "".join(
        f'<context xml:id="c{i}">{inner}<context contextRef="#c{i + 1}"/>{"</context>" * 90}</context>'
        for i in range(300)
    )
    started = time.process_time()
    for definitions in (chain, nested):
        with pytest.raises(MalformedInk, match="deep"):
            places(trace("c0") + definitions)
    assert time.process_time() - started < 1


def test_many_definitions_that_come_later_are_read_in_time() -> None:
    contexts = "".join(f'<context xml:id="c{i}"/>' for i in range(9_000))
    traces = "".join(trace(f"c{i}") for i in range(9_000))
    started = time.process_time()
    assert len(read_inkml(f"<ink>{traces}{contexts}</ink>".encode()).ink) == 9_000
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [("cm", "cm", XY), ("cm", "mm", [[1.0, 0.2], [3.0, 0.5]]), ("", "mm", XY), ("dev", "mm", XY)],
)
def test_y_is_told_in_the_units_of_x(x: str, y: str, expected: list[list[float]]) -> None:
    channels = f'<traceFormat><channel name="X" units="{x}"/><channel name="Y" units="{y}"/></traceFormat>'
    assert places(channels + trace())[0] == pytest.approx(expected[0])
    assert places(channels + trace())[1] == pytest.approx(expected[1])


@pytest.mark.parametrize(
    ("x", "y", "height"),
    [("10", "10", 3.0), ("10", "80", 0.375), ("many", "80", 3.0), ("0", "80", 3.0)],
)
def test_resolutions_count(x: str, y: str, height: float) -> None:
    properties = "".join(
        f'<channelProperty channel="{name}" name="resolution" value="{value}" units="1/mm"/>'
        for name, value in (("X", x), ("Y", y))
    )
    source = f"""<inkSource xml:id="s"><traceFormat><channel name="X"/><channel name="Y"/></traceFormat>
        <channelProperties>{properties}</channelProperties></inkSource>"""
    (_, top), (_, bottom) = places(f'{source}<context inkSourceRef="#s"/>{trace()}')
    assert bottom - top == pytest.approx(height)


def transform(mapping: str) -> str:
    return f"<context><canvasTransform>{mapping}</canvasTransform></context>"


@pytest.mark.parametrize(
    ("mapping", "expected"),
    [
        ('<mapping type="identity"/>', XY),
        ('<mapping type="affine"><affine>1 0 0, 0 -1 0</affine></mapping>', [[1.0, -2.0], [3.0, -5.0]]),
        ('<mapping type="affine">0 2 1, 1 0 0</mapping>', [[5.0, 1.0], [11.0, 3.0]]),
        (
            '<mapping type="affine">1 0 0, 0 -1 0</mapping><mapping type="identity"/>',
            [[1.0, -2.0], [3.0, -5.0]],
        ),
    ],
)
def test_the_canvas_is_where_its_transform_leads(mapping: str, expected: list[list[float]]) -> None:
    assert places(transform(mapping) + trace()) == expected
    named = f'<canvasTransform xml:id="t">{mapping}</canvasTransform>'
    later = f'<definitions><context xml:id="c" canvasTransformRef="#t"/>{named}</definitions>'
    assert places(trace("c") + later) == expected


@pytest.mark.parametrize(
    "mapping",
    [
        '<mapping type="lookup"/>',
        "<mapping/>",
        '<mapping type="affine">1 0, 0 1</mapping>',
        '<mapping type="affine">a b c, d e f</mapping>',
        '<mapping type="affine">1 0 nan, 0 1 0</mapping>',
    ],
)
def test_other_transforms_are_refused(mapping: str) -> None:
    with pytest.raises(MalformedInk, match="canvasTransform"):
        places(transform(mapping) + trace())


def test_what_is_unknown_beside_the_places_is_left_out() -> None:
    channels = "".join(f'<channel name="{name}"/>' for name in "XYTF")
    ink = f"<ink><traceFormat>{channels}</traceFormat><trace>1 2 ? 7, 3 5 4 8</trace></ink>"
    (stroke,) = read_inkml(ink.encode()).ink.strokes
    assert stroke.xy.tolist() == XY
    assert stroke.time is None
    assert stroke.pressure is not None and stroke.pressure.tolist() == [7.0, 8.0]
    with pytest.raises(MalformedInk, match="unknown"):
        places(trace(points="1 ?, 3 5"))
