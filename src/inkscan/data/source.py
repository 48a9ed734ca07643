"""Sources: a folder, or a .zip or .tar.* archive read in place, file by file."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from inkscan.data.archive import tar_members, zip_members
from inkscan.errors import InkscanError, SourceNotFound
from inkscan.ink.ink import MAX_BYTES

OnProgress = Callable[[float], None]
_NO_FILE = "not a file of its own but a link, a pipe or a device, which are not read"

_NO_TEXT = re.compile("[\udc80-\udcff]")  # bytes of names that are not UTF-8, as Python has them


@dataclass(frozen=True)
class SourceFile:
    """A file of a source; content beyond the size limit of an ink is cut off, so that reading refuses it."""

    name: str  # path inside the source, with forward slashes
    content: bytes | InkscanError  # the error in the place of what cannot be opened

    @property
    def data(self) -> bytes:
        """The content; raises where there is none."""
        if isinstance(self.content, InkscanError):
            raise self.content
        return self.content

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    @property
    def folder(self) -> str:
        return PurePosixPath(self.name).parent.name


def iter_files(source: str | Path, on_progress: OnProgress = lambda fraction: None) -> Iterator[SourceFile]:
    """All files of a folder or archive, one in memory at a time."""
    path = Path(source)
    if path.is_dir():
        return _folder_files(path, sorted(map(Path, walk(path))), on_progress)
    if not path.is_file():
        raise SourceNotFound(f"there is no folder or archive {path}")
    members = zip_members if zipfile.is_zipfile(path) else tar_members
    return (
        SourceFile(utf8_text(name), SourceNotFound(_NO_FILE) if content is None else content)
        for name, content in members(path, MAX_BYTES + 1, on_progress)
    )


def _folder_files(folder: Path, paths: list[Path], on_progress: OnProgress) -> Iterator[SourceFile]:
    for done, path in enumerate(paths, start=1):
        name = PurePosixPath(folder.resolve().name, path.relative_to(folder).as_posix())
        yield SourceFile(utf8_text(str(name)), read_file(path))
        on_progress(done / len(paths))


def walk(folder: Path) -> Iterator[str]:
    """All below a folder that is not itself a folder, sorted within each; one that cannot be read raises."""
    for parent, folders, files in os.walk(folder, onerror=_refuse):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        for name in sorted([*files, *links]):
            yield os.path.join(parent, name)


def _refuse(error: OSError) -> None:
    raise SourceNotFound(
        f"the folder {error.filename} cannot be read: {error.strerror}; make it readable, or move it elsewhere"
    ) from error


def read_file(path: Path) -> bytes | InkscanError:
    """A file's content up to the limit of an ink, or why there is none."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return SourceNotFound(_NO_FILE)
        with open(path, "rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        return SourceNotFound(f"the file cannot be opened: {error.strerror}")


def utf8_text(name: str) -> str:
    """Text that is surely UTF-8: names of files may hold bytes that are not, which become `%EF` and the like."""
    readable = _NO_TEXT.sub(lambda byte: f"%{ord(byte[0]) & 0xFF:02X}", name)
    return readable.encode("utf-8", "replace").decode("utf-8")
