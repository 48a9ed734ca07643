"""Formats: one row for each, with its suffix, how its files begin, its reader and its writer.

All that takes ink by file asks here: `Ink.read` and `Ink.save`, `inkscan recognize`, `bulk` and `data prepare`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from inkscan.errors import EmptyInput, InkTooLarge, MalformedInk, SourceNotFound, UnknownInkFormat
from inkscan.ink.ink import MAX_BYTES, Ink, way
from inkscan.ink.inkml import InkmlDocument, read_inkml
from inkscan.ink.inkml_writer import write_inkml
from inkscan.ink.json import ink_from_json, read_json, write_json
from inkscan.ink.scgink import MAGIC, read_scgink, write_scgink

InkSource = str | Path | bytes | BinaryIO | dict[str, object] | list[object]
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF")


@dataclass(frozen=True)
class InkFormat:
    """How ink is kept in files of one kind."""

    name: str
    suffix: str
    begins: tuple[bytes, ...]  # after white space and a byte-order mark
    read: Callable[[bytes], InkmlDocument]  # a document holds all that any format can say
    write: Callable[[Ink], bytes]


FORMATS: tuple[InkFormat, ...] = (
    InkFormat("InkML", ".inkml", (b"<",), read_inkml, lambda ink: write_inkml(InkmlDocument(ink))),
    InkFormat("JSON", ".json", (b"{", b"["), lambda data: InkmlDocument(read_json(data)), write_json),
    InkFormat("SCGINK", ".scgink", (MAGIC,), lambda data: InkmlDocument(read_scgink(data)), write_scgink),
)


def format_names(conjunction: str) -> str:
    """All formats, as in "InkML, JSON or SCGINK"."""
    *others, last = (one.name for one in FORMATS)
    return f"{', '.join(others)} {conjunction} {last}"


def ink_suffixes() -> frozenset[str]:
    """How the names of ink files end."""
    return frozenset(one.suffix for one in FORMATS)


@way("read")
def read_ink(source: InkSource) -> Ink:
    """Read a file of any format, its bytes, or a JSON value of any known shape."""
    if isinstance(source, dict | list):
        return ink_from_json(source)
    return read_document(source).ink


@way("save")
def save_ink(ink: Ink, path: str | Path) -> None:
    """Write a file in the format of its suffix."""
    chosen = next((one for one in FORMATS if one.suffix == Path(path).suffix.lower()), None)
    if chosen is None:
        known = ", ".join(one.suffix for one in FORMATS)
        raise UnknownInkFormat(
            f"ink is saved by the suffix of the name, one of {known}: not as {Path(path).name!r}"
        )
    Path(path).write_bytes(chosen.write(ink))


def read_document(source: str | Path | bytes | BinaryIO) -> InkmlDocument:
    """As `read_ink`, with what else an InkML file says; the other formats hold ink alone."""
    data = _content(source)
    head = head_of(data)
    if not head:
        raise EmptyInput("the file is empty")
    for one in FORMATS:
        if head.startswith(one.begins):
            return one.read(data.removeprefix(codecs.BOM_UTF8))
    if data.startswith(_IMAGES):
        raise UnknownInkFormat("this is an image or a PDF; inkscan reads pen strokes, not pixels")
    raise UnknownInkFormat(f"this is neither {format_names('nor')}")


def head_of(data: bytes) -> bytes:
    """How the text of a file begins, after white space and a byte-order mark, whatever its encoding."""
    head = data[:4096].removeprefix(codecs.BOM_UTF8)
    if head.startswith(_UTF_16):
        head = head[2:].replace(b"\0", b"")
    elif head[:2].count(0) == 1:  # UTF-16 without its mark
        head = head.replace(b"\0", b"")
    return head.lstrip()


def _content(source: str | Path | bytes | BinaryIO) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif isinstance(source, str | Path):
        data = _file_content(source)
    elif hasattr(source, "read"):
        data = source.read(MAX_BYTES + 1)
        if not isinstance(data, bytes):
            raise MalformedInk("ink is read from a file opened as binary: open(path, 'rb')")
    else:
        raise MalformedInk(
            f"ink is read from a path, bytes, a binary file or a JSON value, not from {type(source).__name__}"
        )
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"more than {MAX_BYTES} bytes, the limit of one ink")
    return data


def _file_content(path: str | Path) -> bytes:
    if not _exists(path):
        if isinstance(path, str) and _is_ink(path):
            raise SourceNotFound(
                f"there is no file {path[:40]!r}; ink itself is passed as bytes: text.encode()"
            )
        raise SourceNotFound(f"there is no file {path}")
    if Path(path).is_dir():
        raise SourceNotFound(f"{path} is a folder, not an ink file")
    with Path(path).open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def _is_ink(text: str) -> bool:
    head = text.lstrip()[:40].encode("utf-8", "replace")
    return any(head.startswith(one.begins) for one in FORMATS)


def _exists(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character in it
        return False
