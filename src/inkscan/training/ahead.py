"""Ahead: who makes the patterns and batches of a run, and when.

In line with training each process makes its share of an epoch's patterns and gets the others' from them. Ahead of it a
process of its own makes them all, and the batches, while the step before is trained on. The steps are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch
from lightning_fabric import Fabric
from torch.utils.data import DataLoader, IterableDataset

from inkscan.data.sample import Sample
from inkscan.errors import TrainingError
from inkscan.training.checkpoint import Progress
from inkscan.training.cursor import Cursor, EndOfEpoch, TrainingStep
from inkscan.training.patterns import PatternSource

STEPS_AHEAD = 8

T = TypeVar("T")


def steps_in_line(cursor: Cursor, progress: Progress, fabric: Fabric) -> Iterator[TrainingStep | EndOfEpoch]:
    """Each step is made when it is asked for."""
    if fabric.world_size == 1:
        return cursor.steps(progress)

    def shared(source: PatternSource, epoch: int) -> list[Sample]:
        places = range(fabric.global_rank, len(source.samples), fabric.world_size)
        shares: list[Any] = [None] * fabric.world_size
        torch.distributed.all_gather_object(shares, source.epoch(epoch, places))
        patterns: list[Any] = [None] * len(source.samples)
        for rank, share in enumerate(shares):
            patterns[rank :: fabric.world_size] = share
        return patterns

    return replace(cursor, make_patterns=shared).steps(progress)


def steps_ahead(cursor: Cursor, progress: Progress) -> Iterator[TrainingStep | EndOfEpoch]:
    """The next steps wait ready, made by a process that ends with the iterator."""
    loader = DataLoader(
        _Steps(cursor, progress),
        batch_size=None,
        num_workers=1,
        prefetch_factor=STEPS_AHEAD,
        collate_fn=_as_it_is,
    )
    return received(loader)


def received(loader: Iterable[T], to_go_on: str = "--resume") -> Iterator[T]:
    """What a loader's process sends; if that is killed in the middle of it, this says so."""
    try:
        yield from loader
    except (OSError, EOFError) as error:
        if str(error).startswith("Caught "):  # raised in that process, by what it makes
            raise
        raise _ended(error, to_go_on) from error


@contextmanager
def saying_who_ended(to_go_on: str = "--resume") -> Iterator[None]:
    """torch raises a RuntimeError wherever the training stands when the process that makes batches is killed."""
    try:
        yield
    except RuntimeError as error:
        if not str(error).startswith("DataLoader worker (pid"):
            raise
        raise _ended(error, to_go_on) from error


def _ended(error: Exception, to_go_on: str) -> TrainingError:
    return TrainingError(
        f"the process that makes batches has ended ({error}); {to_go_on} goes on from the last checkpoint"
    )


@dataclass
class _Steps(IterableDataset[TrainingStep | EndOfEpoch]):
    cursor: Cursor
    progress: Progress

    def __iter__(self) -> Iterator[TrainingStep | EndOfEpoch]:
        return self.cursor.steps(self.progress)


def _as_it_is(step: Any) -> Any:
    return step
