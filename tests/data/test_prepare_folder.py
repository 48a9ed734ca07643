from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.data.corpus import Corpus
from inkscan.data.prepare_folder import prepare_folder, read_labels
from inkscan.errors import BadLabels, SourceNotFound
from inkscan.ink.inkml import InkmlDocument, write_inkml
from inkscan.ink.json import write_json
from inkscan.ink.scgink import write_scgink

from .own_ink import ink


def test_own_inks_in_any_format(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "more").mkdir(parents=True)
    (folder / "a.inkml").write_bytes(write_inkml(InkmlDocument(ink(1))))
    (folder / "b.json").write_bytes(write_json(ink(2)))
    (folder / "more" / "c.scgink").write_bytes(write_scgink(ink(3)))
    (folder / "d.json").write_bytes(b"{}")
    (folder / "e.json").write_bytes(write_json(ink(4)))
    labels = tmp_path / "labels.tsv"
    labels.write_text("file\tlatex\na.inkml\tx^2\nmine/b.json\t\\frac{1}{2}\nmore/c.scgink\ty\nd\tz\n")
    done = prepare_folder(folder, labels, tmp_path / "c.parquet", "own", "CC0-1.0")
    corpus = Corpus.read(tmp_path / "c.parquet")
    assert {s.id: " ".join(s.tokens) for s in corpus} == {
        "a": "x ^ { 2 }",
        "b": r"\frac { 1 } { 2 }",
        "c": "y",
    }
    assert corpus[0].ink == ink(1)
    assert corpus.metadata.licence == "CC0-1.0"
    assert {r.name: r.code for r in done.rejections} == {
        "mine/d.json": "ink.malformed",
        "mine/e.json": "data.no_truth",
    }


def test_labels_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text('file,latex\na.inkml,"f(x, y)"\n\nb.inkml,"a ""b"""\n')
    assert read_labels(path) == {"a.inkml": "f(x, y)", "b.inkml": 'a "b"'}


@pytest.mark.parametrize("text", ["", "a.inkml\n", "a.inkml\t \n", "a\tx\na\ty\n"])
def test_bad_labels(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.tsv").write_text(text)
    with pytest.raises(BadLabels):
        read_labels(tmp_path / "labels.tsv")


def test_labels_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_bytes(b"a\t\xff\xfe\n")
    with pytest.raises(BadLabels):
        read_labels(tmp_path / "labels.tsv")
    with pytest.raises(SourceNotFound):
        read_labels(tmp_path / "none.tsv")
