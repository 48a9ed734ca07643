"""InkML from outside: CROHME, MathWriting and the W3C's general form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from inkscan.errors import InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink.ink import MAX_POINTS, MAX_STROKES, Ink, Stroke
from inkscan.ink.inkml_points import MAX_VALUES, Channel, TraceFormat, canvas_matrix, joined, parse_points
from inkscan.ink.inkml_views import MAX_DEPTH, TRACE_DATA, Key, Part, Views, key_of, referred
from inkscan.ink.xml import element_id, local_name, parse_xml

_FORMATTING = frozenset({"context", "inkSource", "traceFormat", "canvasTransform"})


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


@dataclass(frozen=True)
class _OpenGroup:
    label: str
    members: tuple[Element, ...]  # traces and traceViews
    id: str
    href: str


class _Reader:
    """Walks a document once; references are resolved at the end, for they may point forwards."""

    def __init__(self) -> None:
        self.format = TraceFormat()
        self.formats: dict[Key, TraceFormat] = {"DefaultContext": self.format}
        self.defined: dict[Key, Element] = {}  # what may be referred to before the walk comes to it
        self.depth = 0  # of the element that is walked, by nesting and by reference
        self.strokes: list[list[Stroke]] = []  # the pieces of each
        self.trace_count = self.point_count = self.value_count = 0
        self.ids: list[str] = []
        self.members: dict[Key, list[int]] = {}  # of each trace
        self.named: dict[Key, Element] = {}  # traces, groups and views
        self.in_definitions = False
        self.hidden: set[int] = (
            set()
        )  # strokes that are ink only if a view outside definitions refers to them
        self.drawn: list[int | Element] = []  # strokes, and views of others
        self.groups: list[_OpenGroup] = []
        self.annotations: dict[str, str] = {}
        self.mathml: Element | None = None

    def document(self, root: Element) -> InkmlDocument:
        for child in root:
            if local_name(child) == "annotation":
                self.annotations.setdefault(child.get("type", ""), (child.text or "").strip())
        for element in root.iter():
            if name := element_id(element):
                kind = local_name(element)
                known = self.defined if kind in _FORMATTING else self.named if kind in TRACE_DATA else {}
                known.setdefault(name, element)
        self._walk(root, depth=0)
        views = Views(self.named, self.members, self.strokes)
        parts = self._drawn_parts(views)
        strokes = {stroke: joined(self.strokes[stroke]) for stroke in {part.stroke for part in parts}}
        ink = Ink(
            [part.of(strokes[part.stroke]) for part in parts], [self.ids[part.stroke] for part in parts]
        )
        return InkmlDocument(ink, self.annotations, self.mathml, tuple(self._symbol_groups(views, parts)))

    def _walk(self, elements: Iterable[Element], depth: int) -> None:
        if depth > MAX_DEPTH:
            raise MalformedInk(f"elements are nested, or refer to one another, more than {MAX_DEPTH} deep")
        for element in elements:
            self.depth = depth
            name = local_name(element)
            if name == "trace":
                self._trace(element)
            elif name == "traceFormat":
                self._trace_format(element)
            elif name == "traceGroup":
                self._trace_group(element, depth)
            elif name == "traceView":
                self._trace_view(element, depth)
            elif name == "annotationXML":
                self.mathml = self.mathml if self.mathml is not None else _find_math(element)
            elif name in ("context", "inkSource"):
                self._context(element, depth)
            elif name == "channelProperties":
                self._walk(element, depth + 1)
            elif name == "channelProperty":
                self._channel_property(element)
            elif name == "canvasTransform":
                self.format = replace(self.format, canvas=canvas_matrix(element))
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
        current, within = self.format, self.in_definitions
        self.in_definitions = True
        for child in element:
            self._walk((child,), depth + 1)
            self.format = current
        self.in_definitions = within

    def _format_of(self, element: Element, attribute: str = "contextRef") -> TraceFormat:
        """The format that an element refers to, or the current one."""
        reference = element.get(attribute, "")
        return self._named_format(reference) if reference else self.format

    def _named_format(self, reference: str) -> TraceFormat:
        """What a reference names, though the walk has not come to it."""
        if (found := referred(reference, self.formats)) is not None:
            return found
        element = referred(reference, self.defined)
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
        prior = referred(element.get("priorRef", ""), self.members)
        if prior and element.get("continuation") in ("middle", "end"):
            self.strokes[prior[0]].append(stroke)
            self.members[key_of(element)] = prior
            if not self.in_definitions:
                self._draw(prior[0])
            return
        self.members.setdefault(key_of(element), []).append(len(self.strokes))
        if self.in_definitions:
            self.hidden.add(len(self.strokes))
        else:
            self.drawn.append(len(self.strokes))
        self.ids.append(element_id(element))
        self.strokes.append([stroke])

    def _draw(self, stroke: int) -> None:
        """What is continued outside the definitions is ink."""
        if stroke in self.hidden:
            self.hidden.remove(stroke)
            self.drawn.append(stroke)

    def _trace_group(self, element: Element, depth: int) -> None:
        missing = {child for child in element if self._is_missing_label(child)}
        kinds = ("trace", "traceView")
        members = [child for child in element if local_name(child) in kinds and child not in missing]
        current, self.format = self.format, self._format_of(element)
        self._walk((child for child in element if child not in missing), depth + 1)
        self.format = current
        if members:
            self._add_group(element, members)

    def _trace_view(self, element: Element, depth: int) -> None:
        """Views draw what is defined, and are groups too where they say of what symbol."""
        if element.get("traceDataRef"):
            if any(local_name(child) in TRACE_DATA for child in element):
                raise MalformedInk("a traceView has both a traceDataRef and elements of its own")
            if not self.in_definitions:
                self.drawn.append(element)
        elif element.get("from") or element.get("to"):
            raise MalformedInk("a traceView has `from` or `to`, but no traceDataRef")
        self._walk(element, depth + 1)
        if any(child.get("type") == "truth" for child in element if local_name(child) == "annotation"):
            self._add_group(element, [element])

    def _is_missing_label(self, view: Element) -> bool:
        """Whether a view in a traceGroup, where it is but a label, names nothing, as in a test of CROHME 2016."""
        reference = view.get("traceDataRef")
        if local_name(view) != "traceView" or not reference or view.get("from") or view.get("to"):
            return False
        return referred(reference, self.named) is None

    def _add_group(self, element: Element, members: Sequence[Element]) -> None:
        label, href = "", ""
        for child in element:
            if local_name(child) == "annotation" and child.get("type") == "truth":
                label = (child.text or "").strip()
            elif local_name(child) == "annotationXML":
                href = child.get("href", "")
        self.groups.append(_OpenGroup(label, tuple(members), element_id(element), href))

    def _drawn_parts(self, views: Views) -> list[Part]:
        """The strokes of the ink, in order and each once; a view of what is drawn anyway draws nothing."""
        parts: dict[Part, None] = {}
        for drawn in self.drawn:
            found = (Part(drawn),) if isinstance(drawn, int) else views.parts(drawn)
            parts.update(
                (part, None) for part in found if isinstance(drawn, int) or part.stroke in self.hidden
            )
        if self.hidden and not parts:
            raise NoStrokes("all traces of the file are in its definitions, and no traceView refers to them")
        if sum(part.last - part.first for part in parts) > MAX_POINTS:
            raise InkTooLarge(f"traceViews select more than {MAX_POINTS} points")
        return list(parts)

    def _symbol_groups(self, views: Views, parts: Sequence[Part]) -> Iterator[SymbolGroup]:
        places = {part: at for at, part in enumerate(parts)}
        for group in self.groups:
            found = {part for member in group.members for part in views.parts(member)}
            if any(part.last and part.stroke not in self.hidden for part in found):
                raise MalformedInk("a traceView refers to a part of a trace that is drawn whole")
            strokes = tuple(sorted(places[part] for part in found if part in places))
            if strokes:
                yield SymbolGroup(group.label, strokes, group.id, group.href)


def _find_math(element: Element) -> Element | None:
    return next((child for child in element.iter() if local_name(child) == "math"), None)
