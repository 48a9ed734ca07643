"""Archives: .zip and .tar.* read in place, within budgets of bytes, ratio, entries and headers."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from inkscan.data.tar import Readable, iter_entries
from inkscan.errors import BadCorpus, InkscanError

MAX_RATIO = 200  # bytes out for each byte in; inks shrink to a tenth, repeated ones to a hundredth
FREE_BYTES = 32_000_000  # out, before the ratio counts
MAX_ENTRIES = 2_000_000
FREE_ENTRIES = 5_000
ENTRY_BYTES = 32  # that each further entry takes in the archive; another name alone takes as many
LZMA_MEMORY = 100_000_000  # `xz -9` needs 65 MB
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE = 1 << 16

ArchiveMember = tuple[str, bytes | None]  # a name and its content; None where it is no file of its own


@dataclass
class Budget:
    """What an archive may still give for what was read of it."""

    path: Path
    out: int = field(default=0, init=False)
    entries: int = field(default=0, init=False)

    def spend(self, out: int, read: int) -> None:
        self.out += out
        if self.out > FREE_BYTES + MAX_RATIO * read:
            raise BadCorpus(
                f"the archive {self.path} unpacks to more than {MAX_RATIO} times its size, which inks do not; "
                "unpack it yourself if you trust it"
            )

    def enter(self, read: int) -> None:
        self.entries += 1
        if self.entries > min(MAX_ENTRIES, FREE_ENTRIES + read // ENTRY_BYTES):
            raise BadCorpus(
                f"the archive {self.path} has more than {MAX_ENTRIES} entries, or more than its size allows; "
                "unpack it yourself if you trust it"
            )


def zip_members(path: Path, most: int, on_progress: Callable[[float], None]) -> Iterator[ArchiveMember]:
    """The files of a .zip, each cut off after `most` bytes."""
    budget, read = Budget(path), 0
    with _boundary(path), zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        _check_members(members, path)
        for done, member in enumerate(members, start=1):
            read += member.compress_size
            with archive.open(member) as stream:
                content = stream.read(most)
            budget.spend(len(content), read)
            yield member.filename, content
            on_progress(done / len(members))


def _check_members(members: list[zipfile.ZipInfo], path: Path) -> None:
    if len(members) > MAX_ENTRIES:
        raise BadCorpus(f"the archive {path} has more than {MAX_ENTRIES} entries")
    if any(member.compress_type not in _METHODS for member in members):
        raise BadCorpus(f"the archive {path} is packed by another method than deflate; pack it again")
    if sum(member.compress_size for member in members) > path.stat().st_size:
        raise BadCorpus(f"the archive {path} is damaged: its entries overlap")


def tar_members(path: Path, most: int, on_progress: Callable[[float], None]) -> Iterator[ArchiveMember]:
    """The files of a .tar, .tar.gz, .tar.bz2 or .tar.xz, each cut off after `most` bytes."""
    budget, size = Budget(path), path.stat().st_size
    with _boundary(path), path.open("rb") as raw:
        for entry in iter_entries(_Metered(_decompressed(raw), raw, budget), most):
            budget.enter(raw.tell())
            yield entry.name, entry.content
            on_progress(raw.tell() / size)


@contextmanager
def _boundary(path: Path) -> Iterator[None]:
    """Whatever the standard library's readers end in, over a file that they were not made for."""
    try:
        yield
    except InkscanError:
        raise
    except Exception as error:
        raise BadCorpus(
            f"{path} is no .zip or .tar archive, or damaged, cut or encrypted: {error}. "
            "Of inks in files of their own the folder is named"
        ) from error


@dataclass
class _Metered:
    """A stream whose bytes are counted against the budget."""

    stream: Readable
    raw: BinaryIO
    budget: Budget

    def read(self, size: int, /) -> bytes:
        data = self.stream.read(size)
        self.budget.spend(len(data), self.raw.tell())
        return data


def _decompressed(raw: BinaryIO) -> Readable:
    """The tar inside; these readers hold a bounded piece of it, and notice an early end."""
    magic = raw.read(6)
    raw.seek(0)
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if magic.startswith(b"\xfd7zXZ\x00"):
        return io.BufferedReader(_Xz(raw), _PIECE)
    return raw


class _Xz(io.RawIOBase):
    """One or more xz streams; unlike `lzma.LZMAFile` it refuses those that ask for gigabytes of memory."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._decoder = self._new()

    @staticmethod
    def _new() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=LZMA_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        while True:
            if self._decoder.eof:
                left = self._decoder.unused_data or self._raw.read(_PIECE)
                left = left.lstrip(b"\0")  # padding between streams
                if not left:
                    return 0
                self._decoder, fed = self._new(), left
            else:
                fed = self._raw.read(_PIECE) if self._decoder.needs_input else b""
                if not fed and self._decoder.needs_input:
                    raise EOFError("the archive is cut short")
            data = self._decoder.decompress(fed, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
