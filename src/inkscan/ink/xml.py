"""XML from outside: bounded, decoded with care, without entities."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from inkscan.errors import BadEncoding, EmptyInput, InkTooLarge, MalformedInk, UnsafeXml
from inkscan.ink.ink import MAX_BYTES

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_CODECS = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **{name: name for name in ("utf-16", "utf-16le", "utf-16be")},
    **dict.fromkeys(("iso-8859-1", "latin-1", "latin1"), "latin-1"),
    **dict.fromkeys(("us-ascii", "ascii"), "ascii"),
}  # and no other: Python knows codecs that take minutes for a megabyte
_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_MAX_MARKS = 150_000  # of `<` and of `=`: what 10,000 strokes with their groups need, and no more
_NOT_LATIN_1 = re.compile(rb"[\x80-\x9f]")

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_name(text: str) -> bool:
    """Whether a text is there and may stand in a document: no control characters, no half surrogates."""
    return bool(text) and _NOT_XML.search(text) is None


def parse_xml(data: bytes) -> Element:
    """The root of a document; size and encoding are checked first, entities are refused."""
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"more than {MAX_BYTES} bytes, the limit of one ink")
    text = _decode(data)
    if not text.strip():
        raise EmptyInput("the file is empty")
    if text.count("<") > _MAX_MARKS or text.count("=") > _MAX_MARKS:
        raise InkTooLarge("more XML elements or attributes than an ink of the largest size has")
    try:
        root: Element = fromstring(text)
    except ParseError as error:
        raise MalformedInk(f"the XML is broken or cut short: {error}") from error
    except DefusedXmlException as error:
        raise UnsafeXml(
            "the XML declares entities or reaches for outside files; remove its DOCTYPE"
        ) from error
    return root


def local_name(element: Element) -> str:
    """The name without its namespace."""
    return element.tag.rpartition("}")[2]


def element_id(element: Element) -> str:
    """`xml:id`, or CROHME's plain `id`, or nothing."""
    return element.get(XML_ID) or element.get("id") or ""


def _decode(data: bytes) -> str:
    """Text by byte-order mark, by the XML declaration, or UTF-8; undeclared Latin-1 occurs in CROHME."""
    declared = _DECLARED.match(data)
    mark = next((codec for bom, codec in _BYTE_ORDER_MARKS.items() if data.startswith(bom)), None)
    codec = mark or (_known_codec(declared.group(1).decode()) if declared else "utf-8")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        if mark or declared or _NOT_LATIN_1.search(data):
            raise BadEncoding(f"the file is not valid {codec}; save it as UTF-8") from error
        text = data.decode("latin-1")
    if "\x00" in text:
        raise BadEncoding(f"the file is not {codec} text; save it as UTF-8")
    return text


def _known_codec(name: str) -> str:
    codec = _CODECS.get(name.lower())
    if codec is None:
        raise BadEncoding(
            f"the file declares the encoding {name[:40]!r}; UTF-8, UTF-16, Latin-1 and ASCII are read: save it as UTF-8"
        )
    return codec
