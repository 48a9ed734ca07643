"""What the traceViews of InkML select: traces, groups and other views, whole or from one place to another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from xml.etree.ElementTree import Element

from inkscan.errors import InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_STROKES, Stroke
from inkscan.ink.xml import element_id, local_name

MAX_DEPTH = 100
TRACE_DATA = frozenset({"trace", "traceGroup", "traceView"})
_MAX_REFERRED = 10 * MAX_STROKES  # strokes that all views and groups together refer to
_PLACE = re.compile(r"\d{1,9}(:\d{1,9})*")
_Place = tuple[int, ...]  # the number of a child, of a child's child and so on, at last of a point; from 1

Key = str | Element  # a name, or the element itself where it has none
_Named = TypeVar("_Named")


@dataclass(frozen=True)
class Part:
    """A stroke, or its points from the first to the last, counted from 1."""

    stroke: int
    first: int = 0
    last: int = 0  # 0: the whole stroke

    def of(self, stroke: Stroke) -> Stroke:
        if not self.last:
            return stroke
        time, pressure = (
            None if values is None else values[self.first - 1 : self.last]
            for values in (stroke.time, stroke.pressure)
        )
        return Stroke(stroke.xy[self.first - 1 : self.last], time=time, pressure=pressure)


class Views:
    """Resolves references when a document has been walked, for they may point forwards."""

    def __init__(
        self,
        elements: Mapping[Key, Element],
        members: Mapping[Key, Sequence[int]],
        pieces: Sequence[Sequence[Stroke]],
    ) -> None:
        self._elements = elements  # traces, groups and views by their names
        self._members = members  # the strokes of each trace
        self._pieces = pieces  # of each stroke
        self._referred = 0

    def parts(self, element: Element) -> Iterator[Part]:
        """What a trace, a group or a view stands for, in order."""
        return self._element(element, (), (), 0)

    def _element(self, element: Element, start: _Place, end: _Place, depth: int) -> Iterator[Part]:
        self._count()
        if depth > MAX_DEPTH:
            raise MalformedInk(f"elements are nested, or refer to one another, more than {MAX_DEPTH} deep")
        name = local_name(element)
        if name == "trace":
            yield from self._trace(self._members.get(key_of(element), ()), start, end)
        elif name == "traceView" and (reference := element.get("traceDataRef")):
            first, last = _place(element, "from"), _place(element, "to")
            if (first or last) and (start or end):
                raise MalformedInk("a traceView selects a part of what another selects a part of")
            yield from self._named(reference, first or start, last or end, depth + 1)
        else:
            yield from self._children(element, start, end, depth + 1)

    def _named(self, reference: str, start: _Place, end: _Place, depth: int) -> Iterator[Part]:
        if (strokes := referred(reference, self._members)) is not None:
            yield from self._trace(strokes, start, end)
        elif (element := referred(reference, self._elements)) is not None:
            yield from self._element(element, start, end, depth)
        else:
            raise MalformedInk(f"a traceView refers to {reference[:40]!r}, which the file does not hold")

    def _children(self, element: Element, start: _Place, end: _Place, depth: int) -> Iterator[Part]:
        children = [child for child in element if local_name(child) in TRACE_DATA]
        first, last = _bounds(start, end, len(children), "element")
        for number in range(first, last + 1):
            yield from self._element(
                children[number - 1],
                start[1:] if number == first else (),
                end[1:] if number == last else (),
                depth,
            )

    def _trace(self, strokes: Sequence[int], start: _Place, end: _Place) -> Iterator[Part]:
        if not start and not end:
            for stroke in strokes:
                self._count()
                yield Part(stroke)
            return
        if len(strokes) != 1 or len(self._pieces[strokes[0]]) != 1 or max(len(start), len(end)) > 1:
            raise MalformedInk("a traceView has `from` or `to` of what is not one trace without continuation")
        points = len(self._pieces[strokes[0]][0])
        first, last = _bounds(start, end, points, "point")
        whole = (first, last) == (1, points)
        yield Part(strokes[0]) if whole else Part(strokes[0], first, last)

    def _count(self) -> None:
        self._referred += 1
        if self._referred > _MAX_REFERRED:
            raise InkTooLarge(f"traceViews and groups refer to strokes more than {_MAX_REFERRED} times")


def key_of(element: Element) -> Key:
    return element_id(element) or element


def referred(reference: Key, known: Mapping[Key, _Named]) -> _Named | None:
    """What a reference names: the whole of it, as CROHME writes names, or what follows its last `#`."""
    if reference in known or not isinstance(reference, str):
        return known.get(reference)
    return known.get(reference.rpartition("#")[2])


def _place(view: Element, attribute: str) -> _Place:
    text = (view.get(attribute) or "").strip()
    if text and not _PLACE.fullmatch(text):
        raise MalformedInk(
            f"the `{attribute}` of a traceView is {text[:40]!r}; whole numbers from 1 are read, as 2:1"
        )
    return tuple(map(int, text.split(":"))) if text else ()


def _bounds(start: _Place, end: _Place, count: int, what: str) -> tuple[int, int]:
    first, last = start[0] if start else 1, end[0] if end else count
    if (start or end) and not 1 <= first <= last <= count:
        raise MalformedInk(f"a traceView goes from {what} {first} to {last} where there are {count}")
    return first, last
