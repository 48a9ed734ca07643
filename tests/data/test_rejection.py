from __future__ import annotations

from pathlib import Path

from inkscan.data.rejection import Rejection, rejection_path, write_rejections


def test_a_reason_stays_on_its_line(tmp_path: Path) -> None:
    path = rejection_path(tmp_path / "train.parquet")
    assert path.name == "train.rejected.tsv"
    write_rejections([Rejection("a\tb.inkml", "ink.empty", "one\ntwo")], path)
    assert path.read_text() == "name\tcode\treason\na%09b.inkml\tink.empty\tone two\n"
    assert list(tmp_path.iterdir()) == [path]


def test_names_are_what_they_are(tmp_path: Path) -> None:
    names = ["a  b.inkml", "a b.inkml", " a b.inkml"]
    write_rejections([Rejection(name, "ink.empty", "") for name in names], tmp_path / "r.tsv")
    rows = (tmp_path / "r.tsv").read_text().splitlines()[1:]
    assert [row.split("\t")[0] for row in rows] == names
