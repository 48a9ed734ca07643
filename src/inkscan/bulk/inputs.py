"""Inputs: what a bulk job reads, one by one, from a folder, an archive or a corpus of any size."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from inkscan.data.corpus import Corpus, count_samples, iter_row_groups, read_metadata
from inkscan.data.source import iter_files
from inkscan.errors import InkscanError, SourceNotFound
from inkscan.ink import Ink
from inkscan.ink.ink import MAX_BYTES

CHUNK_INPUTS = 256
CHUNK_BYTES = 32_000_000
_END_BYTES = 1 << 20  # of an archive, at each end, that tell it from others
_OWN = r"{0}|{0}\.\d+\.partial|{0}\.parts[/\\].*"  # what a job writes for its output


@dataclass(frozen=True)
class Input:
    """One row to be: a file's bytes, a corpus's ink, or the error in its place."""

    number: int  # its place in the source, from 0
    name: str
    content: bytes | Ink | InkscanError
    share: float  # of the source that ends with it


@dataclass(frozen=True)
class Chunk:
    """Inputs that follow one another and are recognised together."""

    first: int
    inputs: tuple[Input, ...]
    share: float = 0.0  # of the source

    def halves(self) -> tuple[Chunk, Chunk]:
        """Two chunks in its place."""
        middle = len(self.inputs) // 2
        return (
            Chunk(self.first, self.inputs[:middle], self.share / 2),
            Chunk(self.first + middle, self.inputs[middle:], self.share / 2),
        )


class Done:
    """The numbers of inputs that have their rows, as ranges."""

    def __init__(self, ranges: Sequence[range] = ()) -> None:
        self._ranges = sorted(ranges, key=lambda r: r.start)
        self._starts = [r.start for r in self._ranges]

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._starts, number) - 1
        return place >= 0 and number in self._ranges[place]


class Source(Protocol):
    """Where inputs come from; `identity` tells one source from another, or from itself after a change."""

    @property
    def identity(self) -> str: ...

    def inputs(self, done: Done) -> Iterator[Input]: ...


def open_source(path: Path, out: Path | None = None) -> Source:
    """The source that a path is; what a job writes to `out` is never its input."""
    if path.is_dir():
        return FolderSource(path, out)
    if not path.is_file():
        raise SourceNotFound(f"there is no folder, archive or corpus {path}")
    with path.open("rb") as stream:
        magic = stream.read(4)
    return CorpusSource(path) if magic == b"PAR1" else ArchiveSource(path)


def iter_chunks(source: Source, done: Done, most: int = CHUNK_INPUTS) -> Iterator[Chunk]:
    """The inputs that are not done, in chunks; one ends where it is full, or where an input is done already."""
    held: list[Input] = []
    size, share = 0, 0.0
    for one in source.inputs(done):
        full = len(held) == most or size > CHUNK_BYTES
        if held and (full or one.number != held[-1].number + 1):
            yield Chunk(held[0].number, tuple(held), held[-1].share - share)
            held, size, share = [], 0, held[-1].share
        held.append(one)
        size += len(one.content) if isinstance(one.content, bytes) else 0
    if held:
        yield Chunk(held[0].number, tuple(held), held[-1].share - share)


@dataclass(frozen=True)
class FolderSource:
    """All files below a folder in the order of their names; those that are done are not opened."""

    path: Path
    out: Path | None = None

    @property
    def identity(self) -> str:
        """A hash of the names and sizes of all files."""
        digest = hashlib.sha256()
        for path in self._files():
            digest.update(
                f"{os.path.relpath(path, self.path)}\0{os.stat(path).st_size}\0".encode(errors="replace")
            )
        return f"folder:{digest.hexdigest()}"

    def inputs(self, done: Done) -> Iterator[Input]:
        total = sum(1 for _ in self._files())
        for number, path in enumerate(self._files()):
            if number in done:
                continue
            name = Path(path).relative_to(self.path).as_posix()
            yield Input(number, name, _content(path), (number + 1) / total)

    def _files(self) -> Iterator[str]:
        """All files but the output, its parts and what is left of an interrupted job."""
        own = None if self.out is None else re.compile(_OWN.format(re.escape(os.path.abspath(self.out))))
        for path in _walk(self.path):
            if own is None or not own.fullmatch(os.path.abspath(path)):
                yield path


@dataclass(frozen=True)
class ArchiveSource:
    """All files of an archive; those that are done are passed over."""

    path: Path

    @property
    def identity(self) -> str:
        """The size, and a hash of both ends: whole archives take too long to read twice."""
        size = self.path.stat().st_size
        with self.path.open("rb") as stream:
            digest = hashlib.sha256(stream.read(_END_BYTES))
            stream.seek(max(0, size - _END_BYTES))
            digest.update(stream.read(_END_BYTES))
        return f"archive:{size}:{digest.hexdigest()}"

    def inputs(self, done: Done) -> Iterator[Input]:
        share = 0.0

        def on_progress(read: float) -> None:
            nonlocal share
            share = read

        for number, file in enumerate(iter_files(self.path, on_progress)):
            if number not in done:
                yield Input(number, file.name, file.data, share)


@dataclass(frozen=True)
class CorpusSource:
    """The inks of a corpus, row group by row group."""

    path: Path

    @property
    def identity(self) -> str:
        return f"corpus:{read_metadata(self.path).fingerprint}"

    def inputs(self, done: Done) -> Iterator[Input]:
        total = count_samples(self.path)
        first = 0
        for corpus in iter_row_groups(self.path):
            for i in range(len(corpus)):
                number = first + i
                if number not in done:
                    yield Input(number, corpus.ids[i], _ink(corpus, i), (number + 1) / total)
            first += len(corpus)


def _content(path: str) -> bytes | InkscanError:
    try:
        with open(path, "rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        return SourceNotFound(f"the file cannot be opened: {error.strerror}")


def _ink(corpus: Corpus, i: int) -> Ink | InkscanError:
    try:
        return corpus.ink(i)
    except InkscanError as error:
        return error


def _walk(folder: Path) -> Iterator[str]:
    """Every file below a folder, sorted within each folder, holding one folder's names at a time."""
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(parent, name)
            if os.path.isfile(path):
                yield path
