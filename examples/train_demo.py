"""From nothing to a recogniser: generate ink, train a small OnSCAN on it, export it, read ink it has not seen.

    python examples/train_demo.py [FOLDER]

Takes three to five CPU minutes on one thread. The expressions are sums and equations of school algebra of at most six
symbols by writers who take care; FOLDER/run/report.html shows the curves and the mistakes, FOLDER/model is the model,
FOLDER/unseen.inkml an ink to try it on.
"""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.export.model import ExportSettings, export_checkpoint, write_model
from inkscan.ink.inkml import InkmlDocument
from inkscan.ink.inkml_writer import write_inkml
from inkscan.latex.tokens import latex_from_tokens
from inkscan.latex.tree import Row, Symbol
from inkscan.runtime.recognizer import load
from inkscan.synthesis.expressions import symbol_count
from inkscan.synthesis.generate import Generator
from inkscan.training.command import run_training
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import BEST, REPORT

SETTINGS = (
    "epochs=3",
    "batch_size=16",
    "learning_rate=0.002",
    "warmup_steps=60",
    "cooldown=0.5",
    "ema=0.99",
    "guider=1",  # attention is learnt first, and soonest when it weighs as much as the tokens
    "label_smoothing=0",
    "features.spacing=0.25",
    "patterns.distort=0",  # every ink is new already
    "patterns.exchange=0",
    "patterns.subexpression=0",
    "patterns.piece=0",
    "patterns.recombine=0",
    "model.dropout=0.1",
    "model.gru_units=96",
    "model.m=96",
    "model.n=128",
    "model.n_att=128",
    "model.q=32",
)
TRAIN, VALID, UNSEEN = 8000, 100, 300


@dataclass(frozen=True)
class SchoolAlgebra:
    """Numbers, four letters, powers, fractions and roots, with + - = between."""

    def sample(self, rng: np.random.Generator, max_symbols: int = 6) -> Row:
        row = _term(rng)
        while rng.random() < 0.6:
            longer = (*row, _one_of("+-=", rng), *_term(rng))
            if symbol_count(longer) > max_symbols:
                break
            row = longer
        return row


def _term(rng: np.random.Generator) -> Row:
    digit, letter = _one_of("0123456789", rng), _one_of("anxy", rng)
    one, other = (_one_of("0123456789" if rng.random() < 0.5 else "anxy", rng) for _ in range(2))
    terms: tuple[Row, ...] = (
        (one,),
        (digit, other),
        (replace(letter, sup=(digit,)),),
        (Symbol(r"\frac", above=(one,), below=(other,)),),
        (Symbol(r"\sqrt", inside=(one,)),),
    )
    return terms[rng.choice(len(terms), p=(0.4, 0.15, 0.2, 0.15, 0.1))]


def _one_of(labels: str, rng: np.random.Generator) -> Symbol:
    return Symbol(labels[rng.integers(len(labels))])


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    if folder.exists():
        raise SystemExit(f"{folder} is there already; remove it or name another folder")
    paths = write_corpora(folder)
    run_training(
        TrainRequest(
            "onscan", (paths["train"],), paths["valid"], folder / "run", preset="small", settings=SETTINGS
        )
    )
    write_model(export_checkpoint(folder / "run" / BEST, ExportSettings("demo")), folder / "model")
    unseen = Corpus.read(paths["unseen"])
    answers = load(folder / "model").many([sample.ink for sample in unseen])
    right = sum(answer.tokens == sample.tokens for answer, sample in zip(answers, unseen, strict=True))
    print(
        f"ExpRate on {len(unseen)} generated expressions it has not seen: {100 * right / len(unseen):.1f} %"
    )
    print(f"{time.process_time() / 60:.1f} CPU minutes in all; see {folder / 'run' / REPORT}")
    print(f"The model is in {folder / 'model'}. {how_to_try(folder, unseen[0])}")


def how_to_try(folder: Path, sample: Sample) -> str:
    """Write an ink that the model has not seen, and say how to have it read."""
    path = folder / "unseen.inkml"
    path.write_bytes(write_inkml(InkmlDocument(sample.ink)))
    words = [sys.executable, "-m", "inkscan", "recognize", "--model", str(folder / "model"), str(path)]
    return f"To read {latex_from_tokens(sample.tokens)} with it:\n  {shlex.join(words)}"


def write_corpora(folder: Path) -> dict[str, Path]:
    """Three corpora, each by other writers; no expression of one is in another."""
    generator = Generator(SchoolAlgebra(), max_symbols=6, care=1.0)
    train = list(generator.samples(TRAIN, seed=1))
    known = {sample.tokens for sample in train}

    def fresh(count: int, seed: int) -> list[Sample]:
        """Samples of expressions that were not written yet."""
        new: dict[tuple[str, ...], Sample] = {}
        for sample in generator.samples(20 * count, seed):
            if sample.tokens not in known:
                new.setdefault(sample.tokens, sample)
            if len(new) == count:
                break
        known.update(new)
        return list(new.values())

    folder.mkdir(parents=True)
    paths = {}
    for name, samples in (("train", train), ("valid", fresh(VALID, 2)), ("unseen", fresh(UNSEEN, 3))):
        paths[name] = folder / f"{name}.parquet"
        write_corpus(samples, paths[name], CorpusMetadata(split=name, licence="Apache-2.0"))
    return paths


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/train-demo"))
