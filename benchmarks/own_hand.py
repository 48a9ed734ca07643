"""What sixty inks of one's own are worth: an imitated hand is taught, alone and mixed with other ink.

    python benchmarks/own_hand.py --rest train.parquet --others test2013.parquet

One writer that never existed writes everything that is "own": the inks that are taught, those that choose the
checkpoint and those that are measured. The default model's checkpoint is trained on from, once with the own ink
alone and once with the own ink, repeated, beside other ink. What the other ink is for shows on inks of other hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import inkscan
from inkscan.data.corpus import Corpus, CorpusMetadata, read_metadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.evaluation.counts import count_sample
from inkscan.export.on_demand import exported_folder
from inkscan.synthesis.expression_grammar import ExpressionGrammar
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_sample
from inkscan.training.command import run_training
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import LAST

MAX_SYMBOLS = 12
TAUGHT, CHOOSING, MEASURED = 60, 20, 200  # inks of the hand
BESIDE = 1000  # other inks that are mixed in
SHOWN = 3200  # patterns in a run
SETTINGS = ("warmup_steps=10", "epochs=2", "validate_every=2", f"checkpoint_seconds={10**6}")


def main(
    rest: Annotated[
        Path | None, typer.Option(help="Corpus to mix with; ink of other generated hands if not given.")
    ] = None,
    others: Annotated[
        Path | None, typer.Option(help="Corpus of other hands to measure on, likewise.")
    ] = None,
    start: Annotated[Path, typer.Option(help="Checkpoint to begin from.")] = Path(
        "checkpoints/onscan-wide.safetensors"
    ),
    hand: Annotated[int, typer.Option(min=0, help="Another seed is another writer.")] = 4,
    repeat: Annotated[int, typer.Option(min=1, help="Times that the own ink counts beside the rest.")] = 10,
    learning_rate: Annotated[float, typer.Option(help="At its highest.")] = 3e-4,
    out: Annotated[Path, typer.Option(help="Folder for corpora and runs.")] = Path("runs/own-hand"),
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    own = written_by(hand)
    mine, chosen_on, beside = (out / f"{name}.parquet" for name in ("mine", "valid", "beside"))
    write_corpus(islice(own, TAUGHT), mine, CorpusMetadata("mine"))
    write_corpus(islice(own, CHOOSING), chosen_on, CorpusMetadata("mine, kept apart"))
    licence = read_metadata(rest).licence if rest else ""
    write_corpus(some_of(rest, BESIDE, seed=1), beside, CorpusMetadata("beside", licence))
    measured = {"own": list(islice(own, MEASURED)), "other": list(some_of(others, MEASURED, seed=2))}

    def tuned(name: str, train: tuple[Path, ...], times: int) -> Path:
        run_training(
            TrainRequest(
                *("onscan", train, chosen_on, out / name),
                repeat=(f"{mine}={times}",),
                init=(start,),
                alphabet="wide",
                settings=(*SETTINGS, f"learning_rate={learning_rate}"),
            )
        )
        return out / name / LAST

    print("ExpRate %                     own hand  other hands")
    tell("before", start, measured)
    tell("own ink alone", tuned("alone", (mine,), SHOWN // (2 * TAUGHT)), measured)
    tell("own ink beside the rest", tuned("mixed", (mine, beside), repeat), measured)


def written_by(seed: int) -> Iterator[Sample]:
    """Expressions without end, all by one writer with one pen."""
    pen = Pen(Hand.sample(np.random.default_rng(seed)))
    expressions = ExpressionGrammar()
    for index in range(10**9):
        rng = np.random.default_rng((seed, index))
        yield write_sample(expressions.sample(rng, MAX_SYMBOLS), pen, rng, f"own-{seed}-{index}")


def some_of(corpus: Path | None, count: int, seed: int) -> Iterable[Sample]:
    """So many samples of a corpus, or as many by hands that never existed."""
    if corpus is None:
        return Generator(max_symbols=MAX_SYMBOLS).samples(count, seed)
    samples = Corpus.read(corpus)
    places = np.random.default_rng(seed).permutation(len(samples))[:count]
    return [samples[place] for place in places.tolist()]


def tell(name: str, checkpoint: Path, measured: dict[str, list[Sample]]) -> None:
    """Print the rates of exactly read expressions."""
    recognizer = inkscan.load(exported_folder(checkpoint)).with_search(n_best=1)
    rates = []
    for samples in measured.values():
        answers = recognizer.many([sample.ink for sample in samples])
        counts = [
            count_sample(sample.id, " ".join(sample.tokens), " ".join(answer.tokens))
            for sample, answer in zip(samples, answers, strict=True)
        ]
        rates.append(100 * sum(count.token_errors == 0 for count in counts) / len(counts))
    print(f"{name:28}" + "".join(f"{rate:10.1f}" for rate in rates), flush=True)


if __name__ == "__main__":
    typer.run(main)
