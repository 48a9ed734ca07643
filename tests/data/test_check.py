from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.data.check import check_corpus
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.fingerprint import Fingerprint
from inkscan.data.stats import corpus_stats

from .own_ink import sample

METADATA = CorpusMetadata("train", "CC0-1.0")


def test_a_sound_corpus(tmp_path: Path) -> None:
    flat = replace(sample("flat"), tokens=("&",), alignment=((),))
    write_corpus([sample("a"), sample("b", 1), flat], tmp_path / "c.parquet", METADATA)
    check = check_corpus(tmp_path / "c.parquet")
    assert (check.samples, check.foreign, check.findings) == (3, 1, ())


def test_faults_are_found(tmp_path: Path) -> None:
    good = sample("a")
    faulty = [
        good,
        replace(good, tokens=("x", "")),
        replace(good, id="beyond", alignment=((0,), (), (), (3,), ())),
        replace(good, id="", tokens=()),
        replace(good, id="pair", tokens=("x^2",)),
    ]
    faulty = [replace(s, alignment=s.alignment[: len(s.tokens)]) for s in faulty]
    write_corpus(faulty, tmp_path / "c.parquet", METADATA)
    reasons = [finding.reason for finding in check_corpus(tmp_path / "c.parquet").findings]
    assert [
        sum(word in reason for reason in reasons) for word in ("id", "beyond", "tokens", "one token")
    ] == [2, 1, 2, 1]


def test_changed_content_is_found(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    write_corpus([sample("a"), sample("b", 1)], path, METADATA)
    file = pq.ParquetFile(path)
    table = file.read()
    swapped = pa.array([["y", "^", "{", "2", "}"], ["x", "^", "{", "2", "}"]])
    metadata = {k: v for k, v in file.metadata.metadata.items() if k.startswith(b"inkscan")}
    changed = table.set_column(2, "tokens", swapped).replace_schema_metadata(metadata)
    pq.write_table(changed, path)
    (finding,) = check_corpus(path).findings
    assert "fingerprint" in finding.reason


def test_a_fingerprint_by_ids_is_taken_too(tmp_path: Path) -> None:
    """As inkscan 0.1.0 made it of files of one name."""
    path, samples = tmp_path / "c.parquet", [sample("x"), replace(sample("own/x", 1), source="own")]
    write_corpus(samples, path, METADATA)
    fingerprint = Fingerprint()
    for one in samples:
        fingerprint.add(one)
    file = pq.ParquetFile(path)
    metadata = {k: v for k, v in file.metadata.metadata.items() if k.startswith(b"inkscan")}
    metadata[b"inkscan.fingerprint"] = fingerprint.hexdigest_by_ids().encode()
    assert metadata[b"inkscan.fingerprint"] != fingerprint.hexdigest().encode()
    pq.write_table(file.read().replace_schema_metadata(metadata), path)
    assert check_corpus(path).findings == ()


def test_coordinates_that_are_not_finite_are_found(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    write_corpus([sample("a"), sample("b", 1)], path, METADATA)
    file = pq.ParquetFile(path)
    values = [[{"x": [np.nan], "y": [0.0]}], file.read()["strokes"][1].as_py()]
    metadata = {k: v for k, v in file.metadata.metadata.items() if k.startswith(b"inkscan")}
    table = file.read()
    column = pa.array(values, table["strokes"].type)
    pq.write_table(table.set_column(1, "strokes", column).replace_schema_metadata(metadata), path)
    codes = [finding.code for finding in check_corpus(path).findings]
    assert "ink.coordinate" in codes


def test_a_corpus_of_no_samples_is_checked_and_counted(tmp_path: Path) -> None:
    """An empty row group, as other programs write one."""
    good, empty = tmp_path / "good.parquet", tmp_path / "empty.parquet"
    write_corpus([sample("a")], good, METADATA)
    table = pq.read_table(good).replace_schema_metadata(pq.read_metadata(good).metadata)
    with pq.ParquetWriter(empty, table.schema) as writer:
        writer.write_table(table.slice(0, 0))
    assert check_corpus(empty).samples == corpus_stats(empty).samples == 0
