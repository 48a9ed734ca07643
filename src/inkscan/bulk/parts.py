"""Parts: finished rows on disk. A part appears whole or not at all, and its name says which inputs it has."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.bulk.rows import SCHEMA
from inkscan.data.rejection import NOT_INK
from inkscan.errors import BadCorpus, BadRequest
from inkscan.files import whole_file

FORMAT = 1
MANIFEST = "job.json"
_METADATA = b"inkscan.job"
_NAME = re.compile(r"part-(\d{12})-(\d{12})\.parquet")


@dataclass(frozen=True)
class Job:
    """What decides the rows: a job goes on only with parts made by its equal. Who did the work is left out."""

    source: str
    models: tuple[str, ...]  # SHA-256 of each model.json, which holds those of the graphs
    beam: int
    inkscan: str  # version
    format: int = FORMAT

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def check_equal(self, stored: str, place: Path) -> None:
        """Refuse to go on with another job's rows, and say what differs."""
        try:
            other = json.loads(stored)
            mine = json.loads(self.to_json())
            differing = sorted(key for key in mine.keys() | other.keys() if mine.get(key) != other.get(key))
        except (ValueError, AttributeError) as error:
            raise BadRequest(f"{place} is damaged; delete it to start anew") from error
        if differing:
            raise BadRequest(
                f"{place} belongs to a job with another {' and '.join(differing)}: repeat that job's "
                "arguments to go on with it, or choose another output"
            )


@dataclass(frozen=True)
class Summary:
    """What the rows of a finished job hold."""

    inputs: int
    codes: Mapping[str, int]  # how many inputs have each error code

    @property
    def others(self) -> int:
        """Files that are no ink by their names."""
        return self.codes.get(NOT_INK, 0)

    @property
    def failed(self) -> int:
        return sum(self.codes.values()) - self.others

    @property
    def recognized(self) -> int:
        return self.inputs - self.failed - self.others


class Parts:
    """The folder OUT.parts beside the output OUT."""

    def __init__(self, out: Path, job: Job) -> None:
        self.out = out
        self.job = job
        self.folder = out.with_name(out.name + ".parts")

    def open(self) -> None:
        """Make the folder, or check that the one that is there was made by the same job."""
        if not self.out.parent.is_dir():
            raise BadRequest(f"there is no folder {self.out.parent} for the output")
        manifest = self.folder / MANIFEST
        if manifest.is_file():
            self.job.check_equal(manifest.read_text("utf-8"), self.folder)
            return
        self.folder.mkdir(exist_ok=True)
        if any(self._ranges()):
            raise BadRequest(f"{self.folder} has parts but no {MANIFEST}; delete it to start anew")
        with whole_file(manifest) as partial:
            partial.write_text(self.job.to_json() + "\n", "utf-8")

    def done(self) -> list[range]:
        """The inputs that have their rows, as ranges in order that do not overlap."""
        chosen: list[range] = []
        for found in sorted(self._ranges(), key=lambda r: (r.start, -r.stop)):
            if not chosen or found.start >= chosen[-1].stop:
                chosen.append(found)
        return chosen

    def write(self, first: int, rows: pa.Table) -> None:
        """Keep the rows of a chunk."""
        with whole_file(self._path(range(first, first + len(rows)))) as partial:
            pq.write_table(rows, partial, compression="zstd")

    def merge(self) -> Summary:
        """Write the output from all parts, in the order of the inputs, and remove them."""
        with whole_file(self.out) as partial, pq.ParquetWriter(partial, SCHEMA, compression="zstd") as writer:
            expected = 0
            for part in self.done():
                if part.start != expected:
                    raise BadCorpus(f"{self.folder} lacks the rows of the inputs from {expected}; run again")
                table = pq.read_table(self._path(part), schema=SCHEMA)
                if table["input"].to_pylist() != list(part):
                    raise BadCorpus(f"{self._path(part)} is damaged; delete it and run again")
                writer.write_table(table)
                expected = part.stop
            writer.add_key_value_metadata({_METADATA.decode(): self.job.to_json()})
        self.remove()
        return read_summary(self.out)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, inputs: range) -> Path:
        return self.folder / f"part-{inputs.start:012d}-{len(inputs):012d}.parquet"

    def _ranges(self) -> Iterator[range]:
        for entry in os.scandir(self.folder):
            match = _NAME.fullmatch(entry.name)
            if match:
                first, count = int(match[1]), int(match[2])
                yield range(first, first + count)


def finished(out: Path, job: Job) -> bool:
    """Whether the output is there already; another job's, or another file, is never overwritten."""
    if not out.exists():
        return False
    try:
        stored = (pq.read_metadata(out).metadata or {}).get(_METADATA)
    except (pa.ArrowException, OSError):
        stored = None
    if stored is None:
        raise BadRequest(f"{out} exists and was not made by a bulk job; choose another output")
    job.check_equal(stored.decode(), out)
    return True


def read_summary(out: Path) -> Summary:
    """Count the rows of an output, row group by row group."""
    codes: Counter[str] = Counter()
    with pq.ParquetFile(out) as file:
        for group in range(file.num_row_groups):
            column = file.read_row_group(group, columns=["error_code"])["error_code"]
            codes.update(code for code in column.to_pylist() if code is not None)
        return Summary(file.metadata.num_rows, dict(codes.most_common()))
