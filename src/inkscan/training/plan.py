"""The plan of an epoch: which patterns make a batch together, and in which order the batches come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inkscan.data.sample import Sample
from inkscan.features.trace import average_stroke_height, point_count
from inkscan.models.systems import System
from inkscan.training.recipes import Recipe

NOISE = 0.1  # sizes vary by so much each way, so that no two patterns always meet


def plan_batches(
    patterns: Sequence[Sample], system: System, recipe: Recipe, epoch: int, start: int = 0
) -> list[list[int]]:
    """Places of an epoch's patterns, from `start` on, in batches of like size and in random order.

    All patterns are halved by the size in which they differ most, and the halves again, until they fit into
    batches: so inks of like numbers of tokens, of points and of pixels meet, and little of a batch is padding.
    """
    rng = np.random.default_rng([recipe.seed, 3, epoch, start])
    sizes = pattern_sizes(patterns, system, recipe)
    sizes *= rng.uniform(1 - NOISE, 1 + NOISE, sizes.shape)
    groups: list[list[int]] = []
    waiting = [np.arange(len(patterns))]
    while waiting:
        places = waiting.pop()
        if len(places) == 1 or _fits(sizes[places], system, recipe):
            groups.append(places.tolist())
            continue
        most = np.log(sizes[places]).std(axis=0).argmax()
        places = places[np.argsort(sizes[places, most], kind="stable")]
        whole = len(places) // recipe.batch_size // 2 * recipe.batch_size  # halves of whole batches
        middle = whole or len(places) // 2
        waiting += [places[:middle], places[middle:]]
    return [groups[g] for g in rng.permutation(len(groups)).tolist()]


def pattern_sizes(patterns: Sequence[Sample], system: System, recipe: Recipe) -> npt.NDArray[np.float64]:
    """What a system's work goes with: tokens, then points of a trace, then rows and columns of an image."""
    return np.array([_sizes(pattern, system, recipe) for pattern in patterns], dtype=np.float64)


def _sizes(pattern: Sample, system: System, recipe: Recipe) -> list[float]:
    strokes = [stroke.xy for stroke in pattern.ink.strokes]
    sizes: list[float] = [len(pattern.tokens) + 1]
    if system.online:
        sizes.append(point_count(strokes, recipe.features))
    if system.offline:
        unit = average_stroke_height(strokes)
        width, height = np.ptp(np.concatenate(strokes), axis=0) * (recipe.features.image_height / unit)
        margins = 1 + sum(recipe.features.image_margins)
        sizes += [height + margins, width + margins]
    return sizes


def _fits(sizes: npt.NDArray[np.float64], system: System, recipe: Recipe) -> bool:
    """Whether patterns of these sizes may be one batch, padding included."""
    largest = len(sizes) * sizes.max(axis=0)
    return (
        len(sizes) <= recipe.batch_size
        and (not system.online or bool(largest[1] <= recipe.max_points))
        and (not system.offline or bool(largest[-2] * sizes[:, -1].max() <= recipe.max_pixels))
    )
