"""InkML in and out: CROHME, MathWriting and the W3C's general form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from inkscan.errors import BadEncoding, EmptyInput, InkTooLarge, MalformedInk, UnsafeXml
from inkscan.ink.ink import MAX_BYTES, MAX_STROKES, Ink, Stroke
from inkscan.ink.trace import Channel, TraceFormat, parse_points

INKML_NAMESPACE = "http://www.w3.org/2003/InkML"
MATHML_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_MAX_DEPTH = 100
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


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

    @property
    def trace_ids(self) -> tuple[str, ...]:
        return self.ink.ids


def read_inkml(data: bytes) -> InkmlDocument:
    """Read an InkML file; raises an InkError where it cannot be trusted or understood."""
    root = parse_xml(data)
    if _local(root) != "ink":
        raise MalformedInk(f"the root element is <{_local(root)}>, not <ink>; this is not InkML")
    return _Reader().document(root)


def parse_xml(data: bytes) -> Element:
    """Parse XML from outside: size and encoding are checked first, entities are refused."""
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"{len(data)} bytes; the limit is {MAX_BYTES}")
    text = _decode(data)
    if not text.strip("\x00 \t\r\n"):
        raise EmptyInput("the file is empty")
    try:
        root: Element = fromstring(text)
    except ParseError as error:
        raise MalformedInk(f"the XML is broken or cut short: {error}") from error
    except DefusedXmlException as error:
        raise UnsafeXml("the XML declares entities or reaches for outside files; remove its DOCTYPE") from error
    return root


def _decode(data: bytes) -> str:
    """Text by byte-order mark, by the XML declaration, or UTF-8; undeclared Latin-1 occurs in CROHME."""
    declared = _DECLARED.match(data)
    mark = next((codec for bom, codec in _BOMS.items() if data.startswith(bom)), None)
    codec = mark or (declared.group(1).decode() if declared else "utf-8")
    try:
        text = data.decode(codec)
    except (UnicodeDecodeError, LookupError) as error:
        if mark or declared or any(0x80 <= byte < 0xA0 for byte in data):
            raise BadEncoding(f"the file is not valid {codec}; save it as UTF-8") from error
        text = data.decode("latin-1")
    if "\x00" in text:
        raise BadEncoding(f"the file is not {codec} text; save it as UTF-8")
    return text


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _id(element: Element) -> str:
    return element.get(XML_ID) or element.get("id") or ""


@dataclass(frozen=True)
class _OpenGroup:
    label: str
    refs: tuple[str, ...]
    id: str
    href: str


class _Reader:
    """Walks a document once; references are resolved at the end, for they may point forwards."""

    def __init__(self) -> None:
        self.format = TraceFormat()
        self.formats: dict[str, TraceFormat] = {}
        self.strokes: list[Stroke] = []
        self.ids: list[str] = []
        self.members: dict[str, list[int]] = {}  # trace or group id -> strokes
        self.groups: list[_OpenGroup] = []
        self.annotations: dict[str, str] = {}
        self.mathml: Element | None = None

    def document(self, root: Element) -> InkmlDocument:
        for child in root:
            if _local(child) == "annotation":
                self.annotations.setdefault(child.get("type", ""), (child.text or "").strip())
        self._walk(root, depth=0)
        ink = Ink(tuple(self.strokes), ids=tuple(self.ids))
        return InkmlDocument(ink, self.annotations, self.mathml, tuple(self._symbol_groups()))

    def _walk(self, parent: Element, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise MalformedInk(f"elements are nested more than {_MAX_DEPTH} deep")
        for element in parent:
            name = _local(element)
            if name == "trace":
                self._trace(element)
            elif name == "traceFormat":
                self._trace_format(element)
            elif name == "traceGroup":
                self._trace_group(element, depth)
            elif name == "annotationXML":
                self.mathml = self.mathml if self.mathml is not None else _find_math(element)
            elif name == "context":
                self._context(element, depth)
            elif name in ("definitions", "inkSource"):
                self._walk(element, depth + 1)

    def _trace_format(self, element: Element) -> None:
        channels = tuple(
            Channel.from_attributes(c.get("name", ""), c.get("units", ""), c.get("orientation", ""))
            for c in element.iter()
            if _local(c) == "channel"
        )
        if channels:
            self.format = TraceFormat(channels)
        self.formats[_id(element)] = self.format

    def _context(self, element: Element, depth: int) -> None:
        for attribute in ("contextRef", "traceFormatRef"):
            reference = element.get(attribute, "").lstrip("#")
            self.format = self.formats.get(reference, self.format)
        self._walk(element, depth + 1)
        self.formats[_id(element)] = self.format

    def _trace(self, element: Element) -> None:
        if len(self.strokes) >= MAX_STROKES:
            raise InkTooLarge(f"more than {MAX_STROKES} strokes")
        values = parse_points(element.text or "")
        if not len(values) or element.get("type") == "penUp":
            return
        trace_format = self.formats.get(element.get("contextRef", "").lstrip("#"), self.format)
        self._add_stroke(trace_format.stroke(values), element)

    def _add_stroke(self, stroke: Stroke, element: Element) -> None:
        prior = self.members.get(element.get("priorRef", "").lstrip("#"))
        if prior and element.get("continuation") in ("middle", "end"):
            self.strokes[prior[0]] = _joined(self.strokes[prior[0]], stroke)
            self.members[_id(element)] = prior
            return
        self.members.setdefault(_id(element), []).append(len(self.strokes))
        self.ids.append(_id(element))
        self.strokes.append(stroke)

    def _trace_group(self, element: Element, depth: int) -> None:
        label, refs, href = "", [], ""
        for child in element:
            name = _local(child)
            if name == "annotation" and child.get("type") == "truth":
                label = (child.text or "").strip()
            elif name == "traceView":
                refs.append(child.get("traceDataRef", "").rpartition("#")[2])
            elif name == "annotationXML":
                href = child.get("href", "")
            elif name == "trace":
                refs.append(_id(child))
        self._walk(element, depth + 1)
        if refs:
            self.groups.append(_OpenGroup(label, tuple(refs), _id(element), href))

    def _symbol_groups(self) -> Iterator[SymbolGroup]:
        for group in self.groups:
            strokes = tuple(sorted({i for ref in group.refs for i in self.members.get(ref, ())}))
            self.members.setdefault(group.id, list(strokes))
            if strokes:
                yield SymbolGroup(group.label, strokes, group.id, group.href)


def _find_math(element: Element) -> Element | None:
    return next((child for child in element.iter() if _local(child) == "math"), None)


def _joined(a: Stroke, b: Stroke) -> Stroke:
    def join(name: str) -> np.ndarray | None:
        first, second = getattr(a, name), getattr(b, name)
        return None if first is None or second is None else np.concatenate([first, second])

    return Stroke(np.concatenate([a.xy, b.xy]), time=join("time"), pressure=join("pressure"))
