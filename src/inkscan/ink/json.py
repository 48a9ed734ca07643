"""Ink as JSON: plain, Mathpix's and MyScript's shapes in, the plain shape out.

    plain      {"strokes": [[[x, y], [x, y]], ...]}             points may go on with time and pressure
    plain      {"strokes": [{"x": [...], "y": [...], "t": [...], "p": [...], "id": "s1"}, ...]}
    Mathpix    {"strokes": {"strokes": {"x": [[...], ...], "y": [[...], ...]}}}
    MyScript   {"strokeGroups": [{"strokes": [{"x": [...], "y": [...], "t": [...], "p": [...]}]}]}

Other keys are ignored, so a whole request body of either service is read as it is. An eraser's strokes (MyScript's
`"pointerType": "ERASER"`) are refused: they are no ink, and without them what they have rubbed out would be.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain, count
from typing import Any, NoReturn

import numpy as np

from inkscan.errors import BadCoordinate, BadEncoding, InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_BYTES, MAX_POINTS, MAX_STROKES, FloatArray, Ink, Stroke

STROKE_KEYS = ("strokes", "strokeGroups")  # of the shapes above; what stands beside them is not ink
_NUMBERS = {int, float}  # and not bool


def read_json(data: bytes) -> Ink:
    """Read ink from JSON text of any of the shapes."""
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"more than {MAX_BYTES} bytes, the limit of one ink")
    if data.count(b"[") > MAX_POINTS + 4 * MAX_STROKES:
        raise InkTooLarge(f"more lists than {MAX_POINTS} points in {MAX_STROKES} strokes need")
    return ink_from_json(parse_json(data))


def parse_json(data: bytes) -> Any:
    """The value of JSON text."""
    try:
        return json.loads(data)
    except UnicodeDecodeError as error:
        raise BadEncoding("the JSON is not valid UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise MalformedInk(f"the JSON is broken or cut short: {error}") from error


def ink_from_json(value: object) -> Ink:
    """Ink from a JSON value of any of the shapes."""
    strokes = _stroke_values(value)
    if len(strokes) > MAX_STROKES:
        raise InkTooLarge(f"{len(strokes)} strokes; the limit is {MAX_STROKES}")
    ids = [stroke.get("id") if isinstance(stroke, dict) else None for stroke in strokes]
    _refuse_erasers(strokes)
    return Ink(tuple(map(_stroke, strokes)), ids=_names(ids))


def _refuse_erasers(strokes: Sequence[Any]) -> None:
    kinds = (stroke.get("pointerType") if isinstance(stroke, dict) else None for stroke in strokes)
    numbers = [
        at for at, kind in enumerate(kinds, start=1) if isinstance(kind, str) and kind.upper() == "ERASER"
    ]
    if numbers:
        which = f"stroke {numbers[0]}" + f" and {len(numbers) - 1} more" * (len(numbers) > 1)
        raise MalformedInk(
            f"an eraser's strokes (pointerType ERASER) are no ink: {which} of {len(strokes)}; send the strokes "
            "that are left when it has erased"
        )


def _names(ids: Sequence[Any]) -> tuple[str, ...]:
    """The strokes' own names; where only some have one, the others get names that none has."""
    given = {name for name in ids if isinstance(name, str)}
    if not given:
        return ()
    free = (name for at in count() if (name := f"s{at}") not in given)
    return tuple(name if isinstance(name, str) else next(free) for name in ids)


def to_json(ink: Ink) -> dict[str, Any]:
    """The plain shape with named channels, as a JSON value."""
    names = ink.ids if len(ink.ids) == len(ink) else (None,) * len(ink)
    return {"strokes": [_stroke_value(s, name) for s, name in zip(ink.strokes, names, strict=True)]}


def write_json(ink: Ink) -> bytes:
    """The plain shape with named channels, as UTF-8 text."""
    return json.dumps(to_json(ink), separators=(",", ":"), allow_nan=False).encode()


def _stroke_values(value: object) -> Sequence[Any]:
    if isinstance(value, dict) and isinstance(value.get("strokeGroups"), list):
        return [stroke for group in value["strokeGroups"] for stroke in _strokes_in(group)]
    return _strokes_in(value)


def _strokes_in(value: object) -> Sequence[Any]:
    if isinstance(value, dict):
        value = value.get("strokes")
        if isinstance(value, dict):
            value = value.get("strokes", value)
        if isinstance(value, dict):
            return _from_columns(value)
    if not isinstance(value, list):
        _refuse()
    return value


def _from_columns(value: dict[str, Any]) -> Sequence[Any]:
    channels = {name: value[name] for name in ("x", "y", "t", "p") if value.get(name) is not None}
    lengths = {len(column) if isinstance(column, list) else -1 for column in channels.values()}
    if "x" not in channels or "y" not in channels or len(lengths) != 1 or -1 in lengths:
        _refuse()
    return [dict(zip(channels, row, strict=True)) for row in zip(*channels.values(), strict=True)]


def _stroke(value: object) -> Stroke:
    if isinstance(value, dict):
        x, y = _numbers(_listed(value.get("x"))), _numbers(_listed(value.get("y")))
        if len(x) != len(y):
            raise MalformedInk(f"a stroke has {len(x)} x and {len(y)} y values")
        time, pressure = (_numbers(_listed(value[name])) if value.get(name) else None for name in ("t", "p"))
        return Stroke(np.stack([x, y], axis=1), time=time, pressure=pressure)
    points = _listed(value)
    if set(map(type, points)) != {list}:
        raise MalformedInk("a stroke has no points, or its points are not lists of numbers")
    if len(set(map(len, points))) != 1:
        raise MalformedInk("the points of a stroke do not all have the same number of values")
    values = _numbers(list(chain.from_iterable(points)))
    return Stroke.from_points(values.reshape(len(points), len(points[0])))


def _numbers(values: list[Any]) -> FloatArray:
    # Before NumPy sees them: of one long string and many numbers it would make as many long strings.
    if not set(map(type, values)) <= _NUMBERS:
        raise MalformedInk("a coordinate is not a number")
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise BadCoordinate("a coordinate is too large") from error


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        _refuse()
    if len(value) > MAX_POINTS:
        raise InkTooLarge(f"a stroke of {len(value)} points; the limit is {MAX_POINTS}")
    return value


def _stroke_value(stroke: Stroke, name: str | None) -> dict[str, Any]:
    value: dict[str, Any] = {"x": stroke.xy[:, 0].tolist(), "y": stroke.xy[:, 1].tolist()}
    if stroke.time is not None:
        value["t"] = stroke.time.tolist()
    if stroke.pressure is not None:
        value["p"] = stroke.pressure.tolist()
    if name is not None:
        value["id"] = name
    return value


def _refuse() -> NoReturn:
    raise MalformedInk(
        'no strokes found in this JSON; send {"strokes": [[[0, 0], [4, 9]], [[7, 2], [7, 5]]]}, a list of '
        "[x, y] points for each stroke, or the stroke shapes of Mathpix or MyScript"
    )
