"""Lines: an ink of several lines of mathematics parted into its lines, by the places of its strokes alone.

Strokes fall into bands between which a horizontal line can be drawn. Two neighbouring bands are one line of
mathematics if they nearly touch, if one of them is no more than dots and bars, if a fraction's bar holds them
together, or if one is small writing over or under the other, as the limits of a sum are.

The strokes are held in the order of their bands, so a band is a slice of them, and so is a line. Each bar is compared
with each stroke once when their lines are joined and at most twice when they are not: 2,000 strokes of any kind take a
fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

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

_AT_ONCE = 1_000_000  # pairs of a bar and a stroke that are compared together, which bounds the memory

_Indices = npt.NDArray[np.intp]
_Flags = npt.NDArray[np.bool_]


def lines_of(ink: Ink) -> tuple[tuple[int, ...], ...]:
    """The strokes of each line, top to bottom; every stroke is in one line, and a single formula is one line."""
    boxes = stroke_boxes(ink)
    bands = parted([(box.top, box.bottom) for box in boxes])
    order = [stroke for band in bands for stroke in band]
    sheet = _Sheet([boxes[stroke] for stroke in order], writing_size(boxes))
    starts = np.cumsum([0, *map(len, bands[:-1])])
    return tuple(tuple(sorted(order[line])) for line in _joined(sheet, starts))


def _joined(sheet: _Sheet, starts: _Indices) -> list[slice]:
    """Bands joined to lines, the closest neighbours first; twice, since what has grown may hold more together."""
    bands = [slice(*ends) for ends in zip(starts.tolist(), [*starts[1:].tolist(), sheet.count], strict=True)]
    for band in bands:
        sheet.look_along(band, band)
    stop_of = {band.start: band.stop for band in bands}
    start_of = {band.stop: band.start for band in bands}
    gaps = sorted(zip(sheet.gaps(starts), starts[1:].tolist(), strict=True))
    for gap, at in gaps + gaps:
        if at not in stop_of:
            continue  # within a line by now
        upper, lower = slice(start_of[at], at), slice(at, stop_of[at])
        if sheet.is_one_line(upper, lower, gap):
            sheet.look_along(upper, lower)
            sheet.look_along(lower, upper)
            del stop_of[at], start_of[at]
            stop_of[upper.start], start_of[lower.stop] = lower.stop, upper.start
    return [slice(*ends) for ends in sorted(stop_of.items())]


class _Sheet:
    """The boxes of all strokes in the order of their bands, and what is known of those that may be bars."""

    def __init__(self, boxes: Sequence[StrokeBox], unit: float) -> None:
        self.count = len(boxes)
        self._unit = unit
        self._left, self._top, self._right, self._bottom = np.array(
            [(box.left, box.top, box.right, box.bottom) for box in boxes]
        ).T.copy()
        self._width, self._height = self._right - self._left, self._bottom - self._top
        self._size = np.maximum(self._width, self._height)
        self._is_bar = (self._height < _FLAT * self._width) & (self._width > _SHORTEST_BAR * unit)
        self._has_above = np.zeros(self.count, dtype=bool)  # another box of its line, over the bar
        self._has_below = np.zeros(self.count, dtype=bool)

    def gaps(self, starts: _Indices) -> list[float]:
        """From each band to the next one."""
        tops, bottoms = np.minimum.reduceat(self._top, starts), np.maximum.reduceat(self._bottom, starts)
        gaps: list[float] = (tops[1:] - bottoms[:-1]).tolist()
        return gaps

    def look_along(self, line: slice, others: slice) -> None:
        """See which bars of a line have any of the others above or below them."""
        for bars in self._some(line, self._is_bar & ~(self._has_above & self._has_below), others):
            facing = self._facing(bars, others) & (bars != np.arange(others.start, others.stop))
            above, below = self._bottom[others] <= self._bottom[bars], self._top[others] >= self._top[bars]
            self._has_above[bars[:, 0]] |= (facing & above).any(axis=1)
            self._has_below[bars[:, 0]] |= (facing & below).any(axis=1)

    def is_one_line(self, upper: slice, lower: slice, gap: float) -> bool:
        gap = gap / self._unit if self._unit else 0.0
        return (
            gap < _NEAR
            or (gap < _REACH and (self._is_slight(upper) or self._is_slight(lower)))
            or self._is_fraction(upper, lower)
            or (gap < _LIMIT_REACH and (self._is_limit(upper, lower) or self._is_limit(lower, upper)))
        )

    def _is_slight(self, line: slice) -> bool:
        """Whether a line has nothing but dots and bars."""
        return bool(self._height[line].max() < _SLIGHT * self._unit)

    def _is_fraction(self, upper: slice, lower: slice) -> bool:
        """Whether the upper line is numerators over bars of the lower, or the lower denominators under the upper's.

        A bar of the upper line with nothing above it is a minus sign or an arrow; one with something on both sides has
        its numerator and its denominator already.
        """
        over = self._is_bar & self._has_above & ~self._has_below
        under = self._is_bar & ~self._has_above
        return self._hold(upper, over, lower) or self._hold(lower, under, upper)

    def _hold(self, line: slice, which: _Flags, others: slice) -> bool:
        """Whether most of the others stand over or under bars of a line, which are near and as wide as they are."""
        held = 0
        for bars in self._some(line, which, others):
            facing = self._facing(bars, others)
            between = np.maximum(
                self._top[others] - self._bottom[bars], self._top[bars] - self._bottom[others]
            )
            near = np.where(facing, between, np.inf).min(axis=1) <= _BAR_REACH * self._unit
            first = np.where(facing, self._left[others], np.inf).min(axis=1)
            last = np.where(facing, self._right[others], -np.inf).max(axis=1)
            wide = self._width[bars[:, 0]] > _BAR_WIDTH * (last - first)
            held += int(facing[near & wide].sum())
        return bool(held >= _MOST * (others.stop - others.start))

    def _some(self, line: slice, which: _Flags, others: slice) -> Iterator[_Indices]:
        """The places of a line's bars, a column each time, as many as are compared with others at once."""
        bars = line.start + np.flatnonzero(which[line])
        most = max(1, _AT_ONCE // (others.stop - others.start))
        for start in range(0, len(bars), most):
            yield bars[start : start + most, None]

    def _facing(self, bars: _Indices, others: slice) -> _Flags:
        """Which of the others lie within the width of a bar: a row for each bar."""
        overhang = _OVERHANG * self._unit
        right_of, left_of = self._left[bars] - overhang, self._right[bars] + overhang
        facing: _Flags = (right_of < self._left[others]) & (self._right[others] < left_of)
        return facing

    def _is_limit(self, small: slice, large: slice) -> bool:
        """Whether a line is small writing within the width of the other."""
        overhang = _OVERHANG * self._unit
        left, right = self._left[large].min(), self._right[large].max()
        first, last = self._left[small].min(), self._right[small].max()
        return bool(
            last - first < _NARROW * (right - left)
            and left - overhang < first
            and last < right + overhang
            and np.median(self._size[small]) < _SMALL * np.median(self._size[large])
        )
