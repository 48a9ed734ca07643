"""The files of scoring, and `inkscan score` and `inkscan compare` on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.errors import BadLabels, BadRequest, SourceNotFound
from inkscan.evaluation import score_files
from inkscan.evaluation.bootstrap import Bootstrap
from inkscan.evaluation.score_files import (
    SAMPLE_HEADER,
    count_expressions,
    read_expressions,
    read_scored,
    score_expressions,
    write_expressions,
    write_samples,
)
from inkscan.evaluation.significance import compare_samples

TRUTHS = {"a": "x ^ { 2 }", "b": r"\frac { 1 } { 2 }", "c": "a + b", "d": r"\sqrt { x }"}
PREDICTIONS = {"a": "$x^2$", "b": r"\frac{1}{z}", "c": "a + b }", "stranger": "x"}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    truth, prediction = tmp_path / "truth.tsv", tmp_path / "pred.tsv"
    write_expressions(TRUTHS, truth)
    write_expressions(PREDICTIONS, prediction)
    return truth, prediction


def _run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_expressions_survive_a_round_trip(tmp_path: Path) -> None:
    write_expressions(TRUTHS, tmp_path / "t.tsv")
    assert read_expressions(tmp_path / "t.tsv", empty=False) == TRUTHS


def test_ids_are_what_they_are(tmp_path: Path) -> None:
    ids = ("a b", "a  b", " a b", "a b ", "a\u00a0b", "a\x0bb")
    expressions = dict.fromkeys(ids, "x")
    write_expressions(expressions, tmp_path / "t.tsv")
    assert tuple(read_expressions(tmp_path / "t.tsv", empty=False)) == ids
    write_samples(count_expressions(expressions, expressions), tmp_path / "s.tsv")
    assert tuple(sample.id for sample in read_scored(tmp_path / "s.tsv").samples) == ids


def test_ids_that_a_table_cannot_hold_stay_apart(tmp_path: Path) -> None:
    write_expressions({"a\tb": "x", "a\nb": "y", "a b": "z"}, tmp_path / "t.tsv")
    assert read_expressions(tmp_path / "t.tsv", empty=False) == {"a%09b": "x", "a%0Ab": "y", "a b": "z"}


@pytest.mark.parametrize("text", ["a\tx\nb\ty\n", "\ufeffa\tx\r\n\r\nb\ty", "id\tLaTeX\na\tx\nb\t y \n"])
def test_harmless_variations_are_read_alike(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.tsv").write_bytes(text.encode())
    assert read_expressions(tmp_path / "t.tsv", empty=False) == {"a": "x", "b": "y"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize(
    "read", [partial(read_expressions, empty=False), partial(read_scored, truths=TRUTHS)]
)
def test_a_pipe_is_read(tmp_path: Path, read: Callable[[Path], object]) -> None:
    write_expressions(TRUTHS, tmp_path / "t.tsv")
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", tmp_path / "t.tsv", tmp_path / "pipe"]) as writer:
        try:
            assert read(tmp_path / "pipe") == read(tmp_path / "t.tsv")
        finally:
            writer.kill()


def test_a_report_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_files, "MAX_REPORT", 10)
    (tmp_path / "report.json").write_text("{\n\n\n\n\n\n\n\n\n\n}")
    with pytest.raises(BadLabels, match="more than 10 characters"):
        read_scored(tmp_path / "report.json")


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        read_expressions(tmp_path, empty=False)


def test_only_newlines_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tx\u2028y\x0cz\rw\nb\tw\n", encoding="utf-8")
    assert list(read_expressions(tmp_path / "t.tsv", empty=False)) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\tx\na\tx\nb\ty\nb\tz\n", "2 lines repeat an id, the first is 'a'"),
        (b"a\tx\nb\n", "line 2"),
        (b"\tx\n", "line 1"),
        (b"a\tx\t0.9\n", "two columns"),
        (b"a\t\xff\n", "not UTF-8"),
    ],
)
def test_bad_truths_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "t.tsv").write_bytes(content)
    with pytest.raises(BadLabels, match=message):
        read_expressions(tmp_path / "t.tsv", empty=False)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        read_expressions(tmp_path / "nothing.tsv", empty=True)


def test_counts_survive_a_round_trip(tmp_path: Path) -> None:
    array = {"array": r"\begin{matrix}a\end{matrix}"}
    predictions = {**PREDICTIONS, "array": r"\begin{matrix}b\end{matrix}"}
    samples = count_expressions({**TRUTHS, **array}, predictions)
    write_samples(samples, tmp_path / "s.tsv")
    lines = (tmp_path / "s.tsv").read_text("utf-8").splitlines()
    assert lines[:2] == ["id\ttoken_errors\tsymlg_errors\tsame_structure\tlimits", "a\t0\t0\t1\twritten"]
    assert lines[-1] == "array\t1\t\t0\twritten"
    again = read_scored(tmp_path / "s.tsv").samples
    assert [(s.id, s.token_errors, s.symlg_errors, s.same_structure) for s in again] == [
        (s.id, s.token_errors, s.symlg_errors, s.same_structure) for s in samples
    ]


def test_score_prints_one_json_object(files: tuple[Path, Path], tmp_path: Path) -> None:
    per_sample = tmp_path / "samples.tsv"
    scored = json.loads(_run("score", *files, "--json", "--per-sample", per_sample))
    assert scored["count"] == 4
    assert scored["token"]["exp_rate"] == 25.0
    assert scored["token"]["le1"] == 75.0
    assert scored["symlg"]["exp_rate"] == 25.0
    assert scored["symlg"]["stru_rate"] == 50.0
    assert scored["failures"] == {"missing": 1, "latex.syntax": 1}
    assert scored["extra_predictions"] == 1
    rows = [line.split("\t") for line in per_sample.read_text("utf-8").splitlines()[1:]]
    assert [row[0] for row in rows] == ["a", "b", "c", "d"]
    assert rows[3] == ["d", "", "", "0", "written"]  # no prediction: wrong, however many errors are allowed


def test_predictions_without_a_truth_are_counted_in_one_place(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = score_expressions(TRUTHS, PREDICTIONS)
    assert scored.extra == 1
    monkeypatch.setattr(score_files, "score_expressions", lambda *_: replace(scored, extra=7))
    truth, prediction = files
    assert read_scored(prediction, TRUTHS).extra == 7
    assert json.loads(_run("score", truth, prediction, "--json"))["extra_predictions"] == 7


def test_score_prints_tables(files: tuple[Path, Path]) -> None:
    printed = _run("score", *files)
    for word in ("ExpRate", "StruRate", "metric:token|", "metric:symLG|", "missing"):
        assert word in printed


def test_compare_takes_counts_or_predictions(files: tuple[Path, Path], tmp_path: Path) -> None:
    truth, prediction = files
    _run("score", *files, "--per-sample", tmp_path / "a.tsv")
    rows = json.loads(_run("compare", tmp_path / "a.tsv", truth, "--truth", truth, "--json"))
    assert [row["metric"] for row in rows] == ["token exp_rate", "symlg exp_rate", "symlg stru_rate"]
    assert (rows[0]["a"], rows[0]["b"], rows[0]["only_b"]) == (25.0, 100.0, 3)
    assert "McNemar" in _run("compare", prediction, truth, "--truth", truth)
    assert read_scored(prediction, read_expressions(truth, empty=False)).extra == 1
    result = CliRunner().invoke(app, ["compare", str(prediction), str(truth), "--truth", str(truth)])
    assert "1 prediction of" in result.output
    with pytest.raises(BadLabels, match="--truth"):
        read_scored(prediction)


def test_counts_by_two_conventions_are_not_compared(files: tuple[Path, Path], tmp_path: Path) -> None:
    truth, prediction = files
    paths = {name: tmp_path / f"{name}.tsv" for name in ("written", "field")}
    for name, path in paths.items():
        _run("score", *files, "--per-sample", path, "--convention", name)
    for other in (paths["written"], prediction):  # compare counts predictions as they are written
        with pytest.raises(BadRequest, match="field and written"):
            _run("compare", paths["field"], other, "--truth", truth)
    assert "McNemar" in _run("compare", paths["written"], prediction, "--truth", truth)


def test_counts_that_do_not_say_their_convention_are_read(files: tuple[Path, Path], tmp_path: Path) -> None:
    new, old = tmp_path / "new.tsv", tmp_path / "old.tsv"
    _run("score", *files, "--per-sample", new, "--convention", "field")
    lines = new.read_text("utf-8").splitlines()
    old.write_text("".join(line.rpartition("\t")[0] + "\n" for line in lines), encoding="utf-8")
    assert read_scored(old).limits is None
    assert read_scored(old).samples == read_scored(new).samples
    assert "McNemar" in _run("compare", old, new)


@pytest.mark.parametrize("second", ["b\t0\t0\t1\tfield", "b\t0\t0\t1\tother", "b\t0\t0\t1\town\tx"])
def test_counts_of_one_file_are_by_one_known_convention(tmp_path: Path, second: str) -> None:
    (tmp_path / "s.tsv").write_text(f"{SAMPLE_HEADER}\na\t0\t0\t1\twritten\n{second}\n", encoding="utf-8")
    with pytest.raises(BadLabels):
        read_scored(tmp_path / "s.tsv")


def test_scoring_needs_neither_torch_nor_pyarrow(files: tuple[Path, Path]) -> None:
    program = (
        "import sys; sys.modules.update(torch=None, pyarrow=None, onnxruntime=None)\n"
        "from inkscan.cli.main import main; sys.argv = sys.argv[1:]; main()"
    )
    compared = ["compare", str(files[1]), str(files[1]), "--truth", str(files[0]), "--json"]
    for arguments in (["score", *map(str, files), "--json"], compared):
        done = subprocess.run(
            [sys.executable, "-c", program, "inkscan", *arguments],
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)


def test_an_empty_truth_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("")
    with pytest.raises(BadLabels, match="no truths"):
        CliRunner().invoke(
            app, ["score", str(tmp_path / "t.tsv"), str(tmp_path / "t.tsv")], catch_exceptions=False
        )


def test_counts_go_into_a_folder_that_is_not_there_yet(files: tuple[Path, Path], tmp_path: Path) -> None:
    _run("score", *files, "--per-sample", tmp_path / "new" / "s.tsv")
    assert (tmp_path / "new" / "s.tsv").exists()


def test_a_report_with_other_values_is_refused(tmp_path: Path) -> None:
    row = {"id": "a", "truth_tokens": 1, "token_errors": "x", "symlg_errors": 0, "same_structure": True}
    (tmp_path / "r.json").write_text(json.dumps({"samples": [row]}))
    with pytest.raises(BadLabels, match="not a report"):
        read_scored(tmp_path / "r.json")


def test_samples_that_repeat_cannot_be_paired(tmp_path: Path) -> None:
    samples = count_expressions({"a": "x"}, {"a": "x"}) * 2
    with pytest.raises(BadLabels, match="paired"):
        compare_samples(samples, samples, Bootstrap(100, 0))


def test_samples_of_other_truths_cannot_be_paired() -> None:
    one, other = (count_expressions({"a": truth}, {"a": "x"}) for truth in ("x", "x + y"))
    with pytest.raises(BadLabels, match="other truths"):
        compare_samples(one, other, Bootstrap(100, 0))


REPORT = '{"samples": [{"id": "a", %s, "symlg_errors": 1, "same_structure": 1}]}'


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        REPORT % '"truth_tokens": Infinity, "token_errors": 1',
        REPORT % '"truth_tokens": 1, "token_errors": NaN',
        REPORT % '"truth_tokens": 1, "token_errors": -1',
        '{"samples": [{"id": "a", "truth_tokens": 1' + "0" * 400 + "}]}",
        '{"samples": 3}',
        "3",
    ],
)
def test_reports_of_nonsense_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(BadLabels):
        read_scored(path)


@pytest.mark.parametrize("count", ["-1", "1" + "0" * 400, "inf", "\u0661\u0662" * 3000])
def test_counts_of_nonsense_are_refused(tmp_path: Path, count: str) -> None:
    path = tmp_path / "samples.tsv"
    path.write_text(f"{SAMPLE_HEADER}\na\t{count}\t0\t1\twritten\n", encoding="utf-8")
    with pytest.raises(BadLabels):
        read_scored(path)


def test_a_line_without_end_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "truth.tsv"
    with path.open("wb") as stream:
        stream.write(b"a\t" + b"x" * 3_000_000)
        stream.truncate(200_000_000)
    with pytest.raises(BadLabels, match="line 1: longer than"):
        read_expressions(path, empty=False)
