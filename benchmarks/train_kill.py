"""Training under `kill -9`: the weights after many kills equal those of an undisturbed run, bit for bit.

    python benchmarks/train_kill.py [--kills 20] [--devices 1]

Trains a tiny OnSCAN on generated ink, once undisturbed and once with its whole process group killed at random
moments and resumed after each. Compares the last and the best checkpoint: weights, averages, optimiser, progress.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from safetensors import safe_open
from short_runs import Training

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.synthesis.generate import Generator
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.run_folder import BEST, LAST

SETTINGS = ("batch_size=4", "warmup_steps=20", "checkpoint_seconds=0.2", "model.dropout=0.2")
EPOCHS = 4
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Outcome:
    """`resumed_at` has the step of the last checkpoint after each kill; -1 is none yet."""

    kills: int
    resumed_at: tuple[int, ...]
    steps: int
    equal: bool
    undisturbed_seconds: int
    disturbed_seconds: int


def write_corpora(folder: Path, count: int) -> tuple[Path, Path]:
    """A training corpus of so many samples, and a small one for validation."""
    samples = list(Generator(max_symbols=5, care=0.9).samples(count + 8, seed=4))
    paths = (folder / "train.parquet", folder / "valid.parquet")
    for path, part in zip(paths, (samples[8:], samples[:8]), strict=True):
        write_corpus(part, path, CorpusMetadata(split=path.stem))
    return paths


def start(run: Training) -> subprocess.Popen[bytes]:
    """The run in a process group of its own."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.Popen(run.command(), stdout=subprocess.DEVNULL, env=environment, start_new_session=True)


def finish(run: Training) -> None:
    """Run to the end."""
    if code := start(run).wait():
        raise SystemExit(f"the run ended with {code}")


def kill_at(run: Training, step: int, delay: float) -> bool:
    """Kill the group some seconds after its checkpoint has reached a step; False if the run ended before."""
    job = start(run)
    while job.poll() is None and checkpoint_step(run) < step:
        time.sleep(POLL_SECONDS)
    time.sleep(delay)
    alive = job.poll() is None
    if alive:
        os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    return alive


def checkpoint_step(run: Training) -> int:
    """The step of the last checkpoint, by its header alone; -1 before the first."""
    path = run.out / LAST
    if not path.exists():
        return -1
    with safe_open(path, framework="pt") as file:
        return int(json.loads(file.metadata()["progress"])["step"])


def equal(one: Path, other: Path) -> bool:
    """Whether two checkpoints have the same tensors, bit for bit, and the same progress but for the time taken."""
    a, b = load_checkpoint(one), load_checkpoint(other)
    return (
        a.tensors.keys() == b.tensors.keys()
        and all(torch.equal(value, b.tensors[name]) for name, value in a.tensors.items())
        and replace(a.progress, cpu_hours=0.0) == replace(b.progress, cpu_hours=0.0)
    )


def main(
    kills: int = 20,
    samples: Annotated[int, typer.Option(help=f"Training samples, seen {EPOCHS} times.")] = 400,
    devices: int = 1,
    seed: int = 0,
) -> None:
    """Compare a run that is killed again and again with one that is not; exit code 1 if they differ."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        corpora = write_corpora(Path(folder), samples)
        settings = (*SETTINGS, f"epochs={EPOCHS}")
        whole = Training(*corpora, Path(folder) / "whole", "tiny", settings, devices)
        killed = replace(whole, out=Path(folder) / "killed")
        started = time.monotonic()
        finish(whole)
        undisturbed = time.monotonic() - started
        steps = checkpoint_step(whole)
        landed, resumed_at = 0, []
        for step in sorted(rng.randrange(int(0.9 * steps)) for _ in range(kills)):
            landed += kill_at(killed, step, rng.random())
            resumed_at.append(checkpoint_step(killed))
            print(f"kill {len(resumed_at)}: checkpoint of step {resumed_at[-1]} of {steps}", flush=True)
        finish(killed)
        same = all(equal(whole.out / name, killed.out / name) for name in (LAST, BEST))
        seconds = time.monotonic() - started - undisturbed
    print(
        json.dumps(
            asdict(Outcome(landed, tuple(resumed_at), steps, same, round(undisturbed), round(seconds)))
        )
    )
    raise typer.Exit(0 if same and landed == kills else 1)


if __name__ == "__main__":
    typer.run(main)
