"""The benchmarks and the example that train: what they claim of their data and of their comparisons."""

from __future__ import annotations

import importlib
import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest
import torch
from tests.training.conftest import QUICK

from inkscan.data.corpus import Corpus
from inkscan.latex.parser import parse_tokens
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan, TensorBatch
from inkscan.synthesis.expressions import symbol_count
from inkscan.training.checkpoint import load_checkpoint, save_checkpoint
from inkscan.training.greedy import Greedy
from inkscan.training.run_folder import LAST

REPOSITORY = Path(__file__).resolve().parents[2]
Import = Callable[[str], ModuleType]


@pytest.fixture
def import_script(monkeypatch: pytest.MonkeyPatch) -> Import:
    """Imports a script by name."""
    monkeypatch.syspath_prepend(REPOSITORY / "benchmarks")
    monkeypatch.syspath_prepend(REPOSITORY / "examples")
    return importlib.import_module


def test_the_demo_reads_expressions_it_has_not_seen(
    import_script: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = import_script("train_demo")
    for name, count in (("TRAIN", 300), ("VALID", 20), ("UNSEEN", 40)):
        monkeypatch.setattr(demo, name, count)
    paths = demo.write_corpora(tmp_path / "demo")
    train, valid, unseen = (
        [sample.tokens for sample in Corpus.read(paths[name])] for name in ("train", "valid", "unseen")
    )
    assert (len(train), len(valid), len(unseen)) == (300, 20, 40)
    assert len({*train, *valid, *unseen}) == len(set(train)) + 60
    assert all(symbol_count(parse_tokens(tokens)) <= 6 for tokens in train)


@pytest.mark.slow
def test_the_demo_runs_to_its_last_line(
    import_script: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = import_script("train_demo")
    for name, count in (("TRAIN", 32), ("VALID", 4), ("UNSEEN", 4)):
        monkeypatch.setattr(demo, name, count)
    monkeypatch.setattr(demo, "SETTINGS", (*demo.SETTINGS, "epochs=1"))
    demo.main(tmp_path / "demo")
    printed = capsys.readouterr().out
    assert "ExpRate on 4 generated expressions it has not seen" in printed
    assert "CPU minutes in all" in printed
    assert f"The model is in {tmp_path / 'demo' / 'model'}" in printed
    tried = subprocess.run(
        shlex.split(printed.splitlines()[-1]), capture_output=True, text=True, timeout=300, check=False
    )
    assert tried.returncode == 0, tried.stderr
    assert (tmp_path / "demo" / "run" / "report.html").exists()
    with pytest.raises(SystemExit, match="is there already"):
        demo.main(tmp_path / "demo")


def test_an_ablation_measures_a_run_once(
    import_script: Import, corpora: tuple[Path, Path], finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ablation, short_runs = import_script("ablation"), import_script("short_runs")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    run = short_runs.Training(*corpora, finished, "tiny", QUICK)
    row = ablation.finished_row(run)
    assert row.tokens == sum(len(sample.tokens) + 1 for sample in Corpus.read(corpora[1]))
    assert 0 < row.cross_entropy < 10
    assert 0 <= row.exp_rate <= 100
    monkeypatch.setattr(short_runs, "measure", _refuse)
    kept = ablation.finished_row(run)
    assert kept.cross_entropy == row.cross_entropy
    assert kept.gap(row) == "+0.000 ± 0.000"
    worse = replace(row, cross_entropies=tuple(c + 1.0 for c in row.cross_entropies))
    assert worse.gap(row) == f"{len(row.cross_entropies) / row.tokens:+.3f} ± 0.000"
    assert ablation.table({"all": row, "worse": worse}, "title").count("\n") == 4


def test_a_row_of_other_settings_is_not_taken(
    import_script: Import,
    corpora: tuple[Path, Path],
    finished: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    short_runs = import_script("short_runs")
    out = tmp_path / "run"
    trained: list[int] = []

    def train(command: list[str], **_: object) -> None:
        trained.append(len(trained))
        shutil.copytree(finished, out, dirs_exist_ok=True)

    monkeypatch.setattr(subprocess, "run", train)
    monkeypatch.setattr(short_runs, "measure", lambda run: short_runs.Row(len(trained), 0.0, (0.0,), 1, 0.0))
    run = short_runs.Training(*corpora, out, "tiny", QUICK)
    assert [short_runs.finished_row(run).exp_rate for _ in range(2)] == [1, 1]
    assert capsys.readouterr().out == ""
    others = {
        "recipe.epochs": replace(run, settings=(*QUICK, "epochs=2")),
        "model.system": replace(run, system="tap"),
        "model.D": replace(run, preset="small"),
        "train": replace(run, train=corpora[1]),
        "valid": replace(run, valid=corpora[0]),
        "devices": replace(run, devices=2),
    }
    for number, (name, other) in enumerate(others.items(), start=1):
        assert short_runs.finished_row(other).exp_rate == number + 1, name
        said = capsys.readouterr().out
        assert f"{name} " in said and f"run-before-{number}" in said
        kept = json.loads((tmp_path / f"run-before-{number}" / "row.json").read_text())
        assert kept["exp_rate"] == number  # nothing is lost


def test_corpora_of_one_name_are_not_taken_for_each_other(
    import_script: Import, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    short_runs = import_script("short_runs")
    for folder, corpus in zip(("a", "b"), corpora, strict=True):
        (tmp_path / folder).mkdir()
        shutil.copy(corpus, tmp_path / folder / "ink.parquet")
    short = [short_runs.shortened(tmp_path / folder / "ink.parquet", 8, tmp_path / "out") for folder in "ab"]
    assert set(Corpus.read(short[0]).ids).isdisjoint(Corpus.read(short[1]).ids)


def test_an_answer_without_tokens_is_no_hit(
    import_script: Import, corpora: tuple[Path, Path], finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends_at_once(model: Scan, batch: TensorBatch, vocabulary: Vocabulary) -> Greedy:
        return Greedy([()], torch.zeros(1, 0, 1))

    monkeypatch.setattr("inkscan.training.greedy.decode_greedily", ends_at_once)
    short_runs = import_script("short_runs")
    row = short_runs.measure(short_runs.Training(*corpora, finished, "tiny", QUICK))
    assert (row.exp_rate, row.token_error_rate) == (0.0, 100.0)


def test_one_bit_makes_two_checkpoints_differ(import_script: Import, finished: Path, tmp_path: Path) -> None:
    train_kill = import_script("train_kill")
    checkpoint = load_checkpoint(finished / LAST)
    slower = replace(checkpoint, progress=replace(checkpoint.progress, cpu_hours=9.0))
    save_checkpoint(slower, tmp_path / "slower.safetensors")
    assert train_kill.equal(finished / LAST, tmp_path / "slower.safetensors")
    name, value = next((n, v) for n, v in checkpoint.tensors.items() if n.startswith("model.online"))
    nudged = {name: torch.nextafter(value, torch.full_like(value, torch.inf))}
    save_checkpoint(replace(checkpoint, tensors=checkpoint.tensors | nudged), tmp_path / "bit.safetensors")
    assert not train_kill.equal(finished / LAST, tmp_path / "bit.safetensors")


def test_a_turn_trains_on_whole_batches_of_short_expressions(
    import_script: Import, corpora: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = import_script("processes")
    monkeypatch.setattr(processes, "REPORT_EVERY", 5)
    run = processes.prepare(corpora[0], 6, "tiny", tmp_path, batch=2)
    assert len(Corpus.read(run.train)) == 2 * 5 * processes.REPORTS
    assert max(Corpus.read(run.train).token_counts) <= 6
    with pytest.raises(SystemExit, match="at most 1 tokens"):
        processes.prepare(corpora[0], 1, "tiny", tmp_path, batch=2)


def _refuse(run: object) -> NoReturn:
    raise AssertionError("measured again")


def test_the_imitated_hand_is_one_writer_with_ink_kept_apart(import_script: Import) -> None:
    own_hand = import_script("own_hand")
    taught, kept = (list(islice(own_hand.written_by(4), *part)) for part in ((0, 20), (20, 40)))
    again = list(islice(own_hand.written_by(4), 20))
    assert [sample.ink for sample in again] == [sample.ink for sample in taught]
    assert not {sample.id for sample in taught} & {sample.id for sample in kept}
    others = list(islice(own_hand.written_by(5), 20))
    assert {sample.ink for sample in others}.isdisjoint(sample.ink for sample in taught)
