"""Windows: how an epoch goes through a corpus, whole or some row groups at a time.

A corpus in memory is one window. One that stays on the disk is read by row groups, in an order drawn for each epoch,
and as many of them as `recipe.window` samples allow are held at a time. A window's samples become patterns and batches,
and its symbols a bank, as if it were the corpus. All processes hold the same window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inkscan.data.corpus import StoredCorpus
from inkscan.data.sample import Sample
from inkscan.training.patterns import Material, PatternSource
from inkscan.training.recipes import Recipe


@dataclass(frozen=True)
class Window:
    """Samples of an epoch that follow one another and are held together."""

    start: int  # samples of the epoch before it
    size: int
    total: int  # samples of the epoch
    groups: tuple[int, ...] = ()  # the row groups that hold them, in this order

    def epoch_done(self, done: float) -> float:
        """The share of the epoch that is done when a share of the window is."""
        return self.start / self.total + self.size / self.total * done


class Windows:
    """The windows of every epoch, of which one is held; who keeps its samples longer keeps two in memory."""

    def __init__(
        self, corpus: Sequence[Sample] | StoredCorpus, recipe: Recipe, extra: Material | None = None
    ) -> None:
        self.corpus = corpus
        self.recipe = recipe
        self.extra = extra  # for all windows
        self._window: Window | None = None
        self._patterns: PatternSource | None = None

    def plan(self, epoch: int) -> list[Window]:
        """The epoch's windows, which have all samples once."""
        if isinstance(self.corpus, StoredCorpus):
            return plan_windows(self.corpus.group_sizes, self.recipe, epoch)
        return [Window(0, len(self.corpus), len(self.corpus))]

    def held(self, window: Window) -> PatternSource:
        """The patterns of a window; the one that was held before is let go first."""
        if self._patterns is None or window != self._window:
            self._patterns = None
            corpus = self.corpus
            samples = corpus.read(window.groups) if isinstance(corpus, StoredCorpus) else corpus
            self._window = window
            self._patterns = PatternSource(samples, self.recipe, window.start, self.extra)
        return self._patterns


def plan_windows(group_sizes: Sequence[int], recipe: Recipe, epoch: int) -> list[Window]:
    """Row groups in random order, shared out evenly; a window has one at least, however large."""
    order = np.random.default_rng([recipe.seed, 4, epoch]).permutation(np.flatnonzero(group_sizes))
    held = max(1, recipe.window // max(group_sizes))
    total, start = sum(group_sizes), 0
    windows: list[Window] = []
    for groups in np.array_split(order, -(-len(order) // held)):
        size = sum(group_sizes[group] for group in groups)
        windows.append(Window(start, size, total, tuple(groups.tolist())))
        start += size
    return windows
