from __future__ import annotations

from pathlib import Path

from inkscan.data.rejection import Rejection, rejection_path, write_rejections


def test_a_reason_stays_on_its_line(tmp_path: Path) -> None:
    path = rejection_path(tmp_path / "train.parquet")
    assert path.name == "train.rejected.tsv"
    write_rejections([Rejection("a\tb.inkml", "ink.empty", "one\ntwo")], path)
    assert path.read_text() == "name\tcode\treason\na b.inkml\tink.empty\tone two\n"
    assert list(tmp_path.iterdir()) == [path]
