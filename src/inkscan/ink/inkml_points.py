"""The points of one InkML trace: channels, delimiters, difference coding and the way to the canvas."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import isfinite, isnan, nan
from typing import NoReturn
from xml.etree.ElementTree import Element

import numpy as np

from inkscan.errors import InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_POINTS, FloatArray, Stroke
from inkscan.ink.xml import local_name

MAX_VALUES = 2 * MAX_POINTS  # of all channels and traces
_MILLISECONDS = {"s": 1e3, "ms": 1.0, "us": 1e-3}
_MILLIMETRES = {"m": 1e3, "cm": 10.0, "mm": 1.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}
_PREFIXES = frozenset("'\"!*?")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_VALUE = re.compile(rf"(([!'\"]?)\s*(?:({_NUMBER})|#([0-9A-Fa-f]{{1,16}})|([TF*?]))\s*)")
_BETWEEN = np.isin(np.arange(256), np.frombuffer(b", \t\r\n\f\v\x1c\x1d\x1e\x1f\x85\xa0", np.uint8))
Matrix = tuple[tuple[float, ...], ...]
_Code = tuple[str, str, str, str, str]  # the whole, prefix, number, hexadecimal number, letter or sign


@dataclass(frozen=True)
class Channel:
    """A named value of each point; `scale` brings it to our units and our downward y."""

    name: str
    scale: float = 1.0
    length: float = 0.0  # what one stands for in millimetres, where that is known

    @classmethod
    def from_attributes(cls, name: str, units: str, orientation: str) -> Channel:
        scale = _MILLISECONDS.get(units, 1.0) if name == "T" else 1.0
        length = _MILLIMETRES.get(units, 0.0)
        return cls(name, -scale if name in "XY" and orientation == "-ve" else scale, length)

    def with_resolution(self, value: str, units: str) -> Channel:
        """The same, so many to a unit, such as 10 with `1/mm`; one without a unit says nothing."""
        unit = _MILLIMETRES.get(units.strip().removeprefix("1/"), 0.0)
        try:
            count = float(value)
        except ValueError:
            return self
        return replace(self, length=unit / count) if count > 0 else self


@dataclass(frozen=True)
class TraceFormat:
    """The channels of a point, in file order."""

    channels: tuple[Channel, ...] = (Channel("X"), Channel("Y"))
    canvas: Matrix = ()  # two rows that bring (x, y, 1) to the canvas; none: as it is

    @property
    def places(self) -> frozenset[int]:
        """The columns that must be known."""
        return frozenset(i for i, channel in enumerate(self.channels) if channel.name in ("X", "Y"))

    def stroke(self, values: FloatArray) -> Stroke:
        """A stroke from one row of values a point; declared channels that are not there, or not known, are left out."""
        column = {channel.name: i for i, channel in enumerate(self.channels[: values.shape[1]])}
        if "X" not in column or "Y" not in column:
            raise MalformedInk("the points of a trace hold no X and Y; check its traceFormat")
        x, y = self.channels[column["X"]], self.channels[column["Y"]]
        scale = np.array([channel.scale for channel in self.channels[: values.shape[1]]])
        if x.length and y.length:  # in the units of x
            scale[column["Y"]] *= y.length / x.length
        if (scale != 1.0).any():
            values = values * scale
        xy = values[:, [column["X"], column["Y"]]]
        if self.canvas:
            matrix = np.array(self.canvas)
            xy = xy @ matrix[:, :2].T + matrix[:, 2]
        known = {name: values[:, i] for name, i in column.items() if not np.isnan(values[:, i]).any()}
        return Stroke(xy, time=known.get("T"), pressure=known.get("F"))


def parse_points(
    text: str,
    most: int = MAX_VALUES,
    channels: int = MAX_VALUES,
    places: Collection[int] = (0, 1),
) -> FloatArray:
    """One row of values a point, from `x y, x y`, from `x,y x,y` or from difference-coded points.

    More than `most` values are refused before any of them becomes a number. A point has at most one value for each
    of the `channels`; those at the end, which may be intermittent, can be missing. A value marked as unknown is NaN,
    but not in the columns of its `places`.
    """
    text = text.strip().rstrip(",")
    if not text:
        return np.empty((0, 2))
    if text.count(",") > 3 * MAX_POINTS:  # `x,y,t,p x,y,t,p` has three commas a point
        raise InkTooLarge(f"a trace has more than {MAX_POINTS} points")
    if len(text) > 2 * most and _count_words(text) > most:
        _refuse_values()
    if _PREFIXES.isdisjoint(text):
        try:
            return _plain_points(text, channels)
        except ValueError:
            pass  # signs may part values without a space, and channels may be boolean or hexadecimal
    return _coded_points(text, most, channels, places)


def _refuse_values() -> NoReturn:
    raise InkTooLarge(f"the traces hold more than {MAX_VALUES} values")


def _check_widths(least: int, most: int, channels: int) -> None:
    """Refuse a trace by the fewest and the most values that a point of it has."""
    if least < 2:
        raise MalformedInk("a point of a trace has fewer than two values")
    if most > channels:
        raise MalformedInk(
            f"a point of a trace has {most} values, but its traceFormat {channels} channels; commas part points"
        )


def _count_words(text: str) -> int:
    """How many words commas and spaces part, counted without making them."""
    between = _BETWEEN[np.frombuffer(text.encode("latin-1", "replace"), np.uint8)]
    return int((between[:-1] & ~between[1:]).sum()) + int(not between[0])


def _plain_points(text: str, channels: int) -> FloatArray:
    width = len(text.partition(",")[0].split())
    if width == 1:  # `x,y x,y`: the comma parts values and the space parts points
        joined = _single_spaces(text).replace(" ,", ",").replace(", ", ",")
        first, *others = joined.split()
        width, points = first.count(",") + 1, len(others) + 1
    else:
        points = text.count(",") + 1
    if points > MAX_POINTS:
        raise InkTooLarge(f"a trace has more than {MAX_POINTS} points")
    values = np.array(text.replace(",", " ").split(), dtype=np.float64)
    if len(values) != width * points:
        return _ragged_points(text, channels)
    _check_widths(width, width, channels)
    return values.reshape(points, width)


def _single_spaces(text: str) -> str:
    """Long runs of spaces would take a pattern the square of their length."""
    return " ".join(text.split())


def _ragged_points(text: str, channels: int) -> FloatArray:
    """Points that do not all have the same number of values keep the channels that all of them have."""
    rows = [[float(value) for value in point.split()] for point in text.split(",")]
    width = min(map(len, rows))
    _check_widths(width, max(map(len, rows)), channels)
    return np.array([row[:width] for row in rows])


def _coded_points(text: str, most: int, channels: int, places: Collection[int]) -> FloatArray:
    """Values marked `'` (velocity), `\"` (acceleration), `!` (explicit), `*` (as before) or `?` (unknown)."""
    if text.count(",") >= MAX_POINTS:
        raise InkTooLarge(f"a trace has more than {MAX_POINTS} points")
    rows: list[list[_Code]] = []
    left = most
    for point in map(str.strip, _single_spaces(text).split(",")):
        if len(point) > left and sum(1 for _ in islice(_VALUE.finditer(point), left + 1)) > left:
            _refuse_values()
        values = _VALUE.findall(point)
        left -= len(values)
        if sum(len(value[0]) for value in values) != len(point):
            unread = _VALUE.sub("", point).strip()
            raise MalformedInk(f"a trace holds {unread[:20]!r}, which is not a value")
        rows.append(values)
    width = min(map(len, rows))
    _check_widths(width, max(map(len, rows)), channels)
    columns = [_decoded([row[column] for row in rows]) for column in range(width)]
    if any(isnan(value) for column in places if column < width for value in columns[column]):
        raise MalformedInk("a trace holds a place marked as unknown (?)")
    return np.array(columns).T


def _decoded(codes: list[_Code]) -> list[float]:
    """The values of one channel."""
    mode, value, velocity = "!", 0.0, 0.0
    decoded = []
    for _, prefix, number, hexadecimal, sign in codes:
        mode = prefix or mode
        if sign == "?":
            value = nan  # and so is what is told by its difference to it
        elif sign == "*":
            value += velocity if mode != "!" else 0.0
        else:
            coded = float(number) if number else float(int(hexadecimal, 16) if hexadecimal else sign == "T")
            if mode == "!":
                value, velocity = coded, 0.0
            else:
                velocity = coded + (velocity if mode == '"' else 0.0)
                value += velocity
        decoded.append(value)
    return decoded


def canvas_matrix(transform: Element) -> Matrix:
    """The first mapping of a canvasTransform, which leads from traces to the canvas."""
    mapping = next((child for child in transform if local_name(child) == "mapping"), None)
    kind = "identity" if mapping is None else mapping.get("type", "unknown")
    if mapping is None or kind == "identity":
        return ()
    if kind != "affine":
        raise MalformedInk(f"the canvasTransform has a mapping of type {kind[:40]!r}; affine ones are read")
    inner = next((child for child in mapping if local_name(child) == "affine"), mapping)
    try:
        rows = tuple(tuple(map(float, row.split())) for row in (inner.text or "").strip().split(","))
    except ValueError:
        rows = ()
    if [len(row) for row in rows] != [3, 3] or not all(map(isfinite, (*rows[0], *rows[1]))):
        raise MalformedInk("the affine mapping of the canvasTransform is not of two rows of three numbers")
    return rows


def joined(pieces: Sequence[Stroke]) -> Stroke:
    """One stroke of the pieces that continue one another."""
    if len(pieces) == 1:
        return pieces[0]

    def join(name: str) -> FloatArray | None:
        values = [getattr(piece, name) for piece in pieces]
        return None if any(one is None for one in values) else np.concatenate(values)

    return Stroke(
        np.concatenate([piece.xy for piece in pieces]), time=join("time"), pressure=join("pressure")
    )
