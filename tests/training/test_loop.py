"""The loop: exact resume, and progress that survives being killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch
from lightning_fabric import Fabric

from inkscan.data.sample import Sample
from inkscan.errors import TrainingError
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.cursor import TrainingStep
from inkscan.training.loop import Run, Training, train
from inkscan.training.recipes import NO_PATTERNS, Recipe
from inkscan.training.run_folder import BEST, LAST

TINY = Recipe(batch_size=8, cooldown=0.0, warmup_steps=4, learning_rate=3e-3)
COMMAND = [sys.executable, "-m", "inkscan", "train", "onscan", "--preset", "tiny"]


def run_for(
    epochs: float, samples: list[Sample], out: Path, *, resume: bool = False, ahead: bool = False
) -> dict[str, torch.Tensor]:
    config = replace(preset("tiny", "onscan", len(CROHME)), dropout=0.2)
    run = Run(
        config=config,
        vocabulary=CROHME,
        recipe=replace(TINY, epochs=epochs),
        train=samples[:40],
        valid=samples[40:],
        out=out,
        provenance={},
        resume=load_checkpoint(out / LAST) if resume else None,
        ahead=ahead,
    )
    train(run, Fabric(accelerator="cpu", devices=1), lambda report: None)
    return load_checkpoint(out / LAST).tensors


def test_ten_steps_and_ten_more_are_twenty(samples: list[Sample], tmp_path: Path) -> None:
    whole = run_for(4.0, samples, tmp_path / "whole")
    run_for(1.5, samples, tmp_path / "halves")  # stops in the middle of an epoch
    halves = run_for(4.0, samples, tmp_path / "halves", resume=True)
    assert whole.keys() == halves.keys()
    for name, value in whole.items():
        assert torch.equal(value, halves[name]), name


def test_batches_made_ahead_are_the_same(samples: list[Sample], tmp_path: Path) -> None:
    in_line = run_for(3.0, samples, tmp_path / "in line")
    run_for(1.5, samples, tmp_path / "ahead", ahead=True)
    ahead = run_for(3.0, samples, tmp_path / "ahead", resume=True, ahead=True)
    assert in_line.keys() == ahead.keys()
    assert all(torch.equal(value, ahead[name]) for name, value in in_line.items())
    assert not multiprocessing.active_children()


def test_a_run_says_so_if_the_process_that_makes_batches_is_killed(
    samples: list[Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill_the_other(self: Training, step: TrainingStep) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    monkeypatch.setattr(Training, "step", kill_the_other)
    with pytest.raises(TrainingError, match="--resume"):
        run_for(100.0, samples, tmp_path, ahead=True)


def test_a_finished_run_resumes_to_nothing(samples: list[Sample], tmp_path: Path) -> None:
    before = run_for(1.0, samples, tmp_path)
    after = run_for(1.0, samples, tmp_path, resume=True)
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_best_is_kept_apart_from_last(samples: list[Sample], tmp_path: Path) -> None:
    run_for(1.0, samples, tmp_path)
    best = load_checkpoint(tmp_path / BEST)
    assert best.progress.best >= 0
    assert not best.part("optimizer")
    assert best.weights().keys() == Scan(best.config).state_dict().keys()


@pytest.mark.parametrize("mean_over", ["tokens", "expressions"])
def test_the_objective_is_a_mean_over_tokens_or_over_expressions(
    mean_over: Literal["tokens", "expressions"],
    samples: list[Sample],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of one expression of C tokens the gradient over expressions is C times that over tokens."""
    minimised: list[float] = []
    reported: list[float] = []
    lengths: list[int] = []
    step = Training.step
    monkeypatch.setattr(Fabric, "backward", lambda self, total: minimised.append(total.item()))

    def counted(self: Training, one: TrainingStep) -> None:
        lengths.append(one.tokens)
        step(self, one)

    monkeypatch.setattr(Training, "step", counted)
    monkeypatch.setattr("inkscan.training.loop.REPORT_EVERY", 1)
    run = Run(
        config=preset("tiny", "onscan", len(CROHME)),
        vocabulary=CROHME,
        recipe=replace(
            TINY,
            batch_size=1,
            epochs=0.02,
            patterns=NO_PATTERNS,
            label_smoothing=0.0,
            guider=0.0,
            mean_over=mean_over,
        ),
        train=samples[:40],
        valid=samples[40:],
        out=tmp_path,
        provenance={},
    )
    train(run, Fabric(accelerator="cpu", devices=1), lambda update: reported.append(update.cross_entropy))
    factor = lengths[0] if mean_over == "expressions" else 1
    assert lengths[0] > 1 and minimised[0] == pytest.approx(factor * reported[0], rel=1e-4)


@pytest.mark.slow
def test_a_killed_run_ends_like_an_undisturbed_one(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    train_corpus, valid_corpus = corpora
    rng = np.random.default_rng(0)

    def command(out: Path) -> list[str]:
        options = ["--train", str(train_corpus), "--valid", str(valid_corpus), "--out", str(out), "--resume"]
        sets = ["batch_size=4", "epochs=6", "checkpoint_seconds=0", "patterns.recombine=0"]
        return [*COMMAND, *options, *(word for setting in sets for word in ("--set", setting))]

    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    undisturbed, disturbed = tmp_path / "undisturbed", tmp_path / "disturbed"
    subprocess.run(command(undisturbed), check=True, capture_output=True, env=environment)
    for _ in range(3):
        process = subprocess.Popen(command(disturbed), stdout=subprocess.DEVNULL, env=environment)
        seen = (disturbed / LAST).stat().st_mtime_ns if (disturbed / LAST).exists() else 0
        while process.poll() is None:  # wait for a new checkpoint, then for a random moment
            if (disturbed / LAST).exists() and (disturbed / LAST).stat().st_mtime_ns != seen:
                time.sleep(float(rng.uniform(0, 0.15)))
                break
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL, "the run ended before it could be killed"
    subprocess.run(command(disturbed), check=True, capture_output=True, env=environment)
    ours, theirs = load_checkpoint(disturbed / LAST), load_checkpoint(undisturbed / LAST)
    assert ours.progress.step == theirs.progress.step
    assert all(torch.equal(ours.tensors[name], value) for name, value in theirs.tensors.items())
