from __future__ import annotations

import io
import tarfile
from pathlib import Path

from inkscan.data.check import check_corpus
from inkscan.data.corpus import Corpus
from inkscan.data.prepare_crohme import prepare_crohme, written_symbols
from inkscan.data.rejection import rejection_path
from inkscan.ink.inkml import InkmlDocument, SymbolGroup
from inkscan.ink.inkml_writer import write_inkml

from .own_ink import X_SQUARED, crohme_file, ink


def test_every_file_is_in_the_corpus_or_in_the_report(tmp_path: Path) -> None:
    files = {
        "train/A/one.inkml": crohme_file(1),
        "train/B/one.inkml": crohme_file(2),
        "train/B/deep/one.inkml": crohme_file(3),
        "train/B/two.inkml": crohme_file(4),
        "train/B/empty.inkml": b"",
        "train/B/cut.inkml": crohme_file(5)[:200],
        "train/B/untrue.inkml": crohme_file(6, truth=""),
        "train/B/broken.inkml": crohme_file(7, truth=r"\frac{x"),
        "train/readme.txt": b"hello",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    done = prepare_crohme(tmp_path / "train", tmp_path / "out.parquet", "train")
    corpus = Corpus.read(tmp_path / "out.parquet")
    assert corpus.ids == ["one", "deep/one", "B/one", "two"]
    assert corpus.sources == ["A", "deep", "B", "B"]
    assert corpus.metadata.licence == "CC BY-NC-SA 3.0"
    assert (corpus[0].tokens, corpus[0].alignment) == X_SQUARED
    assert {r.name: r.code for r in done.rejections} == {
        "train/B/broken.inkml": "latex.syntax",
        "train/B/cut.inkml": "ink.malformed",
        "train/B/empty.inkml": "ink.empty",
        "train/B/untrue.inkml": "data.no_truth",
        "train/readme.txt": "data.not_ink",
    }
    assert done.kept + len(done.rejections) == len(files)
    lines = rejection_path(tmp_path / "out.parquet").read_text().splitlines()
    assert lines[0] == "name\tcode\treason"
    assert len(lines) == 1 + len(done.rejections)
    assert all(line.count("\t") == 2 for line in lines)


def test_the_fingerprint_does_not_depend_on_which_of_two_names_came_first(tmp_path: Path) -> None:
    names = ["A/x.inkml", "B/x.inkml", "b/A/x.inkml", "A/y.inkml", "c/A/x.inkml", "c/A/x.inkml"]
    ids, fingerprints = [], set()
    for order in (1, -1):
        archive = tmp_path / f"{order}.tar"
        with tarfile.open(archive, "w") as tar:
            for seed, name in list(enumerate(names))[::order]:
                member = tarfile.TarInfo(name)
                member.size = len(crohme_file(seed))
                tar.addfile(member, io.BytesIO(crohme_file(seed)))
        out = tmp_path / f"{order}.parquet"
        fingerprints.add(prepare_crohme(archive, out, "train").metadata.fingerprint)
        ids.append(Corpus.read(out).ids)
        assert check_corpus(out).findings == ()
    assert ids[0] == ["x", "B/x", "A/x", "y", "c/A/x.inkml", "c/A/x.inkml#2"]
    assert ids[1] == ["x", "A/x", "y", "b/A/x.inkml", "B/x", "A/x.inkml"]
    assert len(fingerprints) == 1


def test_groups_that_name_one_element_are_one_symbol() -> None:
    groups = (
        SymbolGroup("=", (0,), href="=_1"),
        SymbolGroup("=", (2,), href="=_1"),
        SymbolGroup("x", (1,)),
    )
    symbols = written_symbols(InkmlDocument(ink(), groups=groups))
    assert [(s.label, s.strokes, s.id) for s in symbols] == [("=", (0, 2), "=_1"), ("x", (1,), "")]


def test_an_ink_without_mathml_keeps_its_groups(tmp_path: Path) -> None:
    groups = (SymbolGroup("2", (2,)), SymbolGroup("x", (0, 1)))
    (tmp_path / "one.inkml").write_bytes(write_inkml(InkmlDocument(ink(), {"truth": "$x^2$"}, groups=groups)))
    prepare_crohme(tmp_path, tmp_path / "c.parquet")
    assert Corpus.read(tmp_path / "c.parquet")[0].alignment == X_SQUARED[1]
