"""Inks for hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from inkscan.ink import Ink, Stroke

numbers = st.floats(min_value=-1e9, max_value=1e9, allow_nan=False) | st.integers(-5000, 5000).map(float)


@st.composite
def strokes(draw: st.DrawFn, channels: bool = True) -> Stroke:
    length = draw(st.integers(1, 6))
    values = st.lists(numbers, min_size=length, max_size=length)
    time = draw(st.none() | values) if channels else None
    pressure = draw(st.none() | values) if channels else None
    return Stroke(
        np.array([draw(values), draw(values)]).T,
        time=None if time is None else np.array(time),
        pressure=None if pressure is None else np.array(pressure),
    )


def inks(channels: bool = True) -> st.SearchStrategy[Ink]:
    return st.lists(strokes(channels), min_size=1, max_size=5).map(lambda s: Ink(tuple(s)))
