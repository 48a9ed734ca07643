"""Fingerprints: those that are published stay, and ids count wherever they say more than the order of files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.fingerprint import Fingerprint
from inkscan.data.prepare_crohme import prepare_crohme
from inkscan.data.sample import Sample

from .own_ink import sample


def made(*samples: Sample) -> Fingerprint:
    fingerprint = Fingerprint()
    for one in samples:
        fingerprint.add(one)
    return fingerprint


def placed(id: str, source: str, seed: int) -> Sample:
    return replace(sample(id, seed), source=source)


def test_a_name_that_several_folders_have_is_told_by_them_whoever_came_first() -> None:
    one = made(placed("x", "A", 1), placed("B/x", "B", 2))
    other = made(placed("x", "B", 2), placed("A/x", "A", 1))
    assert one.hexdigest() == other.hexdigest()
    assert one.hexdigest_by_ids() != other.hexdigest_by_ids()
    swapped = made(placed("x", "A", 2), placed("B/x", "B", 1))
    assert swapped.hexdigest() != one.hexdigest()


@pytest.mark.parametrize(
    "samples",
    [
        (placed("A/x", "A", 1), placed("y", "A", 2)),  # no other x
        (placed("w1/x", "mine", 1), placed("w2/x", "mine", 2)),  # ids that somebody else has given
        (placed("x.json", "A", 1), placed("x", "A", 2)),
    ],
)
def test_other_ids_count_as_they_are(samples: tuple[Sample, ...]) -> None:
    assert made(*samples).hexdigest() == made(*samples).hexdigest_by_ids()


def test_a_fingerprint_of_one_sample_is_what_it_was(tmp_path: Path) -> None:
    one = replace(sample("x"), ink=sample("x").ink.from_points([[(0, 0), (1, 1)], [(1, 0)], [(2.5, -3)]]))
    written = write_corpus([one], tmp_path / "c.parquet", CorpusMetadata("train"))
    assert written.fingerprint[:16] == "7a41fe1d568140b2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("archive", "published"),
    [
        ("crohme-train", "057defdf98f1f8ac"),
        ("crohme-test2013", "46501252e67e5bda"),
        ("crohme-test2014", "5c7a4f0bb69c6169"),
        ("crohme-test2016", "e1af5f8f76c60dd7"),
    ],
)
def test_published_fingerprints_stay(shared_data: Path, tmp_path: Path, archive: str, published: str) -> None:
    done = prepare_crohme(shared_data / f"{archive}.tar.xz", tmp_path / "c.parquet")
    assert done.metadata.fingerprint[:16] == published
