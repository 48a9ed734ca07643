"""Sources give every input once, in one order; what is done leaves the other chunks as they are."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.bulk.conftest import INKS, SAMPLES, contents

from inkscan.bulk import inputs
from inkscan.bulk.inputs import Done, iter_chunks, open_source
from inkscan.data.corpus import read_metadata
from inkscan.data.source import utf8_text
from inkscan.errors import SourceNotFound
from inkscan.ink import Ink


@pytest.mark.parametrize("kind", ["folder", "zip", "tar"])
def test_files_come_in_order_with_their_bytes(sources: dict[str, Path], kind: str) -> None:
    found = list(open_source(sources[kind]).inputs(Done()))
    assert [one.number for one in found] == list(range(INKS + 1))
    assert {one.name: one.content for one in found} == contents()
    shares = [one.share for one in found]
    assert shares == sorted(shares)


def test_a_corpus_gives_its_inks(sources: dict[str, Path]) -> None:
    found = list(open_source(sources["corpus"]).inputs(Done()))
    assert [one.name for one in found] == [sample.id for sample in SAMPLES]
    assert all(isinstance(one.content, Ink) for one in found)
    assert found[5].content == SAMPLES[5].ink


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "corpus"])
def test_what_is_done_is_left_out_and_the_other_chunks_stay(sources: dict[str, Path], kind: str) -> None:
    source = open_source(sources[kind])
    whole = {(chunk.first, len(chunk.inputs)) for chunk in iter_chunks(source, Done(), 5)}
    assert {(0, 5), (5, 5), (10, 5), (15, 5)} < whole
    rest = {
        (chunk.first, len(chunk.inputs)) for chunk in iter_chunks(source, Done([range(15, 20), range(5)]), 5)
    }
    assert rest == whole - {(0, 5), (15, 5)}


def test_large_inputs_make_short_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "CHUNK_BYTES", 250)
    for number in range(6):
        (tmp_path / f"{number}.json").write_bytes(b" " * 100)
    chunks = list(iter_chunks(open_source(tmp_path), Done()))
    assert [len(chunk.inputs) for chunk in chunks] == [3, 3]
    assert sum(chunk.share for chunk in chunks) == pytest.approx(1)


def test_a_change_of_the_source_changes_its_identity(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[]")
    before = open_source(tmp_path).identity
    assert open_source(tmp_path).identity == before
    (tmp_path / "b.json").write_bytes(b"[]")
    longer = open_source(tmp_path).identity
    assert longer != before
    (tmp_path / "b.json").write_bytes(b"{}")
    os.utime(tmp_path / "b.json", ns=(0, 0))  # whatever the clock's steps are
    assert open_source(tmp_path).identity != longer


def test_a_link_to_a_folder_is_the_same_whatever_the_folder_holds(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[]")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.utime(tmp_path, ns=(0, 0))  # whatever the clock's steps are
    before = open_source(tmp_path, tmp_path / "out.csv").identity
    (tmp_path / "out.csv").write_bytes(b"")
    assert open_source(tmp_path, tmp_path / "out.csv").identity == before


def test_a_link_to_a_file_is_read_and_changes_with_it(tmp_path: Path) -> None:
    source, away = tmp_path / "source", tmp_path / "away.json"
    source.mkdir()
    away.write_bytes(b"[]")
    (source / "a.json").symlink_to(away)
    before = open_source(source).identity
    assert [one.content for one in open_source(source).inputs(Done())] == [b"[]"]
    away.write_bytes(b"[[]]")
    assert open_source(source).identity != before


def test_names_that_are_no_text_stay_apart(tmp_path: Path) -> None:
    for name in (b"a\xff.json", b"a\xfe.json"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"{}")
    ids = [utf8_text(one.name) for one in open_source(tmp_path).inputs(Done())]
    assert ids == ["a%FE.json", "a%FF.json"]


def test_a_missing_source_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        open_source(tmp_path / "nothing")


def test_a_file_that_cannot_be_opened_is_an_input_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.json").write_bytes(b"[]")

    def refuse(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    (one,) = open_source(tmp_path).inputs(Done())
    assert isinstance(one.content, SourceNotFound)


def test_inks_that_begin_like_the_output_are_read(tmp_path: Path) -> None:
    names = ["b.inkml", "result.inkml", "result.parts.inkml", "result.x.partial"]
    for name in (*names, "result", "result.17.partial", "result.parts/part-1.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = open_source(tmp_path, tmp_path / "result").inputs(Done())
    assert [one.name for one in found] == names


def test_a_job_does_not_read_what_it_writes(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    (tmp_path / "a.inkml").write_bytes(b"")
    (tmp_path / "out.parquet2").write_bytes(b"")
    before = open_source(tmp_path, out).identity
    (tmp_path / "out.parquet.parts").mkdir()
    for name in ("out.parquet", "out.parquet.7.partial", "out.parquet.parts/job.json"):
        (tmp_path / name).write_bytes(b"")
    source = open_source(tmp_path, out)
    assert source.identity == before
    assert [one.name for one in source.inputs(Done())] == ["a.inkml", "out.parquet2"]


def test_what_another_job_has_noted_is_no_input(tmp_path: Path) -> None:
    for name in ("out.jsonl", "out.jsonl.job.json", "alone.jsonl.job.json", "ink.job.json"):
        (tmp_path / name).write_bytes(b"")
    found = {one.name for one in open_source(tmp_path, tmp_path / "other.parquet").inputs(Done())}
    assert found == {"out.jsonl", "alone.jsonl.job.json", "ink.job.json"}


def test_a_corpus_that_was_changed_is_another_one_whatever_it_claims(
    sources: dict[str, Path], tmp_path: Path
) -> None:
    table = pq.read_table(sources["corpus"])
    changed = tmp_path / "changed.parquet"
    with pq.ParquetWriter(changed, table.schema) as writer:
        writer.write_table(table.take([1, 0, *range(2, len(table))]))
        writer.add_key_value_metadata(pq.ParquetFile(sources["corpus"]).metadata.metadata)
    before, after = open_source(sources["corpus"]), open_source(changed)
    assert read_metadata(changed) == read_metadata(sources["corpus"])
    assert after.identity != before.identity
