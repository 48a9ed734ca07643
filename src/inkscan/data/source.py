"""Sources: a folder, or a .zip or .tar.* archive read in place, file by file."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from inkscan.errors import BadCorpus, SourceNotFound
from inkscan.ink.ink import MAX_BYTES

Progress = Callable[[float], None]


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
        yield from _folder_files(path, on_progress)
    elif not path.is_file():
        raise SourceNotFound(f"there is no folder or archive {path}")
    elif zipfile.is_zipfile(path):
        yield from _zip_files(path, on_progress)
    else:
        yield from _tar_files(path, on_progress)


def _folder_files(path: Path, on_progress: Progress) -> Iterator[SourceFile]:
    paths = sorted(file for file in path.rglob("*") if file.is_file())
    for done, file in enumerate(paths, start=1):
        name = PurePosixPath(path.name, file.relative_to(path).as_posix())
        with file.open("rb") as stream:
            yield SourceFile(str(name), stream.read(MAX_BYTES + 1))
        on_progress(done / len(paths))


def _zip_files(path: Path, on_progress: Progress) -> Iterator[SourceFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for done, member in enumerate(members, start=1):
                with archive.open(member) as stream:
                    yield SourceFile(member.filename, stream.read(MAX_BYTES + 1))
                on_progress(done / len(members))
    except (zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise BadCorpus(f"the archive {path} is damaged or encrypted: {error}") from error


def _tar_files(path: Path, on_progress: Progress) -> Iterator[SourceFile]:
    size = path.stat().st_size
    try:
        with path.open("rb") as raw, tarfile.open(fileobj=raw, mode="r|*") as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is not None:
                    yield SourceFile(member.name.removeprefix("./"), stream.read(MAX_BYTES + 1))
                on_progress(raw.tell() / size)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise BadCorpus(f"{path} is not a readable .zip or .tar archive: {error}") from error
