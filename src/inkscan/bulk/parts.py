"""Parts: finished rows on disk. A part appears whole or not at all, and its name says which inputs it has."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.bulk.inputs import Listing, Names
from inkscan.bulk.outputs import Summary, output_format, record_path
from inkscan.bulk.rows import SCHEMA
from inkscan.errors import BadCorpus, DamagedJob, OutputTaken
from inkscan.files import remove_partials, whole_file

FORMAT = 2
MANIFEST = "job.json"
REOPENED = "reopened"  # says which output the parts were made of again; it is written after them
_NAME = re.compile(r"part-(\d{12})-(\d{12})\.parquet")
_PARTIAL = re.compile(rf"({_NAME.pattern}|{re.escape(MANIFEST)}|{REOPENED})\.\d+\.partial")


@dataclass(frozen=True)
class Job:
    """What decides the rows: a job goes on only with parts made by its equal. Who did the work is left out."""

    source: str
    models: tuple[str, ...]  # hashes of those that decide together
    second: str | None  # of the one that they ask in doubt
    classifier: str | None  # of the one that weighs their answers
    beam: int
    inkscan: str  # version
    inputs: int  # how many the source has
    names: str  # SHA-256 of their names
    format: int = FORMAT

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def check_equal(self, stored: str, place: Path) -> None:
        """Refuse to go on with another job's rows, and say what differs."""
        try:
            other = json.loads(stored)
            mine = json.loads(self.to_json())
            differing = sorted(key for key in mine.keys() | other.keys() if mine.get(key) != other.get(key))
        except (ValueError, AttributeError, RecursionError) as error:
            raise DamagedJob(f"{place} is damaged; delete it to start anew") from error
        if {"source", "inputs", "names"} & set(differing):
            raise OutputTaken(
                f"{place} belongs to a job with another source, or its files have changed since: delete it to start "
                "anew, or choose another output"
            )
        if differing:
            raise OutputTaken(
                f"{place} belongs to a job with another {' and '.join(differing)}: repeat that job's "
                "arguments to go on with it, or choose another output"
            )


class Parts:
    """The folder OUT.parts beside the output OUT; whoever opens it holds the output's lock."""

    def __init__(self, out: Path, job: Job) -> None:
        self.out = out
        self.job = job
        self.folder = out.with_name(out.name + ".parts")

    def open(self) -> None:
        """Make the folder, or check that the one that is there was made by the same job."""
        self._remove_partials()
        manifest = self.folder / MANIFEST
        if manifest.is_file():
            self.job.check_equal(manifest.read_text("utf-8", "replace"), self.folder)
            return
        self.folder.mkdir(exist_ok=True)
        if self.ranges():
            raise DamagedJob(f"{self.folder} has parts but no {MANIFEST}; delete it to start anew")
        with whole_file(manifest) as partial:
            partial.write_text(self.job.to_json() + "\n", "utf-8")

    def done(self) -> list[range]:
        """The inputs that have their rows, as ranges in order that do not overlap."""
        chosen: list[range] = []
        for found in sorted(self.ranges(), key=lambda r: (r.start, -r.stop)):
            if not chosen or found.start >= chosen[-1].stop:
                chosen.append(found)
        return chosen

    def mark_reopened(self) -> None:
        """From now on the parts count, and not the output, which they are made of."""
        with whole_file(self.folder / REOPENED) as partial:
            partial.write_text(_state(self.out), "utf-8")

    def is_reopened(self) -> bool:
        """Whether the parts were made of the output that is there; not of one that they were merged into since."""
        marker = self.folder / REOPENED
        return marker.is_file() and (not self.out.exists() or marker.read_text("utf-8") == _state(self.out))

    def write(self, first: int, rows: pa.Table) -> None:
        """Keep the rows of a chunk."""
        with whole_file(self._path(range(first, first + len(rows)))) as partial:
            pq.write_table(rows, partial, compression="zstd")

    def merge(self) -> Summary:
        """Write the output from all parts, in the order of the inputs, and remove them."""
        summary = output_format(self.out).write(self._tables(), self.out, self.job.to_json())
        self.remove()
        return summary

    def _tables(self) -> Iterator[pa.Table]:
        """The rows of all inputs; raises where one is missing, or is not the source's."""
        names, expected = Names(), 0
        for part in self.done():
            if part.start != expected:
                raise DamagedJob(f"{self.folder} lacks the rows of the inputs from {expected}; run again")
            table = self.read(part)
            for name in table["id"].to_pylist():
                names.add(name)
            yield table
            expected = part.stop
        if names.listing() != Listing(self.job.inputs, self.job.names):
            raise BadCorpus(
                f"the source had {self.job.inputs} inputs when the job began and {self.folder} has the rows of "
                f"{expected}, or of others: it changed while it was read; delete {self.folder} and run again"
            )

    def read(self, part: range, columns: list[str] | None = None) -> pa.Table:
        """The rows of a part; raises where they are not those of its name."""
        path = self._path(part)
        try:
            table = pq.read_table(path, columns=columns, schema=SCHEMA)
            sound = table["input"].to_pylist() == list(part)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise DamagedJob(f"{path} is damaged; delete it and run again: {error}") from error
        if not sound:
            raise DamagedJob(f"{path} is damaged; delete it and run again")
        return table

    def drop(self, part: range) -> None:
        """Forget the rows of a part."""
        self._path(part).unlink()

    def remove(self) -> None:
        """Remove what the job wrote, and the folder unless there is something else in it."""
        if not self.folder.is_dir():
            return
        self._remove_partials()
        for entry in list(os.scandir(self.folder)):
            if entry.name in (MANIFEST, REOPENED) or _NAME.fullmatch(entry.name):
                os.unlink(entry.path)
        with suppress(OSError):
            self.folder.rmdir()

    def _remove_partials(self) -> None:
        """Remove what killed processes have left; nobody else is writing, for the output is locked."""
        for path in (self.out, record_path(self.out)):
            remove_partials(path)
        for entry in list(os.scandir(self.folder)) if self.folder.is_dir() else ():
            if _PARTIAL.fullmatch(entry.name):
                os.unlink(entry.path)

    def _path(self, inputs: range) -> Path:
        return self.folder / f"part-{inputs.start:012d}-{len(inputs):012d}.parquet"

    def ranges(self) -> list[range]:
        """The inputs of each part."""
        names = filter(None, (_NAME.fullmatch(entry.name) for entry in os.scandir(self.folder)))
        return [range(int(name[1]), int(name[1]) + int(name[2])) for name in names]


def _state(out: Path) -> str:
    status = out.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def finished(out: Path, job: Job) -> Summary | None:
    """What the output holds if it is there already; another job's, or another file, is never overwritten."""
    if not out.exists():
        return None
    record = output_format(out).read_record(out)
    if record is None:
        raise OutputTaken(f"{out} exists and was not made by a bulk job; choose another output")
    job.check_equal(record.job, out)
    return record.summary
