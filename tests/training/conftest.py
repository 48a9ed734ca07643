"""A small generated corpus and a tiny recipe for the tests of training."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.synthesis.generate import Generator
from inkscan.training.command import run_training
from inkscan.training.request import TrainRequest

QUICK = ("epochs=1", "batch_size=8", "patterns.recombine=0")


@pytest.fixture(scope="session")
def samples() -> list[Sample]:
    return list(Generator(max_symbols=6, care=0.9).samples(48, seed=3))


@pytest.fixture(scope="session")
def corpora(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Paths of a training and a validation corpus."""
    folder = tmp_path_factory.mktemp("corpora")
    train, valid = folder / "train.parquet", folder / "valid.parquet"
    write_corpus(samples[:40], train, CorpusMetadata(split="train"))
    write_corpus(samples[40:], valid, CorpusMetadata(split="valid"))
    return train, valid


@pytest.fixture(scope="session")
def finished(corpora: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny run that has ended."""
    out = tmp_path_factory.mktemp("run") / "run"
    run_training(TrainRequest("onscan", corpora[:1], corpora[1], out, preset="tiny", settings=QUICK))
    return out
