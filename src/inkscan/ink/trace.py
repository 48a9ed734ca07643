"""The points of one InkML trace: channels, delimiters and difference coding."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from inkscan.errors import InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_POINTS, FloatArray, Stroke

_MILLISECONDS = {"s": 1e3, "ms": 1.0, "us": 1e-3}
_PREFIXES = frozenset("'\"!*?")
_VALUE = re.compile(
    r"([!'\"]?)\s*(?:([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|#([0-9A-Fa-f]+)|([TF*?]))\s*"
)


@dataclass(frozen=True)
class Channel:
    """A named value of each point; `scale` brings it to our units and our downward y."""

    name: str
    scale: float = 1.0

    @classmethod
    def from_attributes(cls, name: str, units: str, orientation: str) -> Channel:
        scale = _MILLISECONDS.get(units, 1.0) if name == "T" else 1.0
        return cls(name, -scale if name in "XY" and orientation == "-ve" else scale)


@dataclass(frozen=True)
class TraceFormat:
    """The channels of a point, in file order."""

    channels: tuple[Channel, ...] = (Channel("X"), Channel("Y"))

    def stroke(self, values: FloatArray) -> Stroke:
        """A stroke from one row of values a point; declared channels that are not there are left out."""
        column = {channel.name: i for i, channel in enumerate(self.channels[: values.shape[1]])}
        if "X" not in column or "Y" not in column:
            raise MalformedInk("the points of a trace hold no X and Y; check its traceFormat")
        scale = np.array([channel.scale for channel in self.channels[: values.shape[1]]])
        values = values[:, : len(scale)]
        if (scale != 1.0).any():
            values = values * scale
        time, force = column.get("T"), column.get("F")
        return Stroke(
            values[:, [column["X"], column["Y"]]],
            time=None if time is None else values[:, time],
            pressure=None if force is None else values[:, force],
        )


def parse_points(text: str) -> FloatArray:
    """One row of values a point, from `x y, x y`, from `x,y x,y` or from difference-coded points."""
    if text.count(",") > 2 * MAX_POINTS:
        raise InkTooLarge(f"a trace has more than {MAX_POINTS} points")
    text = text.strip().rstrip(",")
    if not text:
        return np.empty((0, 2))
    if _PREFIXES.isdisjoint(text):
        try:
            return _plain_points(text)
        except ValueError:
            pass  # signs may part values without a space, and channels may be boolean or hexadecimal
    return _coded_points(text)


def _plain_points(text: str) -> FloatArray:
    width = len(text.partition(",")[0].split())
    if width == 1:  # `x,y x,y`: the comma parts values and the space parts points
        joined = re.sub(r"\s*,\s*", ",", text)
        first, *others = joined.split()
        width, points = first.count(",") + 1, len(others) + 1
        if width == 1:
            raise MalformedInk("a point of a trace has fewer than two values")
    else:
        points = text.count(",") + 1
    values = np.array(text.replace(",", " ").split(), dtype=np.float64)
    if len(values) != width * points:
        return _ragged_points(text)
    return values.reshape(points, width)


def _ragged_points(text: str) -> FloatArray:
    """Points that do not all have the same number of values keep the channels that all of them have."""
    rows = [[float(value) for value in point.split()] for point in text.split(",")]
    width = min(map(len, rows))
    if width < 2:
        raise MalformedInk("a point of a trace has fewer than two values")
    return np.array([row[:width] for row in rows])


def _coded_points(text: str) -> FloatArray:
    """Values marked `'` (velocity), `\"` (acceleration), `!` (explicit), `*` (as before) or `?` (unknown)."""
    rows = [_coded_values(point) for point in text.split(",")]
    width = min(map(len, rows))
    if width < 2:
        raise MalformedInk("a point of a trace has fewer than two values")
    table = np.empty((len(rows), width))
    for column in range(width):
        table[:, column] = _decoded([row[column] for row in rows])
    return table


def _coded_values(point: str) -> list[tuple[str, str]]:
    values = []
    position = len(point) - len(point.lstrip())
    while position < len(point):
        match = _VALUE.match(point, position)
        if match is None:
            raise MalformedInk(f"a trace holds {point[position : position + 20]!r}, which is not a value")
        prefix, number, hexadecimal, sign = match.groups()
        if hexadecimal:
            number = str(int(hexadecimal[:16], 16))
        elif sign in ("T", "F"):
            number = str(int(sign == "T"))
        values.append((prefix, number or sign))
        position = match.end()
    return values


def _decoded(codes: list[tuple[str, str]]) -> list[float]:
    mode, value, velocity = "!", 0.0, 0.0
    decoded = []
    for prefix, number in codes:
        mode = prefix or mode
        if number == "?":
            raise MalformedInk("a trace holds a value marked as unknown (?)")
        if number == "*":
            value += velocity if mode != "!" else 0.0
        elif mode == "!":
            value, velocity = float(number), 0.0
        else:
            velocity = float(number) + (velocity if mode == '"' else 0.0)
            value += velocity
        decoded.append(value)
    return decoded
