"""Patterns: what one epoch trains on, a pure function of corpus, recipe, epoch and place.

Nothing here has a state: a run that resumes at a step sees exactly the patterns that it would have seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inkscan.data.sample import Sample
from inkscan.features.trace import average_stroke_height, space_evenly
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.distort import distort
from inkscan.synthesis.exchange import exchange_symbols
from inkscan.synthesis.subexpression import subexpressions
from inkscan.training.recipes import Recipe

Compose = Callable[[np.random.Generator], Sample]


@dataclass(frozen=True)
class Pattern:
    """A place in the corpus and, if not its whole expression, which part of it; None is a composed one."""

    sample: int | None
    part: int | None
    cost: int  # points, about


class PatternSource:
    """The corpus with its sub-expressions listed and its symbols in a bank."""

    def __init__(self, samples: Sequence[Sample], recipe: Recipe, compose: Compose | None = None) -> None:
        self.samples = samples
        self.recipe = recipe
        self.compose = compose
        rates = recipe.patterns
        spacing = recipe.features.spacing
        self._costs = [_point_count(sample, spacing) for sample in samples]
        self._parts = [subexpressions(sample) for sample in samples] if rates.subexpression else []
        self._bank = SymbolBank.harvest(samples) if rates.exchange else None

    def epoch(self, epoch: int) -> list[Pattern]:
        """One pattern a sample, in corpus order."""
        rng = np.random.default_rng([self.recipe.seed, 1, epoch])
        rates = self.recipe.patterns
        kinds = rng.random((len(self.samples), 2))
        chosen = []
        for i, (kind, which) in enumerate(kinds):
            parts = self._parts[i] if self._parts else []
            if self.compose is not None and kind < rates.recombine:
                chosen.append(Pattern(None, None, self._costs[i]))
            elif parts and kind >= 1 - rates.subexpression:
                part = int(which * len(parts))
                share = len(parts[part].ink) / len(self.samples[i].ink)
                chosen.append(Pattern(i, part, int(self._costs[i] * share)))
            else:
                chosen.append(Pattern(i, None, self._costs[i]))
        return chosen

    def realise(self, pattern: Pattern, epoch: int, place: int) -> Sample:
        """Make a pattern's sample: cut, exchanged and distorted by the rates."""
        rng = np.random.default_rng([self.recipe.seed, 2, epoch, place])
        rates = self.recipe.patterns
        if pattern.sample is None:
            assert self.compose is not None
            sample = self.compose(rng)
        elif pattern.part is None:
            sample = self.samples[pattern.sample]
        else:
            sample = self._parts[pattern.sample][pattern.part]
        if self._bank is not None and rng.random() < rates.exchange:
            sample = exchange_symbols(sample, self._bank, rng, rates.exchange_rate)
        if rng.random() < rates.distort:
            sample = distort(sample, rng, rates.distortion)
        return sample


def _point_count(sample: Sample, spacing: float) -> int:
    strokes = [stroke.xy for stroke in sample.ink.strokes]
    unit = average_stroke_height(strokes)
    return sum(len(space_evenly(stroke, spacing * unit)) for stroke in strokes)


def batches(patterns: Sequence[Pattern], recipe: Recipe, epoch: int) -> list[list[int]]:
    """Places of an epoch's patterns grouped by like cost, the groups in random order."""
    rng = np.random.default_rng([recipe.seed, 3, epoch])
    costs = np.array([pattern.cost for pattern in patterns]) * rng.uniform(0.9, 1.1, len(patterns))
    groups: list[list[int]] = []
    group: list[int] = []
    for place in np.argsort(costs, kind="stable").tolist():
        if group and (len(group) == recipe.batch_size or (len(group) + 1) * costs[place] > recipe.max_points):
            groups.append(group)
            group = []
        group.append(place)
    groups.append(group)
    order = rng.permutation(len(groups))
    return [groups[g] for g in order.tolist()]
