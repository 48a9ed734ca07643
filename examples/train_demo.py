"""From nothing to a recogniser: generate ink, train a small OnSCAN on it, export it, read ink it has not seen.

    python examples/train_demo.py [FOLDER]

Takes about ten CPU minutes. FOLDER/run/report.html shows the curves and the mistakes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.runtime.recognizer import load
from inkscan.synthesis.generate import Generator
from inkscan.training.command import TrainRequest, run_training
from inkscan.training.export import ExportSettings, export_checkpoint, write_model
from inkscan.training.loop import BEST

SETTINGS = (
    "epochs=12",
    "batch_size=16",
    "learning_rate=0.002",
    "warmup_steps=100",
    "cooldown=0.5",
    "ema=0.995",
    "validate_every=2",
    "patterns.distort=0.3",
    "patterns.exchange=0",
    "patterns.subexpression=0",
    "patterns.recombine=0",
    "model.dropout=0.1",
)


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    paths = write_corpora(folder)
    run_training(
        TrainRequest(
            "onscan", paths["train"], paths["valid"], folder / "run", preset="small", settings=SETTINGS
        )
    )
    write_model(export_checkpoint(folder / "run" / BEST, ExportSettings("demo")), folder / "model")
    unseen = Corpus.read(paths["unseen"])
    answers = load(folder / "model").many([sample.ink for sample in unseen])
    right = sum(answer.tokens == sample.tokens for answer, sample in zip(answers, unseen, strict=True))
    print(
        f"ExpRate on {len(unseen)} generated expressions it has not seen: {100 * right / len(unseen):.1f} %"
    )
    print(f"{time.process_time() / 60:.1f} CPU minutes in all; see {folder / 'run' / 'report.html'}")


def write_corpora(folder: Path) -> dict[str, Path]:
    """Three corpora by writers who never existed; no expression of the last two is in the first."""
    generator = Generator(max_symbols=8, care=0.8)
    train = list(generator.samples(3000, seed=1))
    known = {sample.tokens for sample in train}

    def fresh(count: int, seed: int) -> list[Sample]:
        new = (sample for sample in generator.samples(20 * count, seed) if sample.tokens not in known)
        return [sample for sample, _ in zip(new, range(count), strict=False)]

    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for name, samples in (("train", train), ("valid", fresh(100, 2)), ("unseen", fresh(200, 3))):
        paths[name] = folder / f"{name}.parquet"
        write_corpus(samples, paths[name], CorpusMetadata(split=name, licence="Apache-2.0"))
    return paths


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/train-demo"))
