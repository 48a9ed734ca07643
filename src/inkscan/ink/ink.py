"""Ink: what a pen wrote, as a frozen sequence of strokes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, overload

import numpy as np
import numpy.typing as npt

from inkscan.errors import BadCoordinate, InkTooLarge, MalformedInk, NoStrokes

FloatArray = npt.NDArray[np.float64]
Points = Sequence[Sequence[float]] | npt.NDArray[Any]  # of a stroke, one after the other
ChannelValues = Sequence[float] | npt.NDArray[Any]  # one value a point

MAX_BYTES = 8_000_000  # of a file, before it is parsed
MAX_STROKES = 10_000
MAX_POINTS = 200_000  # the longest expression of CROHME has 6,581
MAX_COORDINATE = 1e9
_SHAPE = (
    "an ink is a list of strokes, and a stroke a list of points: Ink([[[0, 0], [4, 9]], [[7, 2], [7, 5]]])"
)


_Function = TypeVar("_Function", bound=Callable[..., Any])
_WAYS: dict[str, Callable[..., Any]] = {}


def way(name: str) -> Callable[[_Function], _Function]:
    """Offer a function to the methods of Ink: files and drawings are known to modules that import this one.

    The package imports them all, so an Ink can always be read, saved and drawn.
    """

    def offered(function: _Function) -> _Function:
        _WAYS[name] = function
        return function

    return offered


@dataclass(frozen=True, eq=False, init=False)
class Stroke:
    """The points between one pen-down and pen-up; y grows downwards. Time is in milliseconds."""

    xy: FloatArray  # (n, 2)
    time: FloatArray | None = None  # (n,)
    pressure: FloatArray | None = None  # (n,)

    def __init__(
        self, xy: Points, time: ChannelValues | None = None, pressure: ChannelValues | None = None
    ) -> None:
        xy = _frozen(xy)
        if xy.ndim != 2 or xy.shape[1] != 2 or len(xy) == 0:
            raise MalformedInk("a stroke needs at least one point of two coordinates")
        _check_coordinates(xy)
        object.__setattr__(self, "xy", xy)
        for name, values in (("time", time), ("pressure", pressure)):
            if values is not None:
                channel = _frozen(values)
                if channel.shape != (len(xy),):
                    raise MalformedInk(f"a stroke's {name} needs one value for each point")
                if not np.isfinite(channel).all():
                    raise BadCoordinate(f"a stroke's {name} must be finite")
                object.__setattr__(self, name, channel)

    @classmethod
    def from_points(cls, points: Points) -> Stroke:
        """From (x, y), (x, y, time) or (x, y, time, pressure) points."""
        values = _frozen(points)
        if values.ndim != 2 or not len(values):
            raise MalformedInk("a stroke has no points, or its points are not lists of numbers")
        count = values.shape[1]
        if not 2 <= count <= 4:
            raise MalformedInk(f"a point is x, y and perhaps time and pressure: 2 to 4 numbers, not {count}")
        time, pressure = (values[:, i] if count > i else None for i in (2, 3))
        return cls(values[:, :2], time=time, pressure=pressure)

    @classmethod
    def _checked(cls, xy: FloatArray) -> Stroke:
        stroke = object.__new__(cls)
        object.__setattr__(stroke, "xy", xy)
        return stroke

    def __len__(self) -> int:
        return len(self.xy)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stroke):
            return NotImplemented
        return (
            np.array_equal(self.xy, other.xy)
            and _same_channel(self.time, other.time)
            and _same_channel(self.pressure, other.pressure)
        )

    def __hash__(self) -> int:
        return hash((self.xy + 0.0).tobytes())  # -0.0 equals 0.0


@dataclass(frozen=True)
class Box:
    """An axis-parallel bounding box."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True, init=False, repr=False)
class Ink:
    """At least one stroke, in writing order; a stroke may be given as a list of points."""

    strokes: tuple[Stroke, ...]
    ids: tuple[str, ...] = field(default=(), compare=False)  # the file's own names of the strokes, if any

    def __init__(self, strokes: Iterable[Stroke | Points], ids: Sequence[str] = ()) -> None:
        object.__setattr__(self, "strokes", _strokes(strokes))
        object.__setattr__(self, "ids", tuple(ids))
        if not self.strokes:
            raise NoStrokes("the ink has no strokes, so there is nothing to recognise")
        if len(self.strokes) > MAX_STROKES:
            raise InkTooLarge(f"{len(self.strokes)} strokes; the limit is {MAX_STROKES}")
        if self.point_count > MAX_POINTS:
            raise InkTooLarge(f"{self.point_count} points; the limit is {MAX_POINTS}")

    @classmethod
    def from_points(cls, strokes: Iterable[Points]) -> Ink:
        """From one sequence of (x, y), (x, y, time) or (x, y, time, pressure) points a stroke."""
        return cls(tuple(map(Stroke.from_points, strokes)))

    @classmethod
    def from_flat(cls, xy: FloatArray, offsets: npt.NDArray[np.integer]) -> Ink:
        """From the points of all strokes together; stroke i is `xy[offsets[i] : offsets[i + 1]]`."""
        xy = _frozen(xy)
        if xy.ndim != 2 or xy.shape[1] != 2 or (np.diff(offsets) <= 0).any():
            raise MalformedInk("a stroke needs at least one point of two coordinates")
        _check_coordinates(xy)
        bounds = offsets.tolist()
        return cls(tuple(Stroke._checked(xy[a:b]) for a, b in pairwise(bounds)))

    @classmethod
    def read(cls, source: str | Path | bytes | BinaryIO | dict[str, Any] | list[Any]) -> Ink:
        """Read a file, a binary stream, the bytes themselves or a JSON value; the format is told by content."""
        ink: Ink = _WAYS["read"](source)
        return ink

    def save(self, path: str | Path) -> None:
        """Write a file in the format of its suffix, such as .inkml; `ink.formats` has a row for each."""
        _WAYS["save"](self, path)

    def __repr__(self) -> str:
        box = self.box()
        corners = f"({box.left:g}, {box.top:g}) to ({box.right:g}, {box.bottom:g})"
        return f"<Ink: strokes {len(self)}, points {self.point_count}, {corners}>"

    def __len__(self) -> int:
        return len(self.strokes)

    def __iter__(self) -> Iterator[Stroke]:
        return iter(self.strokes)

    @overload
    def __getitem__(self, index: int) -> Stroke: ...
    @overload
    def __getitem__(self, index: slice) -> Ink: ...
    def __getitem__(self, index: int | slice) -> Stroke | Ink:
        """A stroke, or the ink of some of them."""
        if isinstance(index, slice):
            return Ink(self.strokes[index], self.ids[index])
        return self.strokes[index]

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        drawing: str = _WAYS["draw"](self)
        return drawing

    @property
    def point_count(self) -> int:
        return sum(len(stroke) for stroke in self.strokes)

    def only(self, indices: Iterable[int]) -> Ink:
        """Some of its strokes, or all of them, in the order given."""
        chosen = tuple(indices)
        names = [self.ids[i] for i in chosen] if len(self.ids) == len(self) else ()
        return Ink(tuple(self.strokes[i] for i in chosen), names)

    def box(self, indices: Iterable[int] | None = None) -> Box:
        """The bounding box of all strokes, or of the given ones."""
        chosen = self.strokes if indices is None else [self.strokes[i] for i in indices]
        points = np.concatenate([stroke.xy for stroke in chosen])
        left, top = points.min(axis=0)
        right, bottom = points.max(axis=0)
        return Box(float(left), float(top), float(right), float(bottom))


def _strokes(given: object) -> tuple[Stroke, ...]:
    """The strokes of an Ink, which may be given points instead."""
    if isinstance(given, str | bytes | dict | Path) or not isinstance(given, Iterable):
        raise MalformedInk(f"{_SHAPE}; files, bytes and JSON values are read by Ink.read")
    try:
        return tuple(one if isinstance(one, Stroke) else Stroke.from_points(one) for one in given)
    except MalformedInk as error:
        raise MalformedInk(f"{_SHAPE}: {error}") from error


def _check_coordinates(xy: FloatArray) -> None:
    if xy.size and not np.abs(xy).max() <= MAX_COORDINATE:  # NaN compares false
        raise BadCoordinate(f"coordinates must be finite and at most {MAX_COORDINATE:.0e} in size")


def _frozen(values: npt.ArrayLike) -> FloatArray:
    if isinstance(values, np.ndarray) and values.dtype == np.float64 and not _can_change(values):
        return values
    try:
        array = np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise BadCoordinate("a coordinate is too large") from error
    except (TypeError, ValueError) as error:
        raise MalformedInk("the points of a stroke are not lists of equally many numbers") from error
    array.setflags(write=False)
    return array


def _can_change(array: npt.NDArray[np.generic]) -> bool:
    """Whether an array, or one that it is a view of, can be written to."""
    one: object = array
    while isinstance(one, np.ndarray):
        if one.flags.writeable:
            return True
        one = one.base
    return False


def _same_channel(a: FloatArray | None, b: FloatArray | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b)
