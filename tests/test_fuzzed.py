"""Inputs that fuzzing found (benchmarks/fuzz.py): each is refused by an error of the tree."""

from __future__ import annotations

import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inkscan.data.corpus import SCHEMA, Corpus, CorpusMetadata, write_corpus
from inkscan.data.labels import read_labels
from inkscan.data.source import iter_files
from inkscan.errors import BadCorpus, BadLabels, DamagedModel, MalformedInk
from inkscan.ink.inkml_points import parse_points
from inkscan.ink.scgink import read_scgink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.models import ModelInfo
from inkscan.synthesis.generate import Generator


def test_scgink_of_no_bytes() -> None:
    with pytest.raises(MalformedInk):
        read_scgink(b"")


@pytest.mark.parametrize(
    "text",
    [
        "1 2" + "," * 10_000 + "x",
        "1" + " " * 300_000 + "x",
        "'1 2" + " " * 300_000 + ",'x",
        "1" + " " * 300_000 + ",2 3,4 5",
    ],
)
def test_a_trace_of_spaces_takes_no_time(text: str) -> None:
    started = time.process_time()
    with suppress(MalformedInk):
        parse_points(text)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("read", [Vocabulary.from_json, ModelInfo.from_json])
def test_json_nested_too_deep(read: object) -> None:
    with pytest.raises(DamagedModel):
        read("[" * 100_000)  # type: ignore[operator]


def test_a_field_of_labels_beyond_csv(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a," + "x" * 200_000)
    with pytest.raises(BadLabels):
        read_labels(path)


def test_a_zip_whose_directory_points_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.inkml", b"<ink/>")
    data = bytearray(path.read_bytes())
    end = data.rfind(b"PK\x05\x06")
    data[end + 16 : end + 20] = (2**31).to_bytes(4, "little")  # where the directory begins
    path.write_bytes(data)
    with pytest.raises(BadCorpus):
        list(iter_files(path))


def test_a_corpus_whose_texts_are_not_utf_8(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.parquet", tmp_path / "bad.parquet"
    write_corpus(Generator(max_symbols=3).samples(1), good, CorpusMetadata("made"))
    table = pq.read_table(good)
    text = pa.array([b"\xff\xfe"], pa.binary()).view(pa.string())
    spoilt = table.set_column(SCHEMA.get_field_index("id"), "id", text)
    pq.write_table(spoilt.replace_schema_metadata(pq.read_metadata(good).metadata), bad)
    with pytest.raises(BadCorpus):
        Corpus.read(bad)
