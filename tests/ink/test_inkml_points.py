from __future__ import annotations

import numpy as np
import pytest

from inkscan.errors import MalformedInk
from inkscan.ink.inkml_points import Channel, TraceFormat, parse_points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1 2, 3 4, 5 6", [[1, 2], [3, 4], [5, 6]]),
        ("1 2,3 4,5 6,", [[1, 2], [3, 4], [5, 6]]),
        ("\n1.5 -2 ,3e1 4\n", [[1.5, -2], [30, 4]]),
        ("1,2 3,4 5,6", [[1, 2], [3, 4], [5, 6]]),
        ("1, 2 3, 4", [[1, 2], [3, 4]]),
        ("1,2,3 4,5,6", [[1, 2, 3], [4, 5, 6]]),
        ("7 8", [[7, 8]]),
        ("7,8", [[7, 8]]),
        ("1 2 3, 4 5", [[1, 2], [4, 5]]),
        ("1 2 T, 3 4 F", [[1, 2, 1], [3, 4, 0]]),
        ("1 2, * 4", [[1, 2], [1, 4]]),
    ],
)
def test_points_in_all_writings(text: str, points: list[list[float]]) -> None:
    np.testing.assert_array_equal(parse_points(text), points)


def test_difference_coding_of_the_w3c_example() -> None:
    """The second-difference trace of the InkML recommendation, worked out by hand."""
    text = "1125 18432,'23'43,\"7\"-8,3-5,7 -3,6 2,6 8,3 6,3 2,1 2"
    expected = [[1125, 18432], [1148, 18475], [1178, 18510], [1211, 18540], [1251, 18567]]
    np.testing.assert_array_equal(parse_points(text)[:5], expected)


def test_nothing_is_no_points() -> None:
    assert len(parse_points("  ")) == 0


@pytest.mark.parametrize("text", ["1 2, x y", "1", "1 2, 3", "? ?, 1 2", "1 2, ! 3"])
def test_what_is_not_a_point_is_refused(text: str) -> None:
    with pytest.raises(MalformedInk):
        parse_points(text)


@pytest.mark.parametrize(
    "text", ["1 2 3 4 5 6", "1,2,3 4,5,6", "1 2, 3 4 5", "1 2, '3 '4 '5", "1-2+3, 4-5"], ids=str
)
def test_more_values_than_channels_are_refused(text: str) -> None:
    with pytest.raises(MalformedInk, match="2 channels; commas part points"):
        parse_points(text, channels=2)
    assert parse_points(text, channels=6).shape[1] >= 2  # those at the end may be intermittent


def test_signs_that_part_values_are_no_more_channels() -> None:
    np.testing.assert_array_equal(parse_points("1-2,3-4,5-6", channels=2), [[1, -2], [3, -4], [5, -6]])


def test_channels_in_any_order() -> None:
    channels = (Channel("T"), Channel("F"), Channel("Y"), Channel("X"))
    stroke = TraceFormat(channels).stroke(np.array([[10, 0.5, 2, 1], [20, 0.6, 4, 3]], dtype=float))
    np.testing.assert_array_equal(stroke.xy, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(stroke.time, [10, 20])
    np.testing.assert_array_equal(stroke.pressure, [0.5, 0.6])


def test_a_declared_channel_that_is_not_there_is_left_out() -> None:
    stroke = TraceFormat((Channel("X"), Channel("Y"), Channel("F"))).stroke(np.array([[1.0, 2.0]]))
    assert stroke.pressure is None
    with pytest.raises(MalformedInk):
        TraceFormat((Channel("T"), Channel("F"), Channel("X"), Channel("Y"))).stroke(np.array([[1.0, 2.0]]))


def test_units_and_orientation() -> None:
    assert Channel.from_attributes("T", "s", "").scale == 1000
    assert Channel.from_attributes("Y", "", "-ve").scale == -1
    assert Channel.from_attributes("X", "cm", "+ve").scale == 1
