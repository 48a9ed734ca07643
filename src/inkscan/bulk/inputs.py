"""Inputs: what a bulk job reads, one by one, from a folder, an archive or a corpus of any size."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from inkscan.data.corpus import Corpus, count_samples, iter_row_groups
from inkscan.data.source import iter_files, read_file, utf8_text, walk
from inkscan.errors import InkscanError, SourceNotFound
from inkscan.ink import Ink

CHUNK_INPUTS = 256
CHUNK_BYTES = 32_000_000
_END_BYTES = 1 << 20  # of an archive, at each end, that tell it from others
RECORD = ".job.json"
_RECORDS = (f".jsonl{RECORD}", f".csv{RECORD}")
# What a job writes for its output.
_OWN = r"{0}|{0}(\.job\.json)?\.\d+\.partial|{0}\.(lock|job\.json)|{0}\.parts[/\\].*"


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


@dataclass(frozen=True)
class Listing:
    """How many inputs a source has, and a hash of their names in order: the rows of a whole job show the same."""

    count: int
    sha256: str


class Names:
    """Makes the listing of names that are told one by one."""

    def __init__(self) -> None:
        self._count = 0
        self._digest = hashlib.sha256()

    def add(self, name: str) -> None:
        text = utf8_text(name).encode()
        self._count += 1
        self._digest.update(b"%d:%b" % (len(text), text))

    def listing(self) -> Listing:
        return Listing(self._count, self._digest.hexdigest())


class Source(Protocol):
    """Where inputs come from; `identity` tells one source from another, or from itself after a change."""

    @property
    def identity(self) -> str: ...

    def listing(self) -> Listing: ...

    def inputs(self, done: Done) -> Iterator[Input]: ...

    def mended(self, numbers: Sequence[int]) -> frozenset[int]:
        """Of inputs that could not be opened, those that can be now."""
        ...


def open_source(path: Path, out: Path | None = None) -> Source:
    """The source that a path is; what a job writes to `out` is never its input."""
    if path.is_dir():
        return FolderSource.walked(path, out)
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
    """All files below a folder in the order of their names; those that are done are not opened.

    The folder is walked once: a file that goes or comes while the job runs moves no other's number.
    """

    path: Path
    names: tuple[str, ...]
    identity: str  # a hash of the names, sizes and times of change of all files

    @classmethod
    def walked(cls, path: Path, out: Path | None = None) -> FolderSource:
        """A folder's files but the output, its parts and what is left of an interrupted job."""
        own = None if out is None else re.compile(_OWN.format(re.escape(os.path.realpath(out))))
        names: list[str] = []
        digest = hashlib.sha256()
        for file in walk(path):
            if (own is None or not own.fullmatch(os.path.realpath(file))) and not _is_record(file):
                name = Path(file).relative_to(path).as_posix()
                names.append(name)
                digest.update(f"{name}\0{_state(file)}\0".encode(errors="replace"))
        return cls(path, tuple(names), f"folder:{digest.hexdigest()}")

    def listing(self) -> Listing:
        return _listing(self.names)

    def inputs(self, done: Done) -> Iterator[Input]:
        for number, name in enumerate(self.names):
            if number not in done:
                yield Input(number, name, read_file(self.path / name), (number + 1) / len(self.names))

    def mended(self, numbers: Sequence[int]) -> frozenset[int]:
        return frozenset(
            number for number in numbers if isinstance(read_file(self.path / self.names[number]), bytes)
        )


@dataclass(frozen=True)
class ArchiveSource:
    """All files of an archive; those that are done are passed over."""

    path: Path

    @property
    def identity(self) -> str:
        """The size, and a hash of both ends."""
        size = self.path.stat().st_size
        with self.path.open("rb") as stream:
            digest = hashlib.sha256(stream.read(_END_BYTES))
            stream.seek(max(0, size - _END_BYTES))
            digest.update(stream.read(_END_BYTES))
        return f"archive:{size}:{digest.hexdigest()}"

    def listing(self) -> Listing:
        """From a first pass, which takes far less than recognition and finds damage before any work is done."""
        return _listing(file.name for file in iter_files(self.path))

    def inputs(self, done: Done) -> Iterator[Input]:
        share = 0.0

        def on_progress(read: float) -> None:
            nonlocal share
            share = read

        for number, file in enumerate(iter_files(self.path, on_progress)):
            if number not in done:
                yield Input(number, file.name, file.content, share)

    def mended(self, numbers: Sequence[int]) -> frozenset[int]:
        return frozenset()  # a link stays one


@dataclass(frozen=True)
class CorpusSource:
    """The inks of a corpus, row group by row group."""

    path: Path

    @property
    def identity(self) -> str:
        """A hash of the file: the fingerprint is what it claims, and says nothing of how it was changed since."""
        with self.path.open("rb") as stream:
            return f"corpus:{hashlib.file_digest(stream, 'sha256').hexdigest()}"

    def listing(self) -> Listing:
        return _listing(id for corpus in iter_row_groups(self.path) for id in corpus.ids)

    def inputs(self, done: Done) -> Iterator[Input]:
        total = count_samples(self.path)
        first = 0
        for corpus in iter_row_groups(self.path):
            for i in range(len(corpus)):
                number = first + i
                if number not in done:
                    yield Input(number, corpus.ids[i], _ink(corpus, i), (number + 1) / total)
            first += len(corpus)

    def mended(self, numbers: Sequence[int]) -> frozenset[int]:
        return frozenset()  # what is damaged stays so


def _listing(given: Iterable[str]) -> Listing:
    names = Names()
    for name in given:
        names.add(name)
    return names.listing()


def _is_record(file: str) -> bool:
    """Whether a file is what another job has noted beside its output."""
    return file.endswith(_RECORDS) and os.path.isfile(file.removesuffix(RECORD))


def _state(path: str) -> str:
    """What changes with a file, or with the file that a link leads to."""
    try:
        status = os.stat(path)
    except OSError:
        return ""  # its row will say what is wrong with it
    if not stat.S_ISREG(status.st_mode):
        return ""  # it is not read; a folder behind a link changes when the job writes into it
    return f"{status.st_size} {status.st_mtime_ns}"


def _ink(corpus: Corpus, i: int) -> Ink | InkscanError:
    try:
        return corpus.ink(i)
    except InkscanError as error:
        return error
