from __future__ import annotations

import pytest
from hypothesis import given

from inkscan.errors import BadCoordinate, InkError, InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink import Ink
from inkscan.ink.scgink import read_scgink, write_scgink

from .strategies import inks


def test_read() -> None:
    assert read_scgink(b"SCG_INK\n2\n2\n1 2\n3 4\n1\n5 6\n") == Ink.from_points([[[1, 2], [3, 4]], [[5, 6]]])


@given(inks(channels=False))
def test_round_trip(ink: Ink) -> None:
    assert read_scgink(write_scgink(ink)) == ink


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"SCG_INK\n0\n", NoStrokes),
        (b"SCG_INK\n", NoStrokes),
        (b"SCG_INK\n1\n3\n1 2\n", MalformedInk),
        (b"SCG_INK\n2\n1\n1 2\n", MalformedInk),
        (b"SCG_INK\n1\n0\n", MalformedInk),
        (b"SCG_INK\n1\n-1\n", MalformedInk),
        (b"SCG_INK\n1\n1\n1 2\n3 4\n", MalformedInk),
        (b"SCG_INK\n1\n1\nx y\n", MalformedInk),
        (b"SCG_INK\n1\n1\n1 nan\n", BadCoordinate),
        (b"SCG_INK\n1\n1\n1 1e30\n", BadCoordinate),
        (b"SCG_INK\n100000\n1\n1 2\n", InkTooLarge),
        (b"INK\n1\n", MalformedInk),
    ],
)
def test_what_is_no_ink_is_refused(text: bytes, error: type[InkError]) -> None:
    with pytest.raises(error):
        read_scgink(text)
