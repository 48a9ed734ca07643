"""Does a second process pay? One and two processes of one thread each, in turns, and one with two threads.

    python benchmarks/processes.py --corpus train.parquet --valid valid.parquet [--rounds 3]

Every turn trains OnSCAN anew for the same number of samples and reads the rate from its metrics; turns are
interleaved, so that a slow minute of the machine falls on all of them alike.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

KINDS = {"1 process": (1, 1), "2 processes": (2, 1), "1 process, 2 threads": (1, 2)}


def rate(corpus: Path, valid: Path, devices: int, threads: int, preset: str) -> float:
    """Samples per second of one short run, without its start-up."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(
                sys.executable,
                "-m",
                "inkscan",
                "train",
                "onscan",
                "--train",
                str(corpus),
                "--valid",
                str(valid),
            ),
            *("--out", folder + "/run", "--preset", preset, "--devices", str(devices)),
            *("--set", "epochs=0.19", "--set", "patterns.recombine=0", "--set", "patterns.subexpression=0"),
        ]
        environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        rows = [
            json.loads(line) for line in (Path(folder) / "run" / "metrics.jsonl").read_text().splitlines()
        ]
        return float(rows[0]["samples_per_second"])


def main(
    corpus: Annotated[Path, typer.Option(help="Training corpus of at least 8,800 samples.")],
    valid: Annotated[Path, typer.Option(help="A small validation corpus.")],
    rounds: int = 3,
    preset: str = "paper",
) -> None:
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind, (devices, threads) in KINDS.items():
            rates[kind].append(rate(corpus, valid, devices, threads, preset))
            typer.echo(f"{kind:22} {rates[kind][-1]:6.1f} samples/s")
    base = statistics.median(rates["1 process"])
    for kind, seen in rates.items():
        typer.echo(
            f"{kind:22} median {statistics.median(seen):6.1f} samples/s, {statistics.median(seen) / base:.2f} times one"
        )


if __name__ == "__main__":
    typer.run(main)
