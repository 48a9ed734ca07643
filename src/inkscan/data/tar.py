"""Tar archives as a stream of entries: every length is bounded before anything is read by it.

Read are the POSIX, GNU and old forms. The standard library's reader follows lengths, chains of headers and maps of
sparse files wherever a hostile archive leads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from inkscan.errors import BadCorpus

BLOCK = 512
MAX_HEADER_BYTES = 64_000  # of a long name or an extended header
MAX_HEADERS = 8  # that describe one entry
_PIECE = 1 << 20
_FILES, _FOLDER = (b"0", b"\0", b"7"), b"5"
_WITHOUT_CONTENT = (b"1", b"2", b"3", b"4", b"5", b"6")  # links, devices, folders, pipes
_LONG_NAME, _LONG_LINK, _EXTENDED, _GLOBAL, _SPARSE = b"L", b"K", (b"x", b"X"), b"g", b"S"


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class TarEntry:
    """A file, with no more of its content than was asked for; None for a link, a device or a pipe."""

    name: str
    content: bytes | None


@dataclass(frozen=True)
class _Header:
    name: bytes
    kind: bytes
    size: int


def iter_entries(stream: Readable, most: int) -> Iterator[TarEntry]:
    """The entries but for folders; ValueError or EOFError where this is no tar, or a damaged one."""
    while (header := _described(stream)) is not None:
        name = header.name.decode("utf-8", "surrogateescape").removeprefix("./")
        if header.kind in _FILES and not name.endswith("/"):
            content = _exactly(stream, min(header.size, most))
            _skip(stream, header.size + -header.size % BLOCK - len(content))
            yield TarEntry(name, content)
        else:
            if header.kind not in _WITHOUT_CONTENT:
                _skip(stream, header.size + -header.size % BLOCK)
            if header.kind != _FOLDER and not name.endswith("/"):
                yield TarEntry(name, None)
    _expect_end(stream)


def _described(stream: Readable) -> _Header | None:
    """The next entry's header, after those that only say more about it; None at the end."""
    name: bytes | None = None
    size: int | None = None
    for _ in range(MAX_HEADERS):
        header = _header(stream)
        if header is None:
            if name is not None or size is not None:
                raise EOFError("the archive ends within an entry")
            return None
        if header.kind == _LONG_NAME:
            name = _more(stream, header).rstrip(b"\0")
        elif header.kind in (_LONG_LINK, _GLOBAL):
            _more(stream, header)
        elif header.kind in _EXTENDED:
            records = _records(_more(stream, header))
            name = records.get(b"path", name)
            size = int(records[b"size"][:20]) if b"size" in records else size
            if any(key.startswith(b"GNU.sparse") for key in records):
                raise BadCorpus(
                    "the archive holds a sparse file, which is not read; pack it without --sparse"
                )
        elif header.kind == _SPARSE:
            raise BadCorpus("the archive holds a sparse file, which is not read; pack it without --sparse")
        else:
            return _Header(
                header.name if name is None else name, header.kind, header.size if size is None else size
            )
    raise BadCorpus(f"more than {MAX_HEADERS} headers describe one entry of the archive")


def _header(stream: Readable) -> _Header | None:
    block = _exactly(stream, BLOCK)
    if not block.strip(b"\0"):
        return None
    if sum(block) - sum(block[148:156]) + 8 * ord(" ") != _number(block[148:156]):
        raise ValueError("a header has a wrong checksum")
    name, prefix = (block[at : at + length].partition(b"\0")[0] for at, length in ((0, 100), (345, 155)))
    if block[257:263] == b"ustar\0" and prefix:
        name = prefix + b"/" + name
    return _Header(name, block[156:157], _number(block[124:136]))


def _number(field: bytes) -> int:
    """Octal digits, or after a first byte of 0x80 the number itself."""
    number = int.from_bytes(field[1:], "big") if field[0] == 0x80 else int(field.strip(b" \0") or b"0", 8)
    if not 0 <= number < 1 << 63:
        raise ValueError("a header has a size beyond all measure")
    return number


def _more(stream: Readable, header: _Header) -> bytes:
    if header.size > MAX_HEADER_BYTES:
        raise BadCorpus(f"a header of the archive is longer than {MAX_HEADER_BYTES} bytes")
    content = _exactly(stream, header.size)
    _skip(stream, -header.size % BLOCK)
    return content


def _records(text: bytes) -> dict[bytes, bytes]:
    """`length key=value` lines."""
    records: dict[bytes, bytes] = {}
    at = 0
    while at < len(text) and text[at]:
        space = text.index(b" ", at, at + 8)
        end = at + int(text[at:space])
        if not space < end <= len(text):
            raise ValueError("an extended header has a wrong length")
        key, _, value = text[space + 1 : end - 1].partition(b"=")
        records[key] = value
        at = end
    return records


def _exactly(stream: Readable, size: int) -> bytes:
    pieces = []
    while size > 0:
        piece = stream.read(min(size, _PIECE))
        if not piece:
            raise EOFError("the archive is cut short")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _skip(stream: Readable, size: int) -> None:
    while size > 0:
        size -= len(_exactly(stream, min(size, _PIECE)))


def _expect_end(stream: Readable) -> None:
    """Read what is left, so that a cut is noticed; a second archive behind the first would be lost in silence."""
    while piece := stream.read(_PIECE):
        if piece.strip(b"\0"):
            raise BadCorpus("the archive goes on after its end; pack its files into one archive")
