"""Columns of Parquet files from outside, read with care."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.errors import BadCorpus, SourceNotFound


def one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece, without nulls."""
    combined = column.combine_chunks()
    whole = combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined
    _check_filled(whole)
    return whole


def _check_filled(column: pa.Array) -> None:
    """Refuse a null, also within lists."""
    if column.null_count:
        raise BadCorpus("a value is missing; every column of a corpus must be filled")
    if pa.types.is_list(column.type):
        _check_filled(column.values)
    elif pa.types.is_struct(column.type):
        for field in range(column.type.num_fields):
            _check_filled(column.field(field))


def strings(column: pa.Array) -> list[str]:
    """The texts of a column."""
    try:
        texts: list[str] = column.to_pylist()
    except UnicodeDecodeError as error:
        raise BadCorpus(f"a text is not UTF-8: {error}") from error
    return texts


def parquet_file(path: Path) -> pq.ParquetFile:
    """A Parquet file, opened."""
    if path.is_dir():
        raise SourceNotFound(
            f"{path} is a folder; a corpus is a Parquet file: `inkscan data prepare` makes one of inks"
        )
    if not path.is_file():
        raise SourceNotFound(f"there is no corpus {path}")
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadCorpus(f"{path} is not a readable Parquet file: {error}") from error


def read_columns(read: Callable[[], pa.Table], schema: pa.Schema, names: Sequence[str]) -> pa.Table:
    """The named columns of what is read, in the schema's types."""
    try:
        return read().select(names).cast(pa.schema([schema.field(name) for name in names]))
    except (pa.ArrowException, KeyError, OSError, UnicodeDecodeError) as error:
        raise BadCorpus(f"not an inkscan corpus (docs/corpus-format.md): {error}") from error
