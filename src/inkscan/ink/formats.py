"""Formats: which reader an ink needs, told by its content."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from inkscan.errors import EmptyInput, InkTooLarge, SourceNotFound, UnknownInkFormat
from inkscan.ink.ink import MAX_BYTES, Ink
from inkscan.ink.inkml import InkmlDocument, read_inkml
from inkscan.ink.json import read_json
from inkscan.ink.scgink import MAGIC, read_scgink

_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF")


def read_ink(source: str | Path | bytes | BinaryIO) -> Ink:
    """Read InkML, JSON of any known shape, or SCGINK."""
    return read_document(source).ink


def read_document(source: str | Path | bytes | BinaryIO) -> InkmlDocument:
    """As `read_ink`, with what else an InkML file says; the other formats hold ink alone."""
    data = _content(source)
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise EmptyInput("the file is empty")
    if head.startswith(b"<") or data.startswith(_UTF_16):
        return read_inkml(data)
    if head.startswith((b"{", b"[")):
        return InkmlDocument(read_json(data.removeprefix(b"\xef\xbb\xbf")))
    if head.startswith(MAGIC):
        return InkmlDocument(read_scgink(data))
    if data.startswith(_IMAGES):
        raise UnknownInkFormat("this is an image or a PDF; inkscan reads pen strokes, not pixels")
    raise UnknownInkFormat("this is neither InkML, JSON nor SCGINK")


def _content(source: str | Path | bytes | BinaryIO) -> bytes:
    if isinstance(source, bytes):
        data = source
    elif isinstance(source, str | Path):
        path = Path(source)
        if not path.is_file():
            raise SourceNotFound(f"there is no file {path}")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    else:
        data = source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InkTooLarge(f"more than {MAX_BYTES} bytes, the limit of one ink")
    return data
