"""Lines: an ink of several lines of mathematics parted into its lines, by the places of its strokes alone.

Strokes fall into bands between which a horizontal line can be drawn. Two neighbouring bands are one line of
mathematics if they nearly touch, if one of them is no more than dots and bars, if a fraction's bar holds them
together, or if one is small writing over or under the other, as the limits of a sum are.
"""

from __future__ import annotations

from collections.abc import Sequence

from inkscan.ink import Ink
from inkscan.ink.boxes import StrokeBox, parted, stroke_boxes, writing_size

# All in units of the writing's size, the median of its strokes' longer sides.
_NEAR = 0.4  # bands closer than this are one line
_SLIGHT = 0.3  # a stroke lower than this is a dot or a bar
_REACH = 1.2  # how far a dot or a bar may be from its line
_LIMIT_REACH = 1.0  # how far the limits of a sum may be from it
_BAR_REACH = 2.0  # how far numerator and denominator may be from their bar
_SHORTEST_BAR = 0.8  # a stroke that is not wider is no fraction's bar
_OVERHANG = 1.0  # how far they may stand out beyond its ends

_FLAT = 0.3  # height over width of a bar
_MOST = 0.8  # of a numerator's or denominator's strokes that stand over or under the bar
_SMALL = 0.75  # size of limits over that of their line
_BAR_WIDTH = 0.7  # width of a bar over that of its numerator or denominator
_NARROW = 0.8  # width of limits over that of their line


_Band = list[StrokeBox]


def lines_of(ink: Ink) -> tuple[tuple[int, ...], ...]:
    """The strokes of each line, top to bottom; every stroke is in one line, and a single formula is one line."""
    boxes = stroke_boxes(ink)
    unit = writing_size(boxes)
    lines = _joined(_bands(boxes), unit)
    return tuple(tuple(sorted(box.stroke for box in line)) for line in lines)


def _bands(boxes: Sequence[StrokeBox]) -> list[_Band]:
    """Boxes in groups between which a horizontal line passes, top to bottom."""
    return [[boxes[at] for at in group] for group in parted([(box.top, box.bottom) for box in boxes])]


def _joined(bands: list[_Band], unit: float) -> list[_Band]:
    """Bands joined to lines, the closest neighbours first; twice, since what has grown may hold more together."""
    line_of = [list(band) for band in bands]
    gaps = sorted((_gap(bands[at], bands[at + 1]), at) for at in range(len(bands) - 1))
    for gap, at in gaps + gaps:
        upper, lower = line_of[at], line_of[at + 1]
        if upper is not lower and _is_one_line(upper, lower, gap / unit if unit else 0.0, unit):
            upper.extend(lower)
            line_of = [upper if line is lower else line for line in line_of]
    return [line for at, line in enumerate(line_of) if at == 0 or line is not line_of[at - 1]]


def _gap(upper: _Band, lower: _Band) -> float:
    return min(box.top for box in lower) - max(box.bottom for box in upper)


def _is_one_line(upper: _Band, lower: _Band, gap: float, unit: float) -> bool:
    """`gap` is in units."""
    return (
        gap < _NEAR
        or (gap < _REACH and (_is_slight(upper, unit) or _is_slight(lower, unit)))
        or _is_fraction(upper, lower, unit)
        or (gap < _LIMIT_REACH and (_is_limit(upper, lower, unit) or _is_limit(lower, upper, unit)))
    )


def _is_slight(band: _Band, unit: float) -> bool:
    """Whether a band has nothing but dots and bars."""
    return all(box.height < _SLIGHT * unit for box in band)


def _is_fraction(upper: _Band, lower: _Band, unit: float) -> bool:
    """Whether the upper band is numerators over bars of the lower, or the lower denominators under bars of the upper.

    A bar of the upper band with nothing above it is a minus sign or an arrow; one with something on both sides has
    its numerator and its denominator already.
    """
    over = [
        bar for bar in _bars(upper, unit) if _has_above(bar, upper, unit) and not _has_below(bar, upper, unit)
    ]
    under = [bar for bar in _bars(lower, unit) if not _has_above(bar, lower, unit)]
    return _hold(over, lower, unit) or _hold(under, upper, unit)


def _bars(band: _Band, unit: float) -> _Band:
    return [box for box in band if box.height < _FLAT * box.width and box.width > _SHORTEST_BAR * unit]


def _has_above(bar: StrokeBox, band: _Band, unit: float) -> bool:
    return any(box.bottom <= bar.bottom and _faces(bar, box, unit) for box in band if box is not bar)


def _has_below(bar: StrokeBox, band: _Band, unit: float) -> bool:
    return any(box.top >= bar.top and _faces(bar, box, unit) for box in band if box is not bar)


def _hold(bars: _Band, others: _Band, unit: float) -> bool:
    """Whether most of the others stand over or under bars, which are near and as wide as they are."""
    held = 0
    for bar in bars:
        facing = [box for box in others if _faces(bar, box, unit)]
        if not facing or min(_height_between(bar, box) for box in facing) > _BAR_REACH * unit:
            continue
        if bar.width > _BAR_WIDTH * (max(box.right for box in facing) - min(box.left for box in facing)):
            held += len(facing)
    return held >= _MOST * len(others)


def _height_between(one: StrokeBox, other: StrokeBox) -> float:
    return max(other.top - one.bottom, one.top - other.bottom)


def _faces(bar: StrokeBox, box: StrokeBox, unit: float) -> bool:
    """Whether a box lies within the width of a bar."""
    return bar.left - _OVERHANG * unit < box.left and box.right < bar.right + _OVERHANG * unit


def _is_limit(small: _Band, large: _Band, unit: float) -> bool:
    """Whether a band is small writing within the width of the other."""
    left, right = min(box.left for box in large), max(box.right for box in large)
    first, last = min(box.left for box in small), max(box.right for box in small)
    return (
        writing_size(small) < _SMALL * writing_size(large)
        and last - first < _NARROW * (right - left)
        and left - _OVERHANG * unit < first
        and last < right + _OVERHANG * unit
    )
