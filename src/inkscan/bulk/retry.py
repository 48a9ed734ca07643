"""Retrying: inputs that could not be opened, and can be now, lose their rows, so that the job does them again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

import pyarrow as pa

from inkscan.bulk.inputs import Source
from inkscan.bulk.outputs import Summary, output_format
from inkscan.bulk.parts import Parts
from inkscan.errors import SourceNotFound


def reopen(parts: Parts, source: Source, summary: Summary) -> bool:
    """Make parts of a finished output again, but for what can be opened now; False if that is nothing.

    The output stays until the parts are merged into a new one.
    """
    if SourceNotFound.code not in summary.codes:
        return False
    read_tables = output_format(parts.out).read_tables
    mended = {number for rows in read_tables(parts.out) for number in _mended(rows, source)}
    if not mended:
        return False
    parts.open()
    for rows in read_tables(parts.out):
        _keep(parts, rows, mended)
    parts.mark_reopened()
    return True


def drop_mended(parts: Parts, source: Source) -> None:
    """Take what can be opened now out of the parts of a job that was interrupted."""
    for held in parts.ranges():
        if mended := _mended(parts.read(held, ["input", "error_code"]), source):
            _keep(parts, parts.read(held), mended)
            parts.drop(held)


def _mended(rows: pa.Table, source: Source) -> Collection[int]:
    codes = zip(rows["input"].to_pylist(), rows["error_code"].to_pylist(), strict=True)
    return source.mended([number for number, code in codes if code == SourceNotFound.code])


def _keep(parts: Parts, rows: pa.Table, mended: Collection[int]) -> None:
    """Write all rows but these as parts."""
    for run in _runs([at for at, number in enumerate(rows["input"].to_pylist()) if number not in mended]):
        parts.write(rows["input"][run.start].as_py(), rows.slice(run.start, len(run)))


def _runs(places: list[int]) -> Iterator[range]:
    """Places that follow one another, as ranges."""
    starts = [at for at, place in enumerate(places) if at == 0 or places[at - 1] + 1 != place]
    for start, stop in pairwise([*starts, len(places)]):
        yield range(places[start], places[stop - 1] + 1)
