"""Whether the memory of streamed training grows with its corpus: peak resident memory at several corpus sizes.

    python benchmarks/stream_memory.py --sizes 10000 --sizes 200000 --window 2000 --steps 300
    python benchmarks/stream_memory.py --sizes 10000 --sizes 50000 --window 0 --steps 60

Corpora are made of generated inks, of which --distinct ones are thought up and then repeated under new ids. Each is
trained on for some steps, with all patterns of the recipe, by a process of its own whose peak is printed. With
--window 0 the corpus is held whole, for comparison.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.synthesis.generate import Generator


class Enough(Exception):
    """Ends a run after its steps."""


def repeated(count: int, distinct: int) -> Iterator[Sample]:
    """So many samples, of which the first ones are repeated."""
    known = list(Generator(max_symbols=6).samples(min(count, distinct), seed=8))
    for number in range(count):
        yield replace(known[number % len(known)], id=f"ink-{number:07d}")


def train_some(corpus: Path, window: int, steps: int, batch: int) -> dict[str, float]:
    """Train tiny in this process; how many windows it went through and the memory that it took at most."""
    import torch
    from lightning_fabric import Fabric

    from inkscan.data.corpus import Corpus, StoredCorpus
    from inkscan.latex.vocabulary import CROHME
    from inkscan.models.systems import preset
    from inkscan.training import loop
    from inkscan.training.checkpoint import Progress
    from inkscan.training.recipes import Recipe

    torch.set_num_threads(1)
    before = peak_megabytes()
    stored = StoredCorpus(corpus)
    run = loop.Run(
        config=preset("tiny", "onscan", len(CROHME)),
        vocabulary=CROHME,
        recipe=replace(Recipe(), window=window, batch_size=batch, checkpoint_seconds=1e9),
        train=stored if window else Corpus.read(corpus),
        valid=(),
        out=corpus.parent,
        provenance={},
    )
    loop.REPORT_EVERY = steps
    reached = Progress()

    def listen(update: loop.Update) -> None:
        nonlocal reached
        reached = update.progress
        raise Enough

    with suppress(Enough):
        loop.train(run, Fabric(accelerator="cpu", devices=1), listen)
    windows = reached.window + 1 + reached.epoch * -(-len(stored) // (window or len(stored)))
    return {"start_megabytes": before, "peak_megabytes": peak_megabytes(), "windows": windows}


def peak_megabytes() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, 1)


def main(
    sizes: Annotated[list[int] | None, typer.Option(help="Inks of each corpus.")] = None,
    window: Annotated[int, typer.Option(help="Samples held at a time; 0: all.")] = 2000,
    steps: int = 300,
    batch: int = 32,
    distinct: int = 2000,
    out: Path = Path("out/stream-memory"),
    one: Annotated[Path | None, typer.Option(help="Train on this corpus only, in this process.")] = None,
) -> None:
    """Print one JSON line a corpus."""
    if one is not None:
        print(json.dumps(train_some(one, window, steps, batch)))
        return
    out.mkdir(parents=True, exist_ok=True)
    for size in sizes or [10_000, 200_000]:
        corpus = out / f"inks-{size}-{min(size, distinct)}.parquet"
        if not corpus.exists():
            write_corpus(repeated(size, distinct), corpus, CorpusMetadata("generated"))
        options = ["--window", str(window), "--steps", str(steps), "--batch", str(batch)]
        command = [sys.executable, __file__, "--one", str(corpus), *options]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        values = json.loads(done.stdout.strip().splitlines()[-1])
        megabytes = round(corpus.stat().st_size / 1e6, 1)
        print(
            json.dumps({"inks": size, "file_megabytes": megabytes, "window": window, "steps": steps} | values)
        )


if __name__ == "__main__":
    typer.run(main)
