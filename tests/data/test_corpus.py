from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inkscan.data.corpus import (
    SCHEMA,
    Corpus,
    CorpusMetadata,
    StoredCorpus,
    count_samples,
    iter_row_groups,
    joined_metadata,
    read_metadata,
    refuse_test_set,
    write_corpus,
)
from inkscan.data.prepare_crohme import prepare_crohme
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, SourceNotFound, TestSplitSelection

from .own_ink import sample

METADATA = CorpusMetadata(split="train", licence="CC0-1.0")


def test_round_trip(tmp_path: Path) -> None:
    samples = [sample(f"s{i}", seed=i) for i in range(7)]
    samples.append(replace(samples[0], id="unaligned", tokens=("x",), alignment=((),)))
    written = write_corpus(iter(samples), tmp_path / "c.parquet", METADATA)
    corpus = Corpus.read(tmp_path / "c.parquet")
    assert list(corpus) == samples
    assert corpus[-1] == samples[-1]
    assert corpus[2:4] == samples[2:4]
    assert corpus.metadata == written == read_metadata(tmp_path / "c.parquet")
    assert (written.split, written.licence) == ("train", "CC0-1.0")
    assert len(corpus) == count_samples(tmp_path / "c.parquet") == 8
    np.testing.assert_array_equal(corpus.stroke_counts, [3] * 8)
    np.testing.assert_array_equal(corpus.point_counts, [9] * 8)
    np.testing.assert_array_equal(corpus.token_counts, [5] * 7 + [1])
    with pytest.raises(IndexError):
        corpus[8]


def test_row_groups_hold_the_whole_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inkscan.data.corpus.ROW_GROUP_SAMPLES", 3)
    samples = [sample(f"s{i}", seed=i) for i in range(7)]
    write_corpus(samples, tmp_path / "c.parquet", METADATA)
    parts = list(iter_row_groups(tmp_path / "c.parquet"))
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [s for part in parts for s in part] == samples
    assert list(Corpus.read(tmp_path / "c.parquet")) == samples


def test_an_empty_corpus(tmp_path: Path) -> None:
    write_corpus([], tmp_path / "c.parquet", METADATA)
    assert len(Corpus.read(tmp_path / "c.parquet")) == 0


def test_the_fingerprint_is_of_the_content_not_of_its_order(tmp_path: Path) -> None:
    samples = [sample(f"s{i}", seed=i) for i in range(4)]

    def fingerprint(chosen: list) -> str:  # type: ignore[type-arg]
        return write_corpus(chosen, tmp_path / "c.parquet", METADATA).fingerprint

    whole = fingerprint(samples)
    assert fingerprint(samples[::-1]) == whole
    changed = {
        "ink": replace(samples[0], ink=sample("", seed=99).ink),
        "tokens": replace(samples[0], tokens=("y", *samples[0].tokens[1:])),
        "alignment": replace(samples[0], alignment=((0,), (), (), (2,), ())),
        "id": replace(samples[0], id="other"),
        "source": replace(samples[0], source="other"),
    }
    for what, other in changed.items():
        assert fingerprint([other, *samples[1:]]) != whole, what


def test_a_corpus_that_fails_midway_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    write_corpus([sample("old")], path, METADATA)

    def broken() -> Iterator[Sample]:
        yield sample("new")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_corpus(broken(), path, METADATA)
    assert Corpus.read(path).ids == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["c.parquet"]


def test_what_is_no_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        Corpus.read(tmp_path / "none.parquet")
    with pytest.raises(SourceNotFound, match="is a folder; a corpus is a Parquet file"):
        Corpus.read(tmp_path)
    (tmp_path / "text.parquet").write_text("no Parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "foreign.parquet")
    write_corpus([sample("a")], tmp_path / "good.parquet", METADATA)
    data = (tmp_path / "good.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(data[: len(data) // 2])
    table = pq.read_table(tmp_path / "good.parquet")
    pq.write_table(table.drop_columns(["tokens"]).replace_schema_metadata({}), tmp_path / "nometa.parquet")
    for name in ("text", "foreign", "cut", "nometa"):
        with pytest.raises(BadCorpus):
            Corpus.read(tmp_path / f"{name}.parquet")


def test_uneven_columns_are_refused() -> None:
    good = {"id": ["a"], "strokes": [[{"x": [1.0], "y": [1.0]}]], "tokens": [["x"]], "alignment": [[[0]]]}
    good["source"] = [""]
    Corpus(pa.table(good, schema=SCHEMA), METADATA)
    for bad in (
        {"strokes": [[{"x": [1.0, 2.0], "y": [1.0]}]]},
        {"alignment": [[[0], []]]},
        {"tokens": [None]},
        {"tokens": [[None]]},
        {"strokes": [[{"x": [None], "y": [1.0]}]]},
        {"strokes": [[{"x": None, "y": [1.0]}]]},
        {"strokes": [[None]]},
        {"alignment": [[[None]]]},
        {"alignment": [[None]]},
    ):
        with pytest.raises(BadCorpus):
            Corpus(pa.table({**good, **bad}, schema=SCHEMA), METADATA)


@pytest.mark.slow
def test_crohme_train(shared_data: Path, tmp_path: Path) -> None:
    """The acceptance of `data prepare crohme`: every file accounted for, in bounded time."""
    started = time.process_time()
    done = prepare_crohme(shared_data / "crohme-train.tar.xz", tmp_path / "train.parquet", "train")
    assert time.process_time() - started < 40
    assert done.kept + len(done.rejections) == 8836
    assert done.kept >= 8833
    assert {r.name: r.code for r in done.rejections}["train/MfrDB/MfrDB3088.inkml"] == "ink.empty"
    started = time.process_time()
    samples = list(Corpus.read(tmp_path / "train.parquet"))
    assert time.process_time() - started < 10
    assert len(samples) == done.kept
    rows = (shared_data / "reference" / "crohme-train-tokens.tsv").read_text().splitlines()
    reference = dict(row.split("\t")[:2] for row in rows)
    same = sum(reference.get(s.id, "").split() == list(s.tokens) for s in samples)
    assert same / len(samples) >= 0.98


@pytest.mark.parametrize(("archive", "count"), [("crohme-test2013", 671), ("crohme-test2014", 986)])
def test_crohme_tests_keep_every_ink(shared_data: Path, tmp_path: Path, archive: str, count: int) -> None:
    done = prepare_crohme(shared_data / f"{archive}.tar.xz", tmp_path / "c.parquet")
    assert (done.kept, done.failed) == (count, ())


def two_corpora(folder: Path) -> tuple[Path, Path]:
    a, b = folder / "a.parquet", folder / "b.parquet"
    write_corpus([sample("1"), sample("2", 1)], a, CorpusMetadata("train", "CC0-1.0"))
    write_corpus([sample("3", 2)], b, CorpusMetadata("own", "CC BY 4.0; CC0-1.0"))
    return a, b


def test_several_corpora_are_read_as_one(tmp_path: Path) -> None:
    a, b = two_corpora(tmp_path)
    joined, stored = Corpus.read(a, b), StoredCorpus(a, b)
    assert list(joined) == [*Corpus.read(a), *Corpus.read(b)]
    assert (len(stored), stored.group_sizes) == (3, (2, 1))
    assert list(stored.read([1, 0])) == [*Corpus.read(b), *Corpus.read(a)]
    assert stored.token_set() == StoredCorpus(a).token_set() | StoredCorpus(b).token_set()
    assert len(stored.read([])) == 0


def test_several_corpora_say_what_they_are_together(tmp_path: Path) -> None:
    a, b = two_corpora(tmp_path)
    joined = StoredCorpus(a, b).metadata
    assert joined == Corpus.read(a, b).metadata
    assert (joined.split, joined.licence) == ("train + own", "CC0-1.0; CC BY 4.0")
    fingerprints = {
        StoredCorpus(*paths).metadata.fingerprint for paths in ((a,), (b,), (a, b), (b, a), (a, a))
    }
    assert len(fingerprints) == 5
    assert StoredCorpus(a).metadata == read_metadata(a)


def test_a_test_set_among_several_makes_all_a_test_set() -> None:
    def joined(*splits: str) -> CorpusMetadata:
        return joined_metadata([CorpusMetadata(split) for split in splits])

    assert joined("test2013", "crohme-test2013").is_validation
    assert not joined("test2014", "test2013").is_validation
    assert joined("test2014", "test2013").is_test
    assert joined("train", "test2016").is_test
    assert not joined("train", "test2013").is_test


def test_nothing_is_learnt_from_a_test_set(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    for split in ("train", "test2013"):  # the field's validation set
        write_corpus([sample("a")], path, CorpusMetadata(split, ""))
        refuse_test_set(path)
    write_corpus([sample("a")], path, CorpusMetadata("test2014", ""))
    with pytest.raises(TestSplitSelection, match="is a test set"):
        refuse_test_set(path)
