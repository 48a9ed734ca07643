"""What a bulk job costs over `Recognizer.many`, in CPU seconds.

    python benchmarks/bulk.py --inks 500 --model MODEL --workers 1
    python benchmarks/bulk.py --inks 100000 --distinct 4000 --model MODEL

Both recognise the same corpus with the same search. CPU seconds are those of all processes; starting them and
loading the model is measured by a job of one ink and taken off. Ratio 1.00 means that bulk adds nothing.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from inkscan import load
from inkscan.bulk.local import LocalEngine
from inkscan.bulk.run import BulkRequest, run_bulk
from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.synthesis.generate import Generator


def cpu_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def bulk_cpu(
    samples: list[Sample], folder: Path, name: str, models: tuple[str, ...], beam: int, workers: int
) -> float:
    source = folder / f"{name}.parquet"
    write_corpus(samples, source, CorpusMetadata(name))
    before = cpu_seconds()
    run_bulk(BulkRequest(source, folder / f"{name}-rows.parquet", models, beam), LocalEngine(workers))
    return cpu_seconds() - before


def main(
    inks: int = 500,
    distinct: Annotated[int, typer.Option(help="Inks thought up; the others repeat them. 0: all.")] = 0,
    workers: int = 1,
    beam: int = 1,
    model: Annotated[
        list[str] | None, typer.Option(help="Exported models; the default if not given.")
    ] = None,
) -> None:
    """Measure both and print one JSON line."""
    known = list(Generator(max_symbols=10).samples(distinct or inks, seed=8))
    samples = [replace(known[i % len(known)], id=f"ink-{i:07d}") for i in range(inks)]
    models = tuple(model or ())
    recognizer = load(*models).with_search(beam=beam, n_best=1)
    recognizer.many([sample.ink for sample in samples[:4]])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        start = bulk_cpu(samples[:1], folder, "one", models, beam, workers)
        wall = time.monotonic()
        bulk = bulk_cpu(samples, folder, "all", models, beam, workers) - start
        wall = time.monotonic() - wall
        corpus = Corpus.read(folder / "all.parquet")
        before = time.process_time()
        recognizer.many([corpus.ink(i) for i in range(len(corpus))])
        many = time.process_time() - before
    print(
        json.dumps(
            {
                "inks": inks,
                "beam": beam,
                "workers": workers,
                "many_inks_per_cpu_second": round(inks / many, 2),
                "bulk_inks_per_cpu_second": round(inks / bulk, 2),
                "ratio": round(many / bulk, 3),
                "bulk_start_cpu_seconds": round(start, 2),
                "bulk_inks_per_second": round(inks / wall, 2),
            }
        )
    )


if __name__ == "__main__":
    typer.run(main)
