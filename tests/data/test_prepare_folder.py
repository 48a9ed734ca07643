from __future__ import annotations

import os
import tracemalloc
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from inkscan.data.corpus import Corpus
from inkscan.data.labels import read_labels
from inkscan.data.prepare_folder import prepare_folder
from inkscan.data.rejection import rejection_path
from inkscan.errors import BadLabels, SourceNotFound
from inkscan.ink.inkml import InkmlDocument, SymbolGroup
from inkscan.ink.inkml_writer import write_inkml
from inkscan.ink.json import write_json
from inkscan.ink.scgink import write_scgink
from inkscan.latex.tokens import canonical_tokens

from .own_ink import X_SQUARED, crohme_file, ink

BLANKS = ("a b.json", "a  b.json", " a b.json", "a b.json ")


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


def test_trace_groups_give_strokes_where_they_agree_with_the_label(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    groups = (SymbolGroup("2", (2,)), SymbolGroup("x", (0, 1)))
    mathml = fromstring("<math><msup><mi>x</mi><mn>2</mn></msup></math>")
    (folder / "plain.inkml").write_bytes(write_inkml(InkmlDocument(ink(), groups=groups)))
    (folder / "nameless.inkml").write_bytes(write_inkml(InkmlDocument(ink(), mathml=mathml, groups=groups)))
    for name in ("pointed", "other", "array", "single"):
        (folder / f"{name}.inkml").write_bytes(crohme_file())
    labels = tmp_path / "labels.tsv"
    array = r"\begin{matrix}a\end{matrix}"
    labels.write_text(f"plain\tx^2\nnameless\tx^2\npointed\tx^2\nother\ty^3\narray\t{array}\nsingle\ty\n")
    prepare_folder(folder, labels, tmp_path / "c.parquet")
    found = {sample.id: sample for sample in Corpus.read(tmp_path / "c.parquet")}
    for name in ("plain", "nameless", "pointed"):
        assert (found[name].tokens, found[name].alignment) == X_SQUARED
    assert found["other"].tokens == ("y", "^", "{", "3", "}")
    assert not any((*found["other"].alignment, *found["array"].alignment))
    assert found["single"].alignment == ((0, 1, 2),)


def test_a_corpus_that_stays_keeps_its_report(tmp_path: Path) -> None:
    out = tmp_path / "mine.parquet"
    for name, text in (("good", "1 2, 3 4"), ("bad", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.inkml").write_text(f"<ink><trace>{text}</trace></ink>")
    labels = tmp_path / "labels.tsv"
    labels.write_text("a\tx\n")
    prepare_folder(tmp_path / "good", labels, out)
    before = rejection_path(out).read_bytes()
    assert prepare_folder(tmp_path / "bad", labels, out).kept == 0
    assert rejection_path(out).read_bytes() == before


def test_labels_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text('file,latex\na.inkml,"f(x, y)"\n\nb.inkml,"a ""b"""\n')
    assert read_labels(path) == {"a.inkml": "f(x, y)", "b.inkml": 'a "b"'}


@pytest.mark.parametrize("suffix", ["tsv", "csv"])
def test_names_of_labels_are_what_they_are(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"labels.{suffix}"
    between = "," if suffix == "csv" else "\t"
    path.write_text(
        "".join(f"{name}{between} {latex} \n" for name, latex in zip(BLANKS, "xyzw", strict=True))
    )
    assert read_labels(path) == dict(zip(BLANKS, "xyzw", strict=True))


def test_a_quoted_cell_goes_on_in_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text('a.inkml,"e^{i\\pi\nx}"\r\nb.inkml,y\r\n')
    assert {name: canonical_tokens(latex) for name, latex in read_labels(path).items()} == {
        "a.inkml": ("e", "^", "{", "i", "\\pi", "x", "}"),
        "b.inkml": ("y",),
    }


def test_only_line_feeds_end_a_line_of_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_bytes("a\tx\u2028y\r\nb\tz\x0b\n".encode())
    assert read_labels(path) == {"a": "x\u2028y", "b": "z"}


@pytest.mark.parametrize(
    "text", ["", "a.inkml\n", "a.inkml\t \n", "a\tx\na\ty\n", "a\tx\n\ty\n", "a\tx\n \ty\n"]
)
def test_bad_labels(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.tsv").write_text(text)
    with pytest.raises(BadLabels):
        read_labels(tmp_path / "labels.tsv")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("l.csv", "a.inkml,f(x,y)=1\n", r"more than two columns.*needs quotes"),
        ("l.tsv", "a.inkml\tx\tby Ann\n", "more than two columns"),
        ("l.tsv", "a.inkml x^2\n", r"with a tab between them .or, in a \.csv, a comma"),
        ("l.csv", "a.inkml x^2\n", "with a comma between them"),
    ],
)
def test_labels_are_never_cut(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadLabels, match=reason):
        read_labels(tmp_path / name)


def test_columns_that_are_empty_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("a.inkml,x,\n")
    assert read_labels(tmp_path / "l.csv") == {"a.inkml": "x"}


def test_lines_that_name_no_ink_or_two(tmp_path: Path) -> None:
    for folder in ("w1", "w2"):
        (tmp_path / "mine" / folder).mkdir(parents=True)
        (tmp_path / "mine" / folder / "a.json").write_bytes(write_json(ink(1)))
    (tmp_path / "mine" / "bad.json").write_bytes(b"{}")
    labels, out = tmp_path / "labels.tsv", tmp_path / "c.parquet"
    labels.write_text("w1/a.json\tx\nw2/a.json\ty\nzzz.json\tz\nbad.json\tz\n")
    done = prepare_folder(tmp_path / "mine", labels, out)
    assert (done.kept, done.unused_labels) == (2, ("zzz.json",))
    out.unlink()
    for name in ("a.json", "a"):
        labels.write_text(f"{name}\tx\n")
        with pytest.raises(BadLabels, match=f"{name} is two inks: write mine/w1/a.json and mine/w2/a.json"):
            prepare_folder(tmp_path / "mine", labels, out)
        assert not out.exists()


def test_broken_latex_is_left_out_and_foreign_latex_is_kept(tmp_path: Path) -> None:
    labels = {
        "brace": r"x+\frac{1",
        "order": "x+}1{",
        "argument": r"\frac{1}",
        "script": r"{x^}",
        "foreign": r"\foo{x",
        "index": r"\sqrt[3]",
        "empty": "{}",
        "array": r"\begin{matrix}a&b\end{matrix}",
        "command": r"\heartsuit+1",
        "isotope": r"{}^{14}C",
        "root": r"\heartsuit\sqrt[3]{\frac12}",
    }
    (tmp_path / "mine").mkdir()
    for name in labels:
        (tmp_path / "mine" / f"{name}.json").write_bytes(write_json(ink(1)))
    table = tmp_path / "labels.tsv"
    table.write_text("".join(f"{name}\t{latex}\n" for name, latex in labels.items()))
    done = prepare_folder(tmp_path / "mine", table, tmp_path / "c.parquet")
    broken = dict.fromkeys(("brace", "order", "argument", "script", "foreign", "index"), "latex.syntax")
    assert {Path(r.name).stem: r.code for r in done.rejections} == broken | {"empty": "data.no_truth"}
    assert {Path(name).stem for name in done.foreign} == {"array", "command", "isotope", "root"}
    assert done.kept == len(done.foreign)


def test_labels_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_bytes(b"a\t\xff\xfe\n")
    with pytest.raises(BadLabels):
        read_labels(tmp_path / "labels.tsv")
    with pytest.raises(SourceNotFound):
        read_labels(tmp_path / "none.tsv")


def test_names_that_are_not_utf8_are_kept_readable(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for name in (b"na\xefve.json", b"lost\xef.json"):
        (tmp_path / "mine" / os.fsdecode(name)).write_bytes(write_json(ink(1)))
    (tmp_path / "labels.tsv").write_text("na%EFve.json\tx\n", encoding="utf-8")
    done = prepare_folder(tmp_path / "mine", tmp_path / "labels.tsv", tmp_path / "new" / "c.parquet")
    assert [sample.id for sample in Corpus.read(tmp_path / "new" / "c.parquet")] == ["na%EFve"]
    assert [rejection.name for rejection in done.rejections] == ["mine/lost%EF.json"]


def test_a_line_without_end_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    with path.open("wb") as stream:
        stream.write(b"a.inkml\t" + b"x" * 1_000_000)
        stream.truncate(200_000_000)
    tracemalloc.start()
    with pytest.raises(BadLabels, match="line 1: longer than"):
        read_labels(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
