"""Does a second process pay? One and two processes of one thread each, in turns.

    python benchmarks/processes.py --corpus train.parquet [--rounds 3] [--batch-each]

Every turn trains OnSCAN anew on the same expressions and reads the rate and the loss from its second report,
when all has warmed up; turns are interleaved, so that a slow minute of the machine falls on both alike. Two processes
share a batch of 32, as the recipe has it; with --batch-each they have one each. Needs two idle cores.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from short_runs import Training, short_samples

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.training.loop import REPORT_EVERY

BATCH = 32
REPORTS = 2
SETTINGS = ("patterns.recombine=0", "patterns.subexpression=0")


def prepare(corpus: Path, max_tokens: int, preset: str, folder: Path, batch: int) -> Training:
    """A run that ends soon after its second report; its few validation samples only let it end."""
    short = short_samples(Corpus.read(corpus), max_tokens)
    wanted = REPORTS * batch * REPORT_EVERY
    if len(short) < wanted:
        raise SystemExit(
            f"{corpus} has {len(short)} expressions of at most {max_tokens} tokens, not {wanted}"
        )
    paths = (folder / "train.parquet", folder / "valid.parquet")
    for path, part in zip(paths, (short[:: len(short) // wanted][:wanted], short[:2]), strict=True):
        write_corpus(part, path, CorpusMetadata(split=path.stem))
    return Training(*paths, folder, preset, SETTINGS)


def main(
    corpus: Annotated[Path, typer.Option(help="Training corpus.")],
    max_tokens: Annotated[int, typer.Option(help="Longer expressions are left out.")] = 400,
    rounds: int = 3,
    preset: str = "paper",
    batch_each: Annotated[
        bool, typer.Option("--batch-each", help="Two processes have twice the batch.")
    ] = False,
) -> None:
    """Print every turn, then the medians and their ratio."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    batches = {1: BATCH, 2: 2 * BATCH if batch_each else BATCH}
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = prepare(corpus, max_tokens, preset, folder, batches[2])
        for turn in range(rounds):
            for devices, seen in rates.items():
                steps = (f"batch_size={batches[devices]}", f"epochs={batches[devices] / batches[2]}")
                run = replace(
                    base, out=folder / f"{turn}-{devices}", devices=devices, settings=(*SETTINGS, *steps)
                )
                subprocess.run(run.command(), check=True, capture_output=True, env=environment)
                warm = run.metrics()[REPORTS - 1]
                seen.append(warm["samples_per_second"])
                typer.echo(
                    f"processes {devices}: {seen[-1]:6.1f} samples/s, cross entropy {warm['cross_entropy']:.3f}"
                )
    one, two = (statistics.median(seen) for seen in rates.values())
    typer.echo(f"medians {one:.1f} and {two:.1f} samples/s: two processes are {two / one:.2f} times one")


if __name__ == "__main__":
    typer.run(main)
