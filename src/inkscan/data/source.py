"""Sources: a folder, or a .zip or .tar.* archive read in place, file by file."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.ink.ink import MAX_BYTES

Progress = Callable[[float], None]
_Readable = BinaryIO | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile
_DECOMPRESSORS: dict[bytes, Callable[[BinaryIO], _Readable]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
_TAR_BLOCK = 512


@dataclass(frozen=True)
class SourceFile:
    """A file of a source; content beyond the size limit of an ink is cut off, so that reading refuses it."""

    name: str  # path inside the source, with forward slashes
    data: bytes

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    @property
    def folder(self) -> str:
        return PurePosixPath(self.name).parent.name


def iter_files(source: str | Path, on_progress: Progress = lambda fraction: None) -> Iterator[SourceFile]:
    """All files of a folder or archive, one in memory at a time."""
    path = Path(source)
    if path.is_dir():
        return _folder_files(path, sorted(file for file in path.rglob("*") if file.is_file()), on_progress)
    if not path.is_file():
        raise SourceNotFound(f"there is no folder or archive {path}")
    if zipfile.is_zipfile(path):
        return _zip_files(path, on_progress)
    return _tar_files(path, on_progress)


def _folder_files(folder: Path, paths: list[Path], on_progress: Progress) -> Iterator[SourceFile]:
    for done, path in enumerate(paths, start=1):
        name = PurePosixPath(folder.resolve().name, path.relative_to(folder).as_posix())
        with path.open("rb") as stream:
            yield SourceFile(utf8_text(str(name)), stream.read(MAX_BYTES + 1))
        on_progress(done / len(paths))


def _zip_files(path: Path, on_progress: Progress) -> Iterator[SourceFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for done, member in enumerate(members, start=1):
                with archive.open(member) as stream:
                    yield SourceFile(member.filename, stream.read(MAX_BYTES + 1))
                on_progress(done / len(members))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise BadCorpus(f"the archive {path} is damaged or encrypted: {error}") from error


def _tar_files(path: Path, on_progress: Progress) -> Iterator[SourceFile]:
    size = path.stat().st_size
    try:
        with path.open("rb") as raw, _decompressed(raw) as whole:
            with tarfile.open(fileobj=whole, mode="r|") as archive:
                for member in archive:
                    stream = archive.extractfile(member) if member.isfile() else None
                    if stream is not None:
                        name = utf8_text(member.name.removeprefix("./"))
                        yield SourceFile(name, stream.read(MAX_BYTES + 1))
                    on_progress(raw.tell() / size)
            _expect_end(whole, path)
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise BadCorpus(f"{path} is no .zip or .tar archive, or it is cut short: {error}") from error


def utf8_text(name: str) -> str:
    """Text that is surely UTF-8: names of files may hold bytes that are not."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _decompressed(raw: BinaryIO) -> _Readable:
    """The tar inside; unlike tarfile's own decompression, these readers notice an early end."""
    magic = raw.read(6)
    raw.seek(0)
    opener = next((opener for start, opener in _DECOMPRESSORS.items() if magic.startswith(start)), None)
    return raw if opener is None else opener(raw)


def _expect_end(whole: _Readable, path: Path) -> None:
    """Read to the end, so that a cut is noticed; a plain tar must end in a block of zeros."""
    while whole.read(1 << 20):
        pass
    if isinstance(whole, io.BufferedReader):
        whole.seek(-_TAR_BLOCK, io.SEEK_END)
        if any(whole.read()):
            raise BadCorpus(f"the archive {path} is cut short")
