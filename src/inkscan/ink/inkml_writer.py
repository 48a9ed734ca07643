"""InkML of our own, laid out as CROHME's."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from inkscan.ink.ink import Ink, Stroke
from inkscan.ink.inkml import InkmlDocument, SymbolGroup
from inkscan.ink.xml import XML_ID, is_name, local_name

INKML_NAMESPACE = "http://www.w3.org/2003/InkML"
MATHML_NAMESPACE = "http://www.w3.org/1998/Math/MathML"


def write_inkml(document: InkmlDocument) -> bytes:
    """The document as CROHME lays it out: annotations, MathML, traces, symbol groups."""
    root = Element("ink", {"xmlns": INKML_NAMESPACE})
    formats = _format_elements(root, document.ink)
    for kind, text in document.annotations.items():
        SubElement(root, "annotation", {"type": kind}).text = text
    if document.mathml is not None:
        holder = SubElement(root, "annotationXML", {"type": "truth", "encoding": "Content-MathML"})
        holder.append(_plain_math(document.mathml))
    ids = trace_ids(document.ink)
    for name, stroke in zip(ids, document.ink.strokes, strict=True):
        context = formats[_channels(stroke)]
        attributes = {"id": name, "contextRef": f"#{context}"} if context else {"id": name}
        SubElement(root, "trace", attributes).text = _points(stroke)
    _group_elements(root, document.groups, ids)
    indent(root, space="  ")
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def trace_ids(ink: Ink) -> tuple[str, ...]:
    """The strokes' own names where each has one of its own, else their numbers."""
    own = len(ink.ids) == len(ink) == len(set(ink.ids)) and all(map(is_name, ink.ids))
    return ink.ids if own else tuple(str(i) for i in range(len(ink)))


def _channels(stroke: Stroke) -> str:
    return "XY" + "T" * (stroke.time is not None) + "F" * (stroke.pressure is not None)


def _format_elements(root: Element, ink: Ink) -> dict[str, str]:
    """Declare the channels; strokes that differ in them get a context each. Returns channels -> context."""
    kinds = list(dict.fromkeys(map(_channels, ink.strokes)))
    names = [f"channels{i}" for i in range(len(kinds))] if len(kinds) > 1 else [""]
    definitions = SubElement(root, "definitions") if len(kinds) > 1 else root
    for name, kind in zip(names, kinds, strict=True):
        parent = SubElement(definitions, "context", {XML_ID: name}) if name else root
        trace_format = SubElement(parent, "traceFormat")
        for channel in kind:
            units = {"units": "ms"} if channel == "T" else {}
            SubElement(trace_format, "channel", {"name": channel, "type": "decimal", **units})
    return dict(zip(kinds, names, strict=True))


def _points(stroke: Stroke) -> str:
    columns = [stroke.xy, *(c[:, None] for c in (stroke.time, stroke.pressure) if c is not None)]
    rows = np.concatenate(columns, axis=1).tolist()
    return ", ".join(" ".join(repr(value).removesuffix(".0") for value in row) for row in rows)


def _group_elements(root: Element, groups: tuple[SymbolGroup, ...], ids: tuple[str, ...]) -> None:
    if not groups:
        return
    top = SubElement(root, "traceGroup", {XML_ID: "segmentation"})
    SubElement(top, "annotation", {"type": "truth"}).text = "Segmentation"
    for number, group in enumerate(groups):
        element = SubElement(top, "traceGroup", {XML_ID: group.id or f"group{number}"})
        SubElement(element, "annotation", {"type": "truth"}).text = group.label
        for stroke in group.strokes:
            SubElement(element, "traceView", {"traceDataRef": ids[stroke]})
        if group.href:
            SubElement(element, "annotationXML", {"href": group.href})


def _plain_math(math: Element) -> Element:
    """A copy in MathML's namespace, written without prefixes."""
    namespace = {"xmlns": MATHML_NAMESPACE} if local_name(math) == "math" else {}
    copy = Element(local_name(math), {**namespace, **math.attrib})
    copy.text, copy.tail = math.text, math.tail
    copy.extend(_plain_math(child) for child in math)
    return copy
