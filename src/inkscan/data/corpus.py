"""Corpus: samples in one Parquet file, laid out as docs/corpus-format.md says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.data.columns import one_chunk, parquet_file, read_columns, strings
from inkscan.data.fingerprint import Fingerprint
from inkscan.data.rejection import rejection_path
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, TestSplitSelection
from inkscan.files import whole_file
from inkscan.ink import Ink

FORMAT = 1
VALIDATION_SPLIT = "test2013"
JOINT = " + "  # between the splits of several corpora, and those that one is made from
ROW_GROUP_SAMPLES = 1000
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("strokes", pa.list_(pa.struct([("x", pa.list_(pa.float64())), ("y", pa.list_(pa.float64()))]))),
        ("tokens", pa.list_(pa.string())),
        ("alignment", pa.list_(pa.list_(pa.int32()))),
        ("source", pa.string()),
    ]
)
IntArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class CorpusMetadata:
    """What a corpus says of itself; `fingerprint` is filled in when it is written."""

    split: str = ""
    licence: str = ""
    fingerprint: str = ""
    format: int = FORMAT

    @property
    def is_validation(self) -> bool:
        """Whether this is CROHME's 2013 test set, which is the field's validation set."""
        return all(map(_is_validation, self.split.split(JOINT)))

    @property
    def is_test(self) -> bool:
        """Whether figures may be reported on this, but nothing selected or tuned."""
        return any("test" in one.lower() and not _is_validation(one) for one in self.split.split(JOINT))


def _is_validation(split: str) -> bool:
    return split.lower().endswith(VALIDATION_SPLIT)


def joined_metadata(parts: Sequence[CorpusMetadata]) -> CorpusMetadata:
    """What several corpora, read one after the other, say of themselves; the fingerprint is theirs in this order."""
    if len(parts) == 1:
        return parts[0]
    return CorpusMetadata(
        split=joined_splits(part.split for part in parts),
        licence=joined_licences(part.licence for part in parts),
        fingerprint=hashlib.sha256("\n".join(part.fingerprint for part in parts).encode()).hexdigest(),
        format=max(part.format for part in parts),
    )


def joined_splits(splits: Iterable[str]) -> str:
    """The names of what something is made of, each once; one may itself be joined."""
    return JOINT.join(dict.fromkeys(one for text in splits for one in text.split(JOINT)))


def joined_licences(licences: Iterable[str]) -> str:
    """The licences of what something is made from, each once; one may itself be joined."""
    return "; ".join(dict.fromkeys(one for text in licences for one in text.split("; ") if one))


class Corpus(Sequence[Sample]):
    """Samples held as flat columns; a sample is made, cheaply, when it is asked for."""

    def __init__(self, table: pa.Table, metadata: CorpusMetadata) -> None:
        self.metadata = metadata
        columns = {name: one_chunk(table[name]) for name in SCHEMA.names}
        self.ids = strings(columns["id"])
        self.sources = strings(columns["source"])
        strokes = columns["strokes"].values
        x, y = strokes.field("x"), strokes.field("y")
        if not x.offsets.equals(y.offsets):
            raise BadCorpus("a stroke has more x than y values, or the other way round")
        self.stroke_offsets: IntArray = columns["strokes"].offsets.to_numpy()
        self.point_offsets: IntArray = x.offsets.to_numpy()
        self.points = np.stack([x.values.to_numpy(), y.values.to_numpy()], axis=1)  # (all points, 2)
        self.points.setflags(write=False)
        self.token_offsets: IntArray = columns["tokens"].offsets.to_numpy()
        self.tokens = strings(columns["tokens"].values)
        self._aligned_offsets = columns["alignment"].values.offsets.to_numpy()
        self._aligned_strokes = columns["alignment"].values.values.to_numpy().tolist()
        if not np.array_equal(self.token_offsets, columns["alignment"].offsets.to_numpy()):
            raise BadCorpus("an expression has more tokens than alignment entries, or the other way round")

    @classmethod
    def read(cls, *paths: str | Path) -> Corpus:
        """Read a whole corpus, or several as one."""
        stored = StoredCorpus(*paths)
        return stored.read(range(len(stored.group_sizes)))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        first, last = self.token_offsets[i], self.token_offsets[i + 1]
        aligned = self._aligned_offsets[first : last + 1].tolist()
        return Sample(
            id=self.ids[i],
            ink=self.ink(i),
            tokens=tuple(self.tokens[first:last]),
            alignment=tuple(tuple(self._aligned_strokes[a:b]) for a, b in pairwise(aligned)),
            source=self.sources[i],
        )

    def ink(self, i: int) -> Ink:
        """The ink of sample i, as views into the corpus's points."""
        bounds = self.point_offsets[self.stroke_offsets[i] : self.stroke_offsets[i + 1] + 1]
        return Ink.from_flat(self.points[bounds[0] : bounds[-1]], bounds - bounds[0])

    @property
    def stroke_counts(self) -> IntArray:
        return np.diff(self.stroke_offsets)

    @property
    def point_counts(self) -> IntArray:
        return np.diff(self.point_offsets[self.stroke_offsets])

    @property
    def token_counts(self) -> IntArray:
        return np.diff(self.token_offsets)


@dataclass(frozen=True)
class _Group:
    """A row group of one of a stored corpus's files."""

    path: Path
    number: int
    samples: int


class StoredCorpus:
    """A corpus, or several read as one, that stays on the disk and is read some row groups at a time."""

    def __init__(self, *paths: str | Path) -> None:
        parts: list[CorpusMetadata] = []
        self._groups: list[_Group] = []
        for path in map(Path, paths):
            with parquet_file(path) as file:
                parts.append(_metadata(file))
                self._groups += [
                    _Group(path, number, file.metadata.row_group(number).num_rows)
                    for number in range(file.num_row_groups)
                ]
        self.metadata = joined_metadata(parts)
        self.group_sizes = tuple(group.samples for group in self._groups)

    def __len__(self) -> int:
        return sum(self.group_sizes)

    def __iter__(self) -> Iterator[Sample]:
        """All samples, one row group held at a time."""
        for group in range(len(self._groups)):
            yield from self.read([group])

    def read(self, groups: Sequence[int]) -> Corpus:
        """The samples of some row groups, in the order given."""
        tables = [self._table(self._groups[group], SCHEMA.names) for group in groups]
        return Corpus(pa.concat_tables(tables) if tables else SCHEMA.empty_table(), self.metadata)

    def token_set(self) -> set[str]:
        """All tokens that occur, read row group by row group."""
        found: set[str] = set()
        for group in dict.fromkeys(self._groups):  # each once
            table = self._table(group, ["tokens"])
            found.update(strings(one_chunk(table["tokens"]).values.unique()))
        return found

    def _table(self, group: _Group, names: Sequence[str]) -> pa.Table:
        with parquet_file(group.path) as file:
            return read_columns(lambda: file.read_row_group(group.number, columns=list(names)), SCHEMA, names)


def iter_row_groups(path: str | Path) -> Iterator[Corpus]:
    """Read a corpus of any size piece by piece."""
    with parquet_file(Path(path)) as file:
        metadata = _metadata(file)
        for group in range(file.num_row_groups):
            yield Corpus(read_columns(partial(file.read_row_group, group), SCHEMA, SCHEMA.names), metadata)


def read_metadata(path: str | Path) -> CorpusMetadata:
    """What a corpus says of itself, without reading its samples."""
    with parquet_file(Path(path)) as file:
        return _metadata(file)


def count_samples(path: str | Path) -> int:
    """How many samples a corpus has, without reading them."""
    with parquet_file(Path(path)) as file:
        return int(file.metadata.num_rows)


def refuse_test_set(path: str | Path) -> None:
    """Of what is only to be reported on nothing is learnt, neither weights nor ranges nor statistics."""
    metadata = read_metadata(path)
    if metadata.is_test:
        raise TestSplitSelection(
            f"{path} is a test set, or made from one (split {metadata.split!r}): it is reported on, no model is made "
            "with it"
        )


def write_corpus(samples: Iterable[Sample], path: str | Path, metadata: CorpusMetadata) -> CorpusMetadata:
    """Write a corpus as the samples come; the file appears under its name only when it is whole."""
    fingerprint = Fingerprint()
    rest = iter(samples)
    with whole_file(path) as partial, pq.ParquetWriter(partial, SCHEMA, compression="zstd") as writer:
        while group := list(islice(rest, ROW_GROUP_SAMPLES)):
            for sample in group:
                fingerprint.add(sample)
            writer.write_table(_table(group))
        metadata = replace(metadata, fingerprint=fingerprint.hexdigest(), format=FORMAT)
        writer.add_key_value_metadata(
            {f"inkscan.{name}": str(value) for name, value in vars(metadata).items()}
        )
    rejection_path(path).unlink(missing_ok=True)  # of another corpus that had this name
    return metadata


def _table(samples: Sequence[Sample]) -> pa.Table:
    strokes = [stroke.xy for sample in samples for stroke in sample.ink.strokes]
    points = np.concatenate(strokes)
    point_offsets = _offsets([len(xy) for xy in strokes])
    struct = pa.StructArray.from_arrays(
        [pa.ListArray.from_arrays(point_offsets, pa.array(points[:, axis])) for axis in (0, 1)], ["x", "y"]
    )
    entries = [entry for sample in samples for entry in sample.alignment]
    aligned = pa.ListArray.from_arrays(
        _offsets([len(entry) for entry in entries]),
        pa.array([stroke for entry in entries for stroke in entry], pa.int32()),
    )
    tokens = pa.array([token for sample in samples for token in sample.tokens], pa.string())
    columns = [
        pa.array([sample.id for sample in samples], pa.string()),
        pa.ListArray.from_arrays(_offsets([len(sample.ink) for sample in samples]), struct),
        pa.ListArray.from_arrays(_offsets([len(sample.tokens) for sample in samples]), tokens),
        pa.ListArray.from_arrays(_offsets([len(sample.alignment) for sample in samples]), aligned),
        pa.array([sample.source for sample in samples], pa.string()),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _offsets(lengths: Sequence[int]) -> pa.Array:
    return pa.array(np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int32))


def _metadata(file: pq.ParquetFile) -> CorpusMetadata:
    stored = file.metadata.metadata or {}
    try:
        values = {
            key.decode().removeprefix("inkscan."): value.decode()
            for key, value in stored.items()
            if key.startswith(b"inkscan.")
        }
        version = int(values["format"])
        known = CorpusMetadata(values["split"], values["licence"], values["fingerprint"], version)
    except (KeyError, ValueError) as error:
        raise BadCorpus("the file lacks inkscan's metadata; make it with `inkscan data prepare`") from error
    if version > FORMAT:
        raise BadCorpus(f"the corpus has format {version}; this inkscan reads up to {FORMAT}")
    return known
