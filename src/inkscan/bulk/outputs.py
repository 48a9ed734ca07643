"""Outputs: the rows of a whole job as Parquet, JSON lines or CSV, by the suffix of the output's name."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.bulk.inputs import RECORD
from inkscan.bulk.rows import SCHEMA
from inkscan.data.rejection import NOT_INK
from inkscan.errors import BadOutput, DamagedJob
from inkscan.files import whole_file

_ROWS_AT_ONCE = 4_096
_MAX_CELL = 100_000_000  # characters
_METADATA = b"inkscan.job"


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


class Tally:
    """Counts rows as they are written."""

    def __init__(self) -> None:
        self._inputs = 0
        self._codes: Counter[str] = Counter()

    def add(self, rows: pa.Table) -> None:
        self._inputs += len(rows)
        self._codes.update(code for code in rows["error_code"].to_pylist() if code is not None)

    def summary(self) -> Summary:
        return Summary(self._inputs, dict(self._codes.most_common()))


@dataclass(frozen=True)
class Record:
    """What an output says of itself: the job that made it, and what its rows hold."""

    job: str  # JSON
    summary: Summary
    size: int = 0  # of a text output, in bytes

    def to_json(self) -> str:
        return json.dumps({"job": self.job, "size": self.size, **vars(self.summary)})

    @classmethod
    def from_json(cls, text: str) -> Record:
        try:
            values = json.loads(text)
            summary = Summary(int(values["inputs"]), dict(values["codes"]))
            return cls(str(values["job"]), summary, int(values["size"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise DamagedJob(
                "the output was made by another version of inkscan, or its record is damaged; choose another output"
            ) from error


def output_format(out: Path) -> OutputFormat:
    """The format of a name's suffix."""
    if out.suffix not in FORMATS:
        raise BadOutput(f"{out.name} ends in none of {', '.join(FORMATS)}: choose another output")
    return FORMATS[out.suffix]


class OutputFormat(Protocol):
    """How rows are written and read, and how a finished output tells its record (None: it is no output of ours)."""

    def write(self, tables: Iterator[pa.Table], out: Path, job: str) -> Summary: ...

    def read_tables(self, out: Path) -> Iterator[pa.Table]: ...

    def read_record(self, out: Path) -> Record | None: ...


class ParquetOutput:
    """The rows as they are; the record is in the file's metadata."""

    def write(self, tables: Iterator[pa.Table], out: Path, job: str) -> Summary:
        tally = Tally()
        with whole_file(out) as partial, pq.ParquetWriter(partial, SCHEMA, compression="zstd") as writer:
            for table in tables:
                tally.add(table)
                writer.write_table(table)
            record = Record(job, tally.summary())
            writer.add_key_value_metadata({_METADATA.decode(): record.to_json()})
        return record.summary

    def read_tables(self, out: Path) -> Iterator[pa.Table]:
        with pq.ParquetFile(out) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE):
                yield pa.Table.from_batches([batch]).cast(SCHEMA)

    def read_record(self, out: Path) -> Record | None:
        try:
            stored = (pq.read_metadata(out).metadata or {}).get(_METADATA)
        except (pa.ArrowException, OSError):
            return None
        return None if stored is None else Record.from_json(stored.decode("utf-8", "replace"))


@dataclass(frozen=True)
class TextOutput:
    """Rows as lines of text; the record is a file beside it, written before the text gets its name."""

    write_rows: Callable[[Iterator[dict[str, Any]], TextIO], None]
    read_rows: Callable[[TextIO], Iterator[dict[str, Any]]]

    def write(self, tables: Iterator[pa.Table], out: Path, job: str) -> Summary:
        tally = Tally()
        with whole_file(out) as partial:
            with partial.open("w", encoding="utf-8", newline="") as file:
                self.write_rows(_counted_rows(tables, tally), file)
            record = Record(job, tally.summary(), partial.stat().st_size)
            with whole_file(record_path(out)) as partial_record:
                partial_record.write_text(record.to_json() + "\n", "utf-8")
        return record.summary

    def read_tables(self, out: Path) -> Iterator[pa.Table]:
        try:
            with out.open(encoding="utf-8", newline="") as file:
                rows = self.read_rows(file)
                while held := list(islice(rows, _ROWS_AT_ONCE)):
                    yield pa.Table.from_pylist(held, schema=SCHEMA)
        except (ValueError, KeyError, TypeError, AttributeError, csv.Error, pa.ArrowException) as error:
            raise DamagedJob(f"{out} is not as its job wrote it; choose another output: {error}") from error

    def read_record(self, out: Path) -> Record | None:
        path = record_path(out)
        if not path.is_file():
            return None
        record = Record.from_json(path.read_text("utf-8", "replace"))
        return record if record.size == out.stat().st_size else None


def record_path(out: Path) -> Path:
    """Where a text output's record is."""
    return out.with_name(out.name + RECORD)


def _counted_rows(tables: Iterator[pa.Table], tally: Tally) -> Iterator[dict[str, Any]]:
    for table in tables:
        tally.add(table)
        yield from table.to_pylist()


def _write_json_lines(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    for row in rows:
        symbols = None if row["symbols"] is None else json.loads(row["symbols"])
        file.write(json.dumps(row | {"symbols": symbols}, ensure_ascii=False) + "\n")


def _read_json_lines(file: TextIO) -> Iterator[dict[str, Any]]:
    for row in map(json.loads, file):
        symbols = None if row["symbols"] is None else json.dumps(row["symbols"], ensure_ascii=False)
        yield row | {"symbols": symbols}


def _write_csv(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    writer = csv.DictWriter(file, SCHEMA.names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        tokens = None if row["tokens"] is None else " ".join(row["tokens"])
        writer.writerow(row | {"tokens": tokens})


def _read_csv(file: TextIO) -> Iterator[dict[str, Any]]:
    before = csv.field_size_limit(_MAX_CELL)  # its own is too small for the symbols of a long expression
    try:
        for cells in csv.DictReader(file):
            row = {name: value or None for name, value in cells.items()}
            tokens = None if row["tokens"] is None else row["tokens"].split(" ")
            confidence = None if row["confidence"] is None else float(row["confidence"])
            yield row | {
                "input": int(cells["input"]),
                "id": cells["id"],
                "tokens": tokens,
                "confidence": confidence,
            }
    finally:
        csv.field_size_limit(before)


FORMATS: dict[str, OutputFormat] = {
    ".parquet": ParquetOutput(),
    ".jsonl": TextOutput(_write_json_lines, _read_json_lines),
    ".csv": TextOutput(_write_csv, _read_csv),
}
