"""Cursor: the batches of a run, from where its progress stands to its last epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from lightning_fabric import Fabric

from inkscan.data.sample import Sample
from inkscan.models.systems import System
from inkscan.training.checkpoint import Progress
from inkscan.training.patterns import PatternSource
from inkscan.training.plan import plan_batches
from inkscan.training.recipes import Recipe
from inkscan.training.windows import Windows


@dataclass(frozen=True)
class TrainingStep:
    """One batch over all processes, and where the run stands when it is done."""

    samples: Sequence[
        Sample
    ]  # let go when the next step is asked for: a window of the corpus may hang on them
    epochs_done: float  # before it
    window: int  # windows of the epoch that are done after it
    batch: int  # batches of the window after these that are done
    ends_epoch: bool

    @property
    def tokens(self) -> int:
        """Of all its samples, end tokens included."""
        return sum(len(sample.tokens) + 1 for sample in self.samples)

    def share(self, rank: int, world_size: int) -> Sequence[Sample]:
        """What one process takes; with more processes than samples some get none."""
        return self.samples[rank::world_size]


def steps_of_epoch(
    windows: Windows, system: System, recipe: Recipe, progress: Progress, fabric: Fabric
) -> Iterator[TrainingStep]:
    """The steps that are left of the epoch that a run is in, as far as the recipe's epochs reach."""
    epoch = progress.epoch
    plan = windows.plan(epoch)
    first = min(progress.window, len(plan) - 1)  # resumed with larger windows, there may be fewer
    for number in range(first, len(plan)):
        window = plan[number]
        patterns = shared_patterns(windows.held(window), epoch, fabric)
        batches = plan_batches(patterns, system, recipe, epoch, window.start)
        begin = progress.batch if number == first else 0
        for done in range(begin, len(batches)):
            epochs_done = epoch + window.epoch_done(done / len(batches))
            if epochs_done >= recipe.epochs:
                return
            samples = [patterns[place] for place in batches[done]]
            last = done + 1 == len(batches)
            ends_epoch = last and number + 1 == len(plan)
            after = (number + 1, 0) if last and not ends_epoch else (number, done + 1)
            yield TrainingStep(samples, epochs_done, *after, ends_epoch)
            samples.clear()
        patterns.clear()


def shared_patterns(source: PatternSource, epoch: int, fabric: Fabric) -> list[Sample]:
    """An epoch's patterns, of which each process makes a share."""
    if fabric.world_size == 1:
        return source.epoch(epoch)
    places = range(fabric.global_rank, len(source.samples), fabric.world_size)
    shares: list[Any] = [None] * fabric.world_size
    torch.distributed.all_gather_object(shares, source.epoch(epoch, places))
    patterns: list[Any] = [None] * len(source.samples)
    for rank, share in enumerate(shares):
        patterns[rank :: fabric.world_size] = share
    return patterns
