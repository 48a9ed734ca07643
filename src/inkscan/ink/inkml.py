"""InkML from outside: CROHME, MathWriting and the W3C's general form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TypeVar
from xml.etree.ElementTree import Element

import numpy as np

from inkscan.errors import InkTooLarge, MalformedInk
from inkscan.ink.ink import MAX_POINTS, MAX_STROKES, FloatArray, Ink, Stroke
from inkscan.ink.inkml_points import MAX_VALUES, Channel, Matrix, TraceFormat, parse_points
from inkscan.ink.xml import element_id, local_name, parse_xml

_MAX_DEPTH = 100
_FORMATTING = frozenset({"context", "inkSource", "traceFormat", "canvasTransform"})
_MAX_REFERRED = 10 * MAX_STROKES  # strokes that all groups together refer to


@dataclass(frozen=True)
class SymbolGroup:
    """Strokes that the file calls one symbol; `href` names its MathML element."""

    label: str
    strokes: tuple[int, ...]
    id: str = ""
    href: str = ""


@dataclass(frozen=True)
class InkmlDocument:
    """All of an InkML file that recognition and corpora use."""

    ink: Ink
    annotations: Mapping[str, str] = field(default_factory=dict)
    mathml: Element | None = None
    groups: tuple[SymbolGroup, ...] = ()


def read_inkml(data: bytes) -> InkmlDocument:
    """Read an InkML file; raises an InkError where it cannot be trusted or understood."""
    root = parse_xml(data)
    if local_name(root) != "ink":
        drawing = "; SVG is an output only" if local_name(root) == "svg" else ""
        raise MalformedInk(
            f"the root element is <{local_name(root)}>, not <ink>{drawing}: of XML, InkML alone holds pen strokes"
        )
    return _Reader().document(root)


_Key = str | Element  # a name, or the element itself where it has none
_Named = TypeVar("_Named")


@dataclass(frozen=True)
class _OpenGroup:
    label: str
    refs: tuple[_Key, ...]
    id: str
    href: str


class _Reader:
    """Walks a document once; references are resolved at the end, for they may point forwards."""

    def __init__(self) -> None:
        self.format = TraceFormat()
        self.formats: dict[_Key, TraceFormat] = {"DefaultContext": self.format}
        self.defined: dict[_Key, Element] = {}  # what may be referred to before the walk comes to it
        self.depth = 0  # of the element that is walked, by nesting and by reference
        self.strokes: list[list[Stroke]] = []  # the pieces of each
        self.trace_count = self.point_count = self.value_count = 0
        self.ids: list[str] = []
        self.members: dict[_Key, list[int]] = {}  # of each trace and group
        self.groups: list[_OpenGroup] = []
        self.annotations: dict[str, str] = {}
        self.mathml: Element | None = None

    def document(self, root: Element) -> InkmlDocument:
        for child in root:
            if local_name(child) == "annotation":
                self.annotations.setdefault(child.get("type", ""), (child.text or "").strip())
        for element in root.iter():
            if local_name(element) in _FORMATTING and (name := element_id(element)):
                self.defined.setdefault(name, element)
        self._walk(root, depth=0)
        ink = Ink(tuple(_joined(pieces) for pieces in self.strokes), ids=tuple(self.ids))
        return InkmlDocument(ink, self.annotations, self.mathml, tuple(self._symbol_groups()))

    def _walk(self, elements: Iterable[Element], depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise MalformedInk(f"elements are nested, or refer to one another, more than {_MAX_DEPTH} deep")
        for element in elements:
            self.depth = depth
            name = local_name(element)
            if name == "trace":
                self._trace(element)
            elif name == "traceFormat":
                self._trace_format(element)
            elif name == "traceGroup":
                self._trace_group(element, depth)
            elif name == "annotationXML":
                self.mathml = self.mathml if self.mathml is not None else _find_math(element)
            elif name in ("context", "inkSource"):
                self._context(element, depth)
            elif name == "channelProperties":
                self._walk(element, depth + 1)
            elif name == "channelProperty":
                self._channel_property(element)
            elif name == "canvasTransform":
                self.format = replace(self.format, canvas=_canvas_matrix(element))
                self._name_format(element)
            elif name == "definitions":
                self._definitions(element, depth)

    def _trace_format(self, element: Element) -> None:
        channels = tuple(
            Channel.from_attributes(c.get("name", ""), c.get("units", ""), c.get("orientation", ""))
            for c in element.iter()
            if local_name(c) == "channel"
        )
        if channels:
            self.format = TraceFormat(channels, self.format.canvas)
        self._name_format(element)

    def _channel_property(self, element: Element) -> None:
        """Only resolutions matter: places that are told in other steps along x than along y."""
        if element.get("name") != "resolution":
            return
        name, value, units = (element.get(key, "") for key in ("channel", "value", "units"))
        channels = tuple(
            channel.with_resolution(value, units) if channel.name == name in ("X", "Y") else channel
            for channel in self.format.channels
        )
        self.format = replace(self.format, channels=channels)

    def _context(self, element: Element, depth: int) -> None:
        if any(local_name(child) in ("trace", "traceGroup") for child in element):
            raise MalformedInk(f"a <{local_name(element)}> holds traces; they belong beside it")
        for attribute in ("contextRef", "inkSourceRef", "traceFormatRef"):
            self.format = self._format_of(element, attribute)
        if reference := element.get("canvasTransformRef"):
            self.format = replace(self.format, canvas=self._named_format(reference).canvas)
        self._walk(element, depth + 1)
        self._name_format(element)

    def _definitions(self, element: Element, depth: int) -> None:
        """What is defined holds for those alone that refer to it."""
        current = self.format
        for child in element:
            self._walk((child,), depth + 1)
            self.format = current

    def _format_of(self, element: Element, attribute: str = "contextRef") -> TraceFormat:
        """The format that an element refers to, or the current one."""
        reference = element.get(attribute, "")
        return self._named_format(reference) if reference else self.format

    def _named_format(self, reference: str) -> TraceFormat:
        """What a reference names, though the walk has not come to it."""
        if (found := _referred(reference, self.formats)) is not None:
            return found
        element = _referred(reference, self.defined)
        if element is None:
            raise MalformedInk(f"the file refers to {reference[:40]!r}, which it does not define")
        del self.defined[element_id(element)]  # so that no circle is walked
        depth, current, self.format = self.depth, self.format, TraceFormat()
        self._walk((element,), depth + 1)
        found, self.format, self.depth = self.format, current, depth
        return found

    def _name_format(self, element: Element) -> None:
        if name := element_id(element):  # an empty reference must find nothing
            self.formats[name] = self.format

    def _trace(self, element: Element) -> None:
        self.trace_count += 1
        if self.trace_count > MAX_STROKES:
            raise InkTooLarge(f"more than {MAX_STROKES} traces")
        trace_format = self._format_of(element)
        values = parse_points(
            element.text or "",
            MAX_VALUES - self.value_count,
            channels=len(trace_format.channels),
            places=trace_format.places,
        )
        self.value_count += values.size
        self.point_count += len(values)
        if self.point_count > MAX_POINTS:
            raise InkTooLarge(f"more than {MAX_POINTS} points")
        if not len(values) or element.get("type") == "penUp":
            return
        self._add_stroke(trace_format.stroke(values), element)

    def _add_stroke(self, stroke: Stroke, element: Element) -> None:
        prior = _referred(element.get("priorRef", ""), self.members)
        if prior and element.get("continuation") in ("middle", "end"):
            self.strokes[prior[0]].append(stroke)
            self.members[_key(element)] = prior
            return
        self.members.setdefault(_key(element), []).append(len(self.strokes))
        self.ids.append(element_id(element))
        self.strokes.append([stroke])

    def _trace_group(self, element: Element, depth: int) -> None:
        label, href = "", ""
        refs: list[_Key] = []
        for child in element:
            name = local_name(child)
            if name == "annotation" and child.get("type") == "truth":
                label = (child.text or "").strip()
            elif name == "traceView":
                refs.append(child.get("traceDataRef", ""))
            elif name == "annotationXML":
                href = child.get("href", "")
            elif name == "trace":
                refs.append(_key(child))
        current, self.format = self.format, self._format_of(element)
        self._walk(element, depth + 1)
        self.format = current
        if refs:
            self.groups.append(_OpenGroup(label, tuple(refs), element_id(element), href))

    def _symbol_groups(self) -> Iterator[SymbolGroup]:
        referred = 0
        for group in self.groups:
            members = [_referred(ref, self.members) or [] for ref in dict.fromkeys(group.refs)]
            referred += sum(map(len, members))
            if referred > _MAX_REFERRED:
                raise InkTooLarge(f"the trace groups refer to strokes more than {_MAX_REFERRED} times")
            strokes = tuple(sorted({i for part in members for i in part}))
            if group.id:
                self.members.setdefault(group.id, list(strokes))
            if strokes:
                yield SymbolGroup(group.label, strokes, group.id, group.href)


def _key(element: Element) -> _Key:
    return element_id(element) or element


def _referred(reference: _Key, known: Mapping[_Key, _Named]) -> _Named | None:
    """What a reference names: the whole of it, as CROHME writes names, or what follows its last `#`."""
    if reference in known or not isinstance(reference, str):
        return known.get(reference)
    return known.get(reference.rpartition("#")[2])


def _canvas_matrix(transform: Element) -> Matrix:
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


def _find_math(element: Element) -> Element | None:
    return next((child for child in element.iter() if local_name(child) == "math"), None)


def _joined(pieces: list[Stroke]) -> Stroke:
    if len(pieces) == 1:
        return pieces[0]

    def join(name: str) -> FloatArray | None:
        values = [getattr(piece, name) for piece in pieces]
        return None if any(one is None for one in values) else np.concatenate(values)

    return Stroke(
        np.concatenate([piece.xy for piece in pieces]), time=join("time"), pressure=join("pressure")
    )
