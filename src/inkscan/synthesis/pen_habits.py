"""Pen habits: the same ink as another writer's pen would have gone.

It is lifted within strokes, stays down between them, goes the other way, or is seldom sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from inkscan.data.sample import Sample
from inkscan.errors import BadSetting
from inkscan.ink import Ink, Stroke

PenHabit = Literal["lifted", "joined", "backward", "sparse"]
Rng = np.random.Generator
FloatArray = npt.NDArray[np.float64]

_LIFTED = 0.1  # of the strokes long enough, one at least
_JOINED = 0.4  # of the pairs of strokes that could have been one
_FEWEST_TO_LIFT = 8  # points of a stroke
_SKIPPED = 0.06  # of a stroke at most, while the pen was up
_DOT = 0.2  # mean sizes of a stroke: nobody joins a dot
_REACH = 1.2  # mean sizes between strokes that are joined
_BACKWARD = 0.15  # of the strokes
_SPARSEST = 5  # points of which one is kept
_FEWEST_KEPT = 6  # points of a stroke that had as many


@dataclass(frozen=True)
class _Part:
    """A stroke of the new ink, and the strokes of the old one that it was made of."""

    xy: FloatArray
    made_of: tuple[int, ...]


def with_pen_habit(sample: Sample, habit: PenHabit, rng: Rng) -> Sample:
    """The sample written so; the alignment follows its strokes."""
    if habit not in PEN_HABITS:
        raise BadSetting(f"no habit {habit!r} of a pen; there are {', '.join(PEN_HABITS)}")
    parts = PEN_HABITS[habit](sample, rng)
    places: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        for stroke in part.made_of:
            places.setdefault(stroke, []).append(place)
    return replace(
        sample,
        ink=Ink(tuple(Stroke(part.xy) for part in parts)),
        alignment=tuple(
            tuple(sorted({place for stroke in strokes for place in places[stroke]}))
            for strokes in sample.alignment
        ),
    )


def any_pen_habit(rng: Rng) -> PenHabit:
    """One of them, all alike."""
    return tuple(PEN_HABITS)[int(rng.integers(len(PEN_HABITS)))]


def _lifted(sample: Sample, rng: Rng) -> list[_Part]:
    """Strokes broken in two, a little of them missing where the pen was up."""
    long = [j for j, stroke in enumerate(sample.ink) if len(stroke) >= _FEWEST_TO_LIFT]
    broken = {j for j in long if rng.random() < _LIFTED}
    if long and not broken:
        broken = {long[int(rng.integers(len(long)))]}
    parts = []
    for j, stroke in enumerate(sample.ink):
        if j in broken:
            up = int(len(stroke) * rng.uniform(0.2, 0.8))
            down = up + int(len(stroke) * rng.uniform(0, _SKIPPED))
            parts += [_Part(stroke.xy[:up], (j,)), _Part(stroke.xy[down:], (j,))]
        else:
            parts.append(_Part(stroke.xy, (j,)))
    return parts


def _joined(sample: Sample, rng: Rng) -> list[_Part]:
    """Successive strokes of one symbol in one; the second is often written from the end that is nearer."""
    symbols: dict[int, set[int]] = {}
    for token, strokes in enumerate(sample.alignment):
        for stroke in strokes:
            symbols.setdefault(stroke, set()).add(token)
    sizes = [float(np.ptp(stroke.xy, axis=0).max()) for stroke in sample.ink]
    mean = float(np.mean(sizes))
    parts = [_Part(sample.ink[0].xy, (0,))]
    for j, other in pairwise(range(len(sample.ink))):
        before, xy = parts[-1], sample.ink[other].xy
        distances = np.hypot(*(xy[[0, -1]] - before.xy[-1]).T)
        could = (
            symbols.get(j, set()) == symbols.get(other)
            and min(sizes[j], sizes[other]) > _DOT * mean
            and distances.min() < _REACH * mean
        )
        if could and rng.random() < _JOINED:
            turned = distances[1] < distances[0] and rng.random() < 0.5
            parts[-1] = _Part(
                np.concatenate([before.xy, xy[::-1] if turned else xy]), (*before.made_of, other)
            )
        else:
            parts.append(_Part(xy, (other,)))
    return parts


def _backward(sample: Sample, rng: Rng) -> list[_Part]:
    """Some strokes written from their other end."""
    return [
        _Part(stroke.xy[::-1] if rng.random() < _BACKWARD else stroke.xy, (j,))
        for j, stroke in enumerate(sample.ink)
    ]


def _sparse(sample: Sample, rng: Rng) -> list[_Part]:
    """One of every few points; a stroke keeps its ends, and enough between them to be known."""
    sparsest = int(rng.integers(2, _SPARSEST + 1))
    parts = []
    for j, stroke in enumerate(sample.ink):
        every = max(min(sparsest, len(stroke) // _FEWEST_KEPT), 1)
        parts.append(_Part(np.concatenate([stroke.xy[:-1:every], stroke.xy[-1:]]), (j,)))
    return parts


PEN_HABITS: dict[PenHabit, Callable[[Sample, Rng], list[_Part]]] = {
    "lifted": _lifted,
    "joined": _joined,
    "backward": _backward,
    "sparse": _sparse,
}
