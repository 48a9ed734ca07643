"""The data of an evaluation: a corpus, or a raw folder or archive of CROHME or MathWriting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np

from inkscan.data.corpus import JOINT, Corpus, CorpusMetadata
from inkscan.data.prepare_crohme import prepare_crohme
from inkscan.data.prepare_mathwriting import prepare_mathwriting
from inkscan.data.rejection import NOT_INK, Rejection, rejection_path
from inkscan.data.sample import Sample
from inkscan.data.source import iter_files
from inkscan.errors import BadCorpus, NoTruth
from inkscan.synthesis.order import ORDERS_OF_SYMBOLS, Order, reordered
from inkscan.synthesis.pen_habits import PenHabit, with_pen_habit

SEED = 0  # of what is done to the ink


@dataclass(frozen=True)
class Dataset:
    """Samples, and the ink files of the same source that have a truth but could not be read: they count as wrong."""

    metadata: CorpusMetadata
    samples: Sequence[Sample]
    rejected: tuple[Rejection, ...] = ()
    condition: str = ""  # what was done to the ink, as the signature of a score says it

    @property
    def name(self) -> str:
        """`CROHME 2014` for the split `test2014` alone, as the paper names it; else the split itself."""
        split = self.metadata.split
        year = None if JOINT in split else re.search(r"test(20\d\d)$", split, re.IGNORECASE)
        return f"CROHME {year[1]}" if year else split

    def first(self, count: int) -> Dataset:
        """The first samples only, and of what cannot be read nothing."""
        if count >= len(self.samples):
            return self
        return replace(self, samples=self.samples[:count], rejected=())

    def reordered(self, order: str) -> Dataset:
        """The same inks with their strokes in another order, drawn for each from its place in the set."""
        if order in ORDERS_OF_SYMBOLS:
            self._check_aligned(f"the order {order}")
        return self._changed("order", order, lambda sample, rng: reordered(sample, cast(Order, order), rng))

    def with_pen(self, pen: str) -> Dataset:
        """The same inks by a pen with other habits, drawn likewise."""
        if pen == "joined":
            self._check_aligned("the pen joined")
        return self._changed("pen", pen, lambda sample, rng: with_pen_habit(sample, cast(PenHabit, pen), rng))

    def seen(self) -> Dataset:
        """The same, known to be among what a model has learnt from."""
        return self._under("seen:in-training")

    def _check_aligned(self, what: str) -> None:
        if not any(sample.is_aligned for sample in self.samples):
            raise BadCorpus(f"{what} needs to know which strokes make a symbol, and this set does not say")

    def _under(self, condition: str) -> Dataset:
        return replace(self, condition=f"{self.condition}|{condition}".lstrip("|"))

    def _changed(
        self, name: str, value: str, change: Callable[[Sample, np.random.Generator], Sample]
    ) -> Dataset:
        samples = [
            change(sample, np.random.default_rng([SEED, at])) for at, sample in enumerate(self.samples)
        ]
        how = f"{name}:{value}|{name}-seed:{SEED}"
        return replace(self, samples=samples)._under(how)


def read_dataset(path: str | Path) -> Dataset:
    """Read a corpus (.parquet) with its rejection report, or prepare a raw source on the fly."""
    path = Path(path)
    if path.suffix == ".parquet":
        corpus = Corpus.read(path)
        return Dataset(corpus.metadata, corpus, _read_rejections(rejection_path(path)))
    prepare = prepare_mathwriting if _is_mathwriting(path) else prepare_crohme
    with TemporaryDirectory() as folder:
        out = Path(folder) / "raw.parquet"
        done = prepare(path, out, path.name.split(".")[0])
        if not done.kept:
            raise BadCorpus(f"{path} holds no ink with a truth that can be read")
        return Dataset(done.metadata, Corpus.read(out), tuple(filter(_is_scored, done.failed)))


def _is_mathwriting(path: Path) -> bool:
    """By the first ink, as a source is of one kind."""
    return next(
        (
            b"normalizedLabel" in file.content
            for file in iter_files(path)
            if file.suffix == ".inkml" and isinstance(file.content, bytes)
        ),
        False,
    )


def _read_rejections(path: Path) -> tuple[Rejection, ...]:
    if not path.is_file():
        return ()
    rows = (line.split("\t") for line in path.read_text("utf-8").split("\n")[1:] if line)
    return tuple(filter(_is_scored, (Rejection(*row) for row in rows if len(row) == 3)))


def _is_scored(rejection: Rejection) -> bool:
    """Whether there is a truth that an answer could have been compared with."""
    return rejection.code not in (NOT_INK, NoTruth.code)
