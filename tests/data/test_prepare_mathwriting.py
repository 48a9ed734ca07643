from __future__ import annotations

from pathlib import Path

from inkscan.data.corpus import Corpus
from inkscan.data.prepare_mathwriting import prepare_mathwriting
from inkscan.ink.inkml import InkmlDocument
from inkscan.ink.inkml_writer import write_inkml

from .own_ink import ink


def test_labels_and_what_the_tree_cannot_take(tmp_path: Path) -> None:
    labels = {
        "plain": {"label": "wrong", "normalizedLabel": "x^{2}"},
        "old": {"label": "y"},
        "matrix": {"normalizedLabel": r"\begin{matrix}a&b\end{matrix}"},
        "nothing": {"inkCreationMethod": "human"},
    }
    for name, notes in labels.items():
        (tmp_path / f"{name}.inkml").write_bytes(write_inkml(InkmlDocument(ink(), notes)))
    done = prepare_mathwriting(tmp_path, tmp_path / "c.parquet", "valid")
    tokens = {s.id: s.tokens for s in Corpus.read(tmp_path / "c.parquet")}
    assert tokens == {
        "plain": ("x", "^", "{", "2", "}"),
        "old": ("y",),
        "matrix": (r"\begin{matrix}", "a", "&", "b", r"\end{matrix}"),
    }
    assert [(r.name.split("/")[-1], r.code) for r in done.rejections] == [("nothing.inkml", "data.no_truth")]
    assert done.metadata.licence == "CC BY-NC-SA 4.0"


def test_excerpt(shared_data: Path, tmp_path: Path) -> None:
    done = prepare_mathwriting(shared_data / "mathwriting-excerpt.tar.xz", tmp_path / "c.parquet")
    assert (done.kept, done.rejections) == (11, ())
    corpus = Corpus.read(tmp_path / "c.parquet")
    assert set(corpus.sources) == {"train", "valid", "test"}
    assert all(not any(sample.alignment) for sample in corpus)
