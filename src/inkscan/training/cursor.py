"""Cursor: the steps of a run, from where its progress stands to its last epoch, each with its batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import TensorBatch
from inkscan.models.systems import System
from inkscan.training.batches import TrainingBatch, training_batch
from inkscan.training.checkpoint import Progress
from inkscan.training.patterns import PatternSource
from inkscan.training.plan import plan_batches
from inkscan.training.recipes import Recipe
from inkscan.training.teachers import Sight
from inkscan.training.windows import Windows

MakePatterns = Callable[[PatternSource, int], list[Sample]]  # of an epoch


@dataclass(frozen=True)
class TrainingStep:
    """One step over all processes, this one's batch of it, and where the run stands when it is done."""

    mine: TrainingBatch
    counts: bool  # False for a process without samples of its own: it does another's, for nothing
    samples: int  # of all processes
    tokens: int  # of these, end tokens included
    epochs_done: float  # before it
    window: int  # windows of the epoch that are done after it
    batch: int  # batches of the window after these that are done
    seen: tuple[TensorBatch, ...] = ()  # this process's batch as each teacher sees it


@dataclass(frozen=True)
class EndOfEpoch:
    """No more steps of an epoch: it is done, or the recipe ends within it."""

    whole: bool


@dataclass(frozen=True)
class Cursor:
    """What a run's steps are made of. `rank` is this process, of `world_size` that share each step."""

    windows: Windows
    system: System
    recipe: Recipe
    vocabulary: Vocabulary
    rank: int = 0
    world_size: int = 1
    make_patterns: MakePatterns = PatternSource.epoch
    sights: tuple[Sight, ...] = ()  # of the run's teachers

    def steps(self, progress: Progress) -> Iterator[TrainingStep | EndOfEpoch]:
        """All that is left of a run. One of 6.8 epochs ends within its seventh, whose rest is for a resumed run."""
        epoch, window, batch = progress.epoch, progress.window, progress.batch
        while epoch < self.recipe.epochs:
            yield from self._steps_of_epoch(epoch, window, batch)
            epoch, window, batch = epoch + 1, 0, 0

    def _steps_of_epoch(self, epoch: int, first: int, begin: int) -> Iterator[TrainingStep | EndOfEpoch]:
        """From a batch of a window on, as far as the recipe's epochs reach."""
        plan = self.windows.plan(epoch)
        first = min(first, len(plan) - 1)  # resumed with larger windows, there may be fewer
        for number in range(first, len(plan)):
            window = plan[number]
            patterns = self.make_patterns(self.windows.held(window), epoch)
            batches = plan_batches(patterns, self.system, self.recipe, epoch, window.start)
            for done in range(begin if number == first else 0, len(batches)):
                epochs_done = epoch + window.epoch_done(done / len(batches))
                if epochs_done >= self.recipe.epochs:
                    yield EndOfEpoch(whole=False)
                    return
                ends_window = done + 1 == len(batches) and number + 1 < len(plan)
                after = (number + 1, 0) if ends_window else (number, done + 1)
                yield self._step([patterns[place] for place in batches[done]], epochs_done, *after)
            patterns.clear()
        yield EndOfEpoch(whole=True)

    def _step(self, samples: Sequence[Sample], epochs_done: float, window: int, batch: int) -> TrainingStep:
        mine = samples[self.rank :: self.world_size]
        some = mine or samples[:1]
        return TrainingStep(
            training_batch(some, self.system, self.recipe.features, self.vocabulary),
            bool(mine),
            len(samples),
            sum(len(sample.tokens) + 1 for sample in samples),
            epochs_done,
            window,
            batch,
            tuple(sight.of(some) for sight in self.sights),
        )
