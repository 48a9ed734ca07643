from __future__ import annotations

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given

from inkscan.errors import BadCoordinate, InkError, InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink import Ink
from inkscan.ink.json import ink_from_json, read_json, to_json, write_json

from .strategies import inks

EXPECTED = Ink.from_points([[[1, 2], [3, 4]], [[5, 6]]])
NAMED = [{"x": [1, 3], "y": [2, 4]}, {"x": [5], "y": [6]}]


@pytest.mark.parametrize(
    "value",
    [
        {"strokes": [[[1, 2], [3, 4]], [[5, 6]]]},
        [[[1, 2], [3, 4]], [[5, 6]]],
        {"strokes": NAMED},
        {"strokes": {"strokes": {"x": [[1, 3], [5]], "y": [[2, 4], [6]]}}, "formats": ["text"]},
        {"strokes": {"x": [[1, 3], [5]], "y": [[2, 4], [6]]}},
        {"contentType": "Math", "strokeGroups": [{"strokes": NAMED[:1]}, {"strokes": NAMED[1:]}]},
        {"scaleX": 1, "contentType": "Math", "strokes": NAMED},
    ],
)
def test_all_shapes(value: object) -> None:
    assert ink_from_json(value) == EXPECTED


def test_time_pressure_and_names_are_kept() -> None:
    stroke = {"id": "s1", "pointerType": "PEN", "x": [1, 2], "y": [3, 4], "t": [0, 8], "p": [0.5, 0.6]}
    ink = ink_from_json({"strokeGroups": [{"strokes": [stroke]}]})
    assert ink.ids == ("s1",)
    np.testing.assert_array_equal(ink.strokes[0].time, [0, 8])
    np.testing.assert_array_equal(ink.strokes[0].pressure, [0.5, 0.6])
    timed = ink_from_json({"strokes": [[[1, 3, 0, 0.5], [2, 4, 8, 0.6]]]})
    assert timed == ink


@pytest.mark.parametrize("eraser", ["ERASER", "eraser"])
def test_what_an_eraser_drew_is_no_ink(eraser: str) -> None:
    """Left out, it would leave what it has rubbed out."""
    pen, rubber = (NAMED[0] | {"pointerType": kind} for kind in ("PEN", eraser))
    for value in ({"strokeGroups": [{"strokes": [pen]}, {"strokes": [rubber]}]}, {"strokes": [pen, rubber]}):
        with pytest.raises(MalformedInk, match=r"pointerType ERASER\) are no ink: stroke 2 of 2"):
            ink_from_json(value)
    with pytest.raises(MalformedInk, match="stroke 1 and 1 more of 3"):
        ink_from_json([rubber, pen, rubber])
    for kind in ("TOUCH", "MOUSE", 7, None):
        assert len(ink_from_json([pen, NAMED[0] | {"pointerType": kind}])) == 2


def test_strokes_without_a_name_beside_named_ones_get_one_that_none_has() -> None:
    points = {"x": [1, 2], "y": [3, 4]}
    strokes = [points, points | {"id": "s0"}, points | {"id": 7}, points | {"id": "mine"}]
    assert ink_from_json({"strokes": strokes}).ids == ("s1", "s0", "s2", "mine")
    assert ink_from_json({"strokes": [points, points]}).ids == ()


@given(inks())
def test_round_trip(ink: Ink) -> None:
    assert read_json(write_json(ink)) == ink
    assert ink_from_json(json.loads(json.dumps(to_json(ink)))) == ink


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b'{"strokes": []}', NoStrokes),
        (b'{"strokes": [[]]}', MalformedInk),
        (b'{"lines": []}', MalformedInk),
        (b"{}", MalformedInk),
        (b"[1, 2]", MalformedInk),
        (b'{"strokes": 7}', MalformedInk),
        (b'{"strokes": [[["1", "2"]]]}', MalformedInk),
        (b'{"strokes": [[[true, false]]]}', MalformedInk),
        (b'{"strokes": [[[null, 2]]]}', MalformedInk),
        (b'{"strokes": [[[1, 2], [3]]]}', MalformedInk),
        (b'{"strokes": [[[1]]]}', MalformedInk),
        (b'{"strokes": [[[], []]]}', MalformedInk),
        (b'{"strokes": [[[1, 2, 3, 4, 5]]]}', MalformedInk),
        (b'{"strokes": [[[1, [2]]]]}', MalformedInk),
        (b'{"strokes": [{"x": [1, "2"], "y": [1, 2]}]}', MalformedInk),
        (b'{"strokes": [[[0, 0, NaN], [1, 1, 2]]]}', BadCoordinate),
        (b'{"strokes": [{"x": [1], "y": [2], "p": [Infinity]}]}', BadCoordinate),
        (b'{"strokes": [{"x": [1' + b"0" * 400 + b'], "y": [2]}]}', BadCoordinate),
        (b'{"strokes": [{"x": [1, 2], "y": [1]}]}', MalformedInk),
        (b'{"strokes": [{"x": [1, 2]}]}', MalformedInk),
        (b'{"strokes": {"strokes": {"x": [[1]], "y": []}}}', MalformedInk),
        (b'{"strokes": [[[1, 2', MalformedInk),
        (b"[" * 100_000, MalformedInk),
        (b'{"strokes": [[[NaN, 2]]]}', BadCoordinate),
        (b'{"strokes": [[[1, Infinity]]]}', BadCoordinate),
        (b'{"strokes": [[[1, 1e30]]]}', BadCoordinate),
        (b'{"strokes": [[[1, 1' + b"0" * 400 + b"]]]}", BadCoordinate),
        (b'{"strokes": [' + b"[[1,2]]," * 100_000 + b"[[1,2]]]}", InkTooLarge),
        (b'{"strokes": [[' + b"[1,2]," * 600_000 + b"[1,2]]]}", InkTooLarge),
    ],
)
def test_what_is_no_ink_is_refused(text: bytes, error: type[InkError]) -> None:
    with pytest.raises(error) as caught:
        read_json(text)
    assert type(caught.value) is error


@pytest.mark.parametrize("shape", ['{"strokes": [%s]}', '{"strokes": [{"x": %s, "y": [0]}]}'])
def test_one_long_string_among_numbers_takes_no_more_memory_than_itself(shape: str) -> None:
    point = "[0, 1]" if "x" not in shape else "0"
    text = shape % f"[{', '.join([point] * 5000)}, {point.replace('0', json.dumps('a' * 20_000))}]"
    tracemalloc.start()
    with pytest.raises(MalformedInk, match="not a number"):
        read_json(text.encode())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000  # not 5,000 times 80,000


def test_groups_of_strokes_do_not_nest() -> None:
    value: object = {"strokes": NAMED}
    for _ in range(100_000):
        value = {"strokeGroups": [value]}
    with pytest.raises(MalformedInk):
        ink_from_json(value)


def test_the_shape_that_a_refusal_suggests_can_be_read() -> None:
    with pytest.raises(MalformedInk, match="no strokes found") as caught:
        read_json(b"{}")
    suggested = str(caught.value)
    shape = suggested[suggested.index("{") : suggested.index("}") + 1]
    assert len(read_json(shape.encode())) == 2
