"""`inkscan bench`: how fast recognition is on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.cli.model_names import model_folder
from inkscan.cli.shared_options import BEAM, Beam, Model
from inkscan.errors import BadCorpus

if TYPE_CHECKING:
    from inkscan.data.sample import Sample

GENERATED = 50  # inks, if no corpus is given


def bench(
    model: Model = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Inks of this corpus (Parquet); generated ink if not given."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Inks to time.")] = GENERATED,
    beam: Beam = BEAM,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print the CPU time for one ink on one thread: encoder, steps and search, one by one and batched."""
    samples = bench_samples(data, limit)
    from inkscan.runtime.bench import measure
    from inkscan.runtime.recognizer import load

    speed = measure(
        load(*([model_folder(model)] if model else [])), [sample.ink for sample in samples], beam=beam
    )
    if as_json:
        typer.echo(json.dumps(asdict(speed)))
        return
    typer.echo(f"{speed.inks} inks, beam {beam}, one thread, CPU milliseconds an ink")
    typer.echo(f"  median {speed.median_ms:.1f}, mean {speed.mean_ms:.1f}; batched {speed.many_ms:.1f}")
    for name, value in (("encoder", speed.encoder_ms), ("step", speed.step_ms), ("search", speed.search_ms)):
        typer.echo(f"  {name:8} {value:6.1f}  {value / speed.mean_ms:5.0%}")
    typer.echo(f"  {speed.steps:.1f} steps, {speed.hypotheses:.0f} hypotheses over all steps")


def bench_samples(data: Path | None, limit: int | None) -> list[Sample]:
    """Inks spread evenly over a corpus, all of them without a limit; or generated ones."""
    if data is None:
        from inkscan.synthesis.generate import Generator

        return list(Generator().samples(limit or GENERATED))
    from inkscan.data.corpus import Corpus

    corpus = Corpus.read(data)
    if not len(corpus):
        raise BadCorpus(f"{data} holds no inks to time")
    count = min(limit or len(corpus), len(corpus))
    return [corpus[i * len(corpus) // count] for i in range(count)]
