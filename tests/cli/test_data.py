"""`inkscan data` from source to page, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.data import app
from inkscan.errors import BadCorpus, BadRequest, SourceNotFound
from inkscan.ink import Ink
from inkscan.ink.inkml import InkmlDocument
from inkscan.ink.inkml_writer import write_inkml

INK = Ink.from_points([[[0, 0], [9, 9]], [[9, 0], [0, 9]]])


def write_source(folder: Path) -> Path:
    folder.mkdir()
    for name in ("a", "b"):
        document = InkmlDocument(INK, {"truth": "$x$", "normalizedLabel": "x"})
        (folder / f"{name}.inkml").write_bytes(write_inkml(document))
    return folder


def invoke(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    return result.exit_code, result.output


def test_prepare_check_stats_show(tmp_path: Path) -> None:
    source, corpus = write_source(tmp_path / "set"), tmp_path / "own.parquet"
    code, output = invoke("prepare", "crohme", source, "-o", corpus)
    assert (code, "2 of 2 inks kept" in output) == (0, True)
    assert invoke("check", corpus)[0] == 0
    code, output = invoke("stats", corpus, "--json", "-o", tmp_path / "stats.svg")
    assert json.loads(output)["samples"] == 2
    assert json.loads(output)["split"] == "own"
    assert (tmp_path / "stats.svg").read_text().startswith("<svg")
    assert "2 expressions" in invoke("stats", corpus)[1]
    assert invoke("show", corpus, "-o", tmp_path / "page.html")[0] == 0
    assert "<figure" in (tmp_path / "page.html").read_text()


def test_mathwriting_and_folder(tmp_path: Path) -> None:
    source = write_source(tmp_path / "set")
    assert invoke("prepare", "mathwriting", source, "-o", tmp_path / "m.parquet", "--split", "valid")[0] == 0
    labels = tmp_path / "labels.tsv"
    labels.write_text("a\tx\nb\ty\n")
    assert invoke("prepare", "folder", source, "-o", tmp_path / "f.parquet", "--labels", labels)[0] == 0


def test_files_left_out_are_named_and_the_exit_code_is_1(tmp_path: Path) -> None:
    source = write_source(tmp_path / "set")
    (source / "empty.inkml").write_bytes(b"")
    (source / "notes.txt").write_text("not ink")
    code, output = invoke("prepare", "crohme", source, "-o", tmp_path / "c.parquet")
    assert code == 1
    assert "2 of 3 inks kept\n" in output
    assert "1 other file left aside, as the name does not end in .inkml: set/notes.txt\n" in output
    assert "set/empty.inkml [ink.empty]" in output
    assert "notes.txt" in (tmp_path / "c.rejected.tsv").read_text()
    for letter in "abc":
        (source / f"{letter}.txt").write_text("not ink")
    others = invoke("prepare", "crohme", source, "-o", tmp_path / "c.parquet")[1]
    assert "4 other files left aside, as" in others
    assert ": set/a.txt, set/b.txt, set/c.txt, ...\n" in others


def test_a_source_without_ink_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "set"
    source.mkdir()
    (source / "notes.txt").write_text("not ink")
    with pytest.raises(SourceNotFound, match=r"no ink, so no corpus was written$"):
        invoke("prepare", "crohme", source, "-o", tmp_path / "c.parquet")
    (source / "own.json").write_text("[]")
    with pytest.raises(SourceNotFound, match="for inks of your own: `inkscan data prepare folder"):
        invoke("prepare", "crohme", source, "-o", tmp_path / "c.parquet")
    (source / "empty.inkml").write_bytes(b"")
    with pytest.raises(BadCorpus, match="no corpus was written"):
        invoke("prepare", "crohme", source, "-o", tmp_path / "c.parquet")
    assert not (tmp_path / "c.parquet").exists()


def test_labels_without_ink_and_foreign_latex_are_named(tmp_path: Path) -> None:
    source, labels, out = write_source(tmp_path / "set"), tmp_path / "labels.tsv", tmp_path / "f.parquet"
    labels.write_text("a\tx\nb\t\\heartsuit\nzzz.json\tz\n")
    code, output = invoke("prepare", "folder", source, "-o", out, "--labels", labels)
    assert code == 0
    assert f"1 line of {labels} names no ink: zzz.json\n" in output
    assert "1 kept with arrays or commands that inkscan does not know: set/b.inkml\n" in output
    assert (
        "2 samples, 0 faults; 1 with arrays or commands that inkscan does not know\n"
        in invoke("check", out)[1]
    )


def test_brackets_in_names_are_printed_as_they_are(tmp_path: Path) -> None:
    source, labels, out = write_source(tmp_path / "set [a]"), tmp_path / "labels.tsv", tmp_path / "f.parquet"
    labels.write_text("a\tx\nb\ty\n")
    assert (
        invoke("prepare", "folder", source, "-o", out, "--labels", labels, "--licence", "mine [/b]")[0] == 0
    )
    output = invoke("stats", out)[1]
    assert "mine [/b]" in output
    assert "set [a] 2" in output


def test_a_folder_is_no_page_to_write(tmp_path: Path) -> None:
    code, output = invoke("show", "any.parquet", "-o", tmp_path)
    assert (code, "is a directory" in output) == (2, True)


def test_names_that_promise_another_kind_of_file_are_refused(tmp_path: Path) -> None:
    source = write_source(tmp_path / "set")
    code, output = invoke("prepare", "crohme", source, "-o", tmp_path / "my.csv")
    assert (code, "must end in .parquet" in output) == (2, True)
    code, output = invoke("generate", tmp_path / "gen.txt", "-n", "1")
    assert (code, "neither a corpus" in output) == (2, True)
    assert list(tmp_path.iterdir()) == [source]


def test_a_table_of_labels_is_not_written_over(tmp_path: Path) -> None:
    source = write_source(tmp_path / "set")
    for name, out in (("mine.rejected.tsv", "mine.parquet"), ("labels.parquet", "labels.parquet")):
        labels = tmp_path / name
        labels.write_text("a\tx\nb\ty\n")
        with pytest.raises(BadRequest, match="is what this command reads"):
            invoke("prepare", "folder", source, "--labels", labels, "-o", tmp_path / out)
        assert labels.read_text() == "a\tx\nb\ty\n"


def test_help_is_in_the_order_of_use_and_an_unknown_collection_names_the_known(tmp_path: Path) -> None:
    listed = invoke("--help")[1].split("Commands:")[1].split("\n")[1:6]
    assert [line.split()[0] for line in listed] == ["prepare", "check", "stats", "show", "generate"]
    assert not any(line.endswith("...") for line in listed)
    code, output = invoke("prepare", "iam", tmp_path, "-o", tmp_path / "c.parquet")
    assert (code, "there are crohme, mathwriting, folder." in output) == (2, True)
