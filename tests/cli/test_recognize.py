"""`recognize`, `explain` and `export`, as a person calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch

from inkscan import Ink, load
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.runtime.search import SearchSettings
from inkscan.synthesis.generate import Generator, sample_to_inkml


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from inkscan.cli.entry import main; main()", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=cwd)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _tiny_model(tmp_path_factory.mktemp("model"), "onscan")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("ink")
    paths = []
    for sample in Generator(max_symbols=6).samples(2, seed=9):
        paths.append(folder / f"{sample.id}.inkml")
        paths[-1].write_bytes(sample_to_inkml(sample))
    return paths


def _tiny_model(folder: Path, system: str) -> Path:
    torch.manual_seed(3)
    scan = Scan(preset("tiny", system, len(CROHME))).eval()
    write_model(
        export_model(scan, CROHME, FeatureSettings(trace="even"), ExportSettings(system)), folder / system
    )
    return folder / system


def test_one_file_gives_its_latex(model: Path, files: list[Path]) -> None:
    done = run("recognize", files[0], "--model", model)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().strip() == load(model)(Ink.read(files[0])).latex


def test_confidence_stands_before_the_answer(model: Path, files: list[Path]) -> None:
    done = run("recognize", "--model", str(model), "--confidence", str(files[0]))
    sure, latex = done.stdout.decode().strip().split("\t")
    answer = load(model)(Ink.read(files[0]))
    assert (sure, latex) == (f"{answer.confidence:.0%}", answer.latex)


def test_files_alone_are_read_without_loading_the_other_commands(files: list[Path], tmp_path: Path) -> None:
    code = (
        "import sys; from inkscan.cli.entry import main\n"
        "try:\n    main()\nfinally:\n    print(sorted({'typer', 'rich', 'pydantic'} & set(sys.modules)))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code, "recognize", *files], capture_output=True, text=True, check=False
    )
    *lines, loaded = plain.stdout.splitlines()
    assert loaded == "[]"
    assert (
        lines == run("recognize", *files, "--beam", str(SearchSettings().beam)).stdout.decode().splitlines()
    )
    bad = tmp_path / "bad.inkml"
    bad.write_text("<ink>")
    for options in ((), ("--threads", "1")):
        done = run("recognize", files[0], bad, *options)
        assert done.returncode == 1
        assert done.stderr.decode().startswith(f"error [ink.malformed]: {bad}: ")
        assert done.stdout.decode().splitlines() == lines[:1]


def test_a_sheet_is_read_line_by_line(model: Path, files: list[Path], tmp_path: Path) -> None:
    one = Ink.read(files[0])
    box = one.box()
    below = [stroke.xy + np.array([0, box.height + 3 * max(box.width, box.height)]) for stroke in one.strokes]
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps({"strokes": [xy.tolist() for xy in [*(s.xy for s in one.strokes), *below]]}))
    sheet = load(model).sheet(Ink.read(file))
    assert [line.strokes for line in sheet] == [tuple(range(len(one))), tuple(range(len(one), 2 * len(one)))]
    lines = run("recognize", file, "--sheet", "--model", model)
    assert lines.stdout.decode().splitlines() == sheet.latex.splitlines()
    aligned = run("recognize", file, "--aligned", "--model", model)
    assert aligned.stdout.decode().splitlines() == sheet.aligned.splitlines()
    found = json.loads(run("recognize", file, "--sheet", "--json", "--model", model).stdout)
    assert found == {"file": str(file), **sheet.to_json()}
    refused = run("recognize", file, "--sheet", "--n-best", "2", "--model", model)
    assert (refused.returncode, refused.stdout) == (2, b"")
    two = json.loads(run("recognize", file, "--sheet", "--json", "--n-best", "2", "--model", model).stdout)
    assert {len(line["alternatives"]) for line in two["lines"]} == {2}


@pytest.mark.parametrize("form", ["latex", "mathml", "json", "inkml"])
def test_an_answer_in_each_format_to_the_terminal_or_a_file(
    form: str, model: Path, files: list[Path], tmp_path: Path
) -> None:
    printed = run("recognize", files[0], "--model", model, "--format", form).stdout.decode()
    out = tmp_path / "new" / "answer"
    written = run("recognize", files[0], "--model", model, "--format", form, "-o", out)
    assert (written.returncode, written.stdout) == (0, b"")
    assert out.read_text("utf-8") == printed
    answer = load(model)(Ink.read(files[0]))
    match form:
        case "latex" | "mathml":
            assert printed == getattr(answer, form) + "\n"
        case "json":
            assert json.loads(printed)["tokens"] == list(answer.tokens)
        case "inkml":
            assert Ink.read(printed.encode()) == Ink.read(files[0])
            assert answer.latex in printed


def test_formats_that_have_no_place_for_what_is_asked_are_refused(model: Path, files: list[Path]) -> None:
    for words in (
        ["--format", "mathml", "--json"],
        ["--format", "mathml", "--n-best", "2"],
        ["--format", "inkml", files[1]],
        ["--format", "inkml", "--sheet"],
    ):
        done = run("recognize", files[0], "--model", model, *words)
        assert (done.returncode, done.stderr.startswith(b"error [request.invalid]")) == (2, True)


def test_standard_input_is_a_dash(model: Path, files: list[Path]) -> None:
    done = run("recognize", "-", "--model", model, stdin=files[0].read_bytes())
    assert done.stdout.decode().strip() == load(model)(Ink.read(files[0])).latex


def test_json_has_what_python_gives(model: Path, files: list[Path]) -> None:
    done = run("recognize", *files, "--model", model, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.pop("file") for line in lines] == [str(file) for file in files]
    recognizer = load(model)
    for line, file in zip(lines, files, strict=True):
        wanted = recognizer(Ink.read(file)).to_json()
        assert line["tokens"] == wanted["tokens"]
        assert line["symbols"] == wanted["symbols"]
        assert line["confidence"] == pytest.approx(wanted["confidence"], abs=1e-5)
        assert len(line["alternatives"]) == len(wanted["alternatives"])


def test_json_has_five_alternatives_or_as_many_as_asked_for(model: Path, files: list[Path]) -> None:
    for options, count in (([], 5), (["--n-best", "2"], 2)):
        done = run("recognize", files[0], "--model", model, "--json", *options)
        assert len(json.loads(done.stdout)["alternatives"]) == count
    assert b"if not given 1, with --json 5" in b" ".join(run("recognize", "--help").stdout.split())


def test_an_absent_file_and_a_folder_are_named_once(model: Path, tmp_path: Path) -> None:
    done = run("recognize", tmp_path / "none", tmp_path, "--model", model)
    missing, folder = done.stderr.decode().splitlines()
    assert missing == f"error [data.not_found]: there is no file {tmp_path / 'none'}"
    assert folder.startswith(f"error [data.not_found]: {tmp_path} is a folder; name the files in it")


def test_a_bad_file_gives_its_code_and_the_others_are_done(
    model: Path, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "empty.inkml").write_bytes(b"")
    (tmp_path / "bad.json").write_bytes(b'{"strokes": [[[0, NaN]]]}')
    names = [files[0], *(tmp_path / name for name in ("empty.inkml", "bad.json", "none"))]
    done = run("recognize", *names, "--model", model, "--json")
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert "latex" in lines[0]
    assert [line["error"]["code"] for line in lines[1:]] == ["ink.empty", "ink.coordinate", "data.not_found"]
    assert done.stderr.decode().count("error [") == 3
    assert b"Traceback" not in done.stderr


def test_a_file_that_the_system_refuses_stops_no_other(model: Path, files: list[Path]) -> None:
    refused = Path("/proc/self/mem")
    if not refused.exists():
        pytest.skip("no file here that can be opened but not read")
    done = run("recognize", refused, files[0], "--model", model)
    assert done.returncode == 1
    assert done.stderr.decode() == f"error [io]: {refused}: Input/output error\n"
    assert done.stdout.decode().startswith(f"{files[0]}\t")


def test_a_file_named_twice_is_answered_twice(model: Path, files: list[Path]) -> None:
    done = run("recognize", files[0], files[1], files[0], "--model", model)
    first, _, again = done.stdout.splitlines()
    assert first == again


def test_n_best_lists_probabilities(model: Path, files: list[Path]) -> None:
    done = run("recognize", files[0], "--model", model, "--n-best", "3")
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert len(rows) == 3
    assert all(0 <= float(probability) <= 1 for probability, _ in rows)


def test_symbols_can_be_restricted(model: Path, files: list[Path]) -> None:
    done = run("recognize", files[0], "--model", model, "--allow", "x +", "--json")
    assert set(json.loads(done.stdout)["tokens"]) <= {"x", "+", "{", "}", "^", "_", "\\limits"}
    refused = run("recognize", files[0], "--model", model, "--allow", "nothing")
    assert refused.returncode == 2
    assert b"error [request.invalid]" in refused.stderr


def test_an_unknown_model_is_one_line(files: list[Path]) -> None:
    done = run("recognize", files[0], "--model", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error [model.unknown]")
    assert done.stderr.count(b"\n") == 1


def test_explain_reads_what_recognize_reads(model: Path, files: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("explain", "-", "-o", page, "--model", model, "--beam", "1", stdin=files[0].read_bytes())
    assert done.returncode == 0, done.stderr
    assert "standard input" in page.read_text("utf-8")
    done = run("explain", files[0], "--model", model, "--beam", "1", cwd=tmp_path)
    assert done.stdout.decode().endswith(f"written to {files[0].stem}.html\n")
    assert (tmp_path / f"{files[0].stem}.html").exists()
    done = run("explain", tmp_path, "-o", page, "--model", model)
    assert (done.returncode, b"is a folder; name the files" in done.stderr) == (2, True)
    done = run("explain", files[0], "-o", tmp_path, "--model", model)
    assert (done.returncode, b"is a directory" in done.stderr) == (2, True)


@pytest.mark.parametrize(("system", "rows"), [("onscan", 1), ("e-man", 2), ("mmscan-e", 1)])
def test_an_explanation_draws_every_step(system: str, rows: int, files: list[Path], tmp_path: Path) -> None:
    model = _tiny_model(tmp_path, system)
    done = run("explain", files[0], "-o", tmp_path / "page.html", "--model", model, "--beam", "1")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text("utf-8")
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(page)
    steps = len(load(model)(Ink.read(files[0]), beam=1).tokens)
    assert tags.count("figure") == rows * steps
    assert tags.count("svg") == 1 + rows * steps
    assert not {"script", "link", "img"} & set(tags)


def test_an_explanation_compares_models_and_marks_what_is_wrong(
    model: Path, files: list[Path], tmp_path: Path
) -> None:
    other = _tiny_model(tmp_path, "mmscan-e")
    page = tmp_path / "page.html"
    answer = load(model)(Ink.read(files[0]))
    done = run(
        "explain", files[0], "-o", page, "--model", model, "--model", other, "--truth", answer.latex
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, second = page.read_text("utf-8").split("<section>")[1:]
    assert f"{answer.latex}</code> (right)" in first
    assert "wrong" not in first
    assert "strokes (online)" in first
    assert "strokes, whose traces and image are one" in second
    assert "online" not in second
    assert second.count('class="wrong') + second.count(" wrong") > 0
    done = run("explain", files[0], "-o", page, "--model", model, "--truth", "\\frac{1}")
    assert (done.returncode, done.stderr.startswith(b"error [latex.syntax]")) == (2, True)


def test_answers_are_compared_with_a_table_of_truths(model: Path, files: list[Path], tmp_path: Path) -> None:
    answer = load(model)(Ink.read(files[0])).latex
    table = tmp_path / "truths.tsv"
    table.write_text(f"{files[0].name}\t{answer}\n", encoding="utf-8")
    done = run("recognize", *files, "--model", model, "--truth", table)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert lines[0] == f"{files[0]}\t{answer}"
    assert lines[1].startswith(f"{files[1]}\t")
    assert lines[2:] == ["\tnot in the table of truths", "1 of 2 right"]
    table.write_text(f"{files[0].name}\tx+\\frac12\n", encoding="utf-8")
    done = run("recognize", files[0], "--model", model, "--truth", table)
    assert done.stdout.decode().splitlines()[1:] == ["\twrong; the truth is x+\\frac{1}{2}", "0 of 1 right"]


def test_truths_stand_beside_latex_only(model: Path, files: list[Path], tmp_path: Path) -> None:
    done = run("recognize", files[0], "--model", model, "--truth", tmp_path / "none.tsv", "--json")
    assert b"[request.invalid]" in done.stderr and done.returncode == 2


def test_an_output_is_never_an_input(model: Path, files: list[Path], tmp_path: Path) -> None:
    ink = tmp_path / "ink.inkml"
    content = files[0].read_bytes()
    ink.write_bytes(content)
    for command in (
        ("recognize", ink, "--model", model, "-o", ink),
        ("explain", ink, "--model", model, "-o", ink),
    ):
        done = run(*command)
        assert done.returncode == 2
        assert b"error [request.invalid]" in done.stderr
        assert ink.read_bytes() == content


def test_an_older_output_stays_if_nothing_was_recognised(
    model: Path, files: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "kept.txt"
    out.write_text("important")
    assert run("recognize", tmp_path / "none.inkml", "--model", model, "-o", out).returncode == 1
    assert out.read_text() == "important"
    assert run("recognize", files[0], tmp_path / "none.inkml", "--model", model, "-o", out).returncode == 1
    assert out.read_text() != "important"


def test_ink_comes_through_a_pipe(model: Path, files: list[Path]) -> None:
    command = f"cat {files[0]} | {sys.executable} -m inkscan recognize /dev/stdin --model {model}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == run("recognize", files[0], "--model", model).stdout


def test_truths_are_found_by_path_name_or_stem_in_both_kinds_of_table(
    model: Path, files: list[Path], tmp_path: Path
) -> None:
    answer = run("recognize", files[0], "--model", model).stdout.decode().strip()
    for name in (files[0].as_posix(), files[0].name, files[0].stem):
        (tmp_path / "truths.tsv").write_text(f"{name}\t{answer}\n")
        (tmp_path / "truths.csv").write_text(f'{name},"{answer}"\n')
        for table in ("truths.tsv", "truths.csv"):
            done = run("recognize", files[0], "--model", model, "--truth", tmp_path / table)
            assert done.stdout.decode().endswith("1 of 1 right\n")


def test_an_aligned_sheet_is_latex_alone(model: Path, files: list[Path]) -> None:
    for other in (("--format", "mathml"), ("--confidence",)):
        done = run("recognize", files[0], "--model", model, "--aligned", *other)
        assert (done.returncode, b"--aligned" in done.stderr) == (2, True)
