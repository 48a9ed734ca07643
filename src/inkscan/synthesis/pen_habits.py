"""Pen habits: the same ink as another writer's pen would have gone.

It is lifted within strokes, stays down between them, goes the other way, is seldom sampled, comes down late and goes up
early, hurries through the bends, or writes on a coarse grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from inkscan.data.sample import Sample
from inkscan.errors import BadRequest
from inkscan.ink import Ink, Stroke
from inkscan.synthesis.proportion import check_shares, draw_by_share

PenHabit = Literal["lifted", "joined", "backward", "sparse", "clipped", "hasty", "coarse"]
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
_CLIPPED = 0.12  # of a stroke at most, at each end
_HASTE = (0.03, 0.12)  # mean sizes of a stroke over which a bend is rounded
_MOST_ROUNDED = 200  # points of a rounded stroke
_GRID = (7.0, 16.0)  # cells for the mean size of a stroke


def mean_stroke_size(ink: Ink) -> float:
    """Along the longer sides of the strokes' boxes; never zero."""
    return float(np.mean([np.ptp(stroke.xy, axis=0).max() for stroke in ink])) or 1.0


@dataclass(frozen=True)
class _Part:
    """A stroke of the new ink, and the strokes of the old one that it was made of."""

    xy: FloatArray
    made_of: tuple[int, ...]


def with_pen_habit(sample: Sample, habit: PenHabit, rng: Rng) -> Sample:
    """The sample written so; the alignment follows its strokes."""
    if habit not in PEN_HABITS:
        raise BadRequest(f"no habit {habit!r} of a pen; there are {', '.join(PEN_HABITS)}")
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


@dataclass(frozen=True)
class Pens:
    """How often each habit is drawn, in proportion to one another."""

    lifted: float = 1.0
    joined: float = 1.0
    backward: float = 1.0
    sparse: float = 1.0
    clipped: float = 1.0
    hasty: float = 1.0
    coarse: float = 1.0

    def __post_init__(self) -> None:
        check_shares("pens", vars(self).values())

    def draw(self, rng: Rng) -> PenHabit:
        drawn = {habit: share for habit in PEN_HABITS if (share := getattr(self, habit)) > 0}
        if len(set(drawn.values())) == 1:  # as they all were when runs began that may still go on
            return tuple(drawn)[int(rng.integers(len(drawn)))]
        return draw_by_share(drawn, rng)


FIRST_PENS = Pens(clipped=0.0, hasty=0.0, coarse=0.0)  # what there was before a recipe named them


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
    mean = mean_stroke_size(sample.ink)
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


def _clipped(sample: Sample, rng: Rng) -> list[_Part]:
    """The pen touches late and leaves early, as where it has to be pressed."""
    most = _CLIPPED * rng.uniform(0.25, 1.0)
    parts = []
    for j, stroke in enumerate(sample.ink):
        first, last = (len(stroke) * most * rng.random(2)).astype(int).tolist()
        kept = stroke.xy[first : len(stroke) - last] if len(stroke) >= _FEWEST_TO_LIFT else stroke.xy
        parts.append(_Part(kept, (j,)))
    return parts


def _hasty(sample: Sample, rng: Rng) -> list[_Part]:
    """Bends rounded and corners cut; the ends of strokes stay."""
    reach = mean_stroke_size(sample.ink) * rng.uniform(*_HASTE)
    return [_Part(_rounded(stroke.xy, reach), (j,)) for j, stroke in enumerate(sample.ink)]


def _rounded(xy: FloatArray, reach: float) -> FloatArray:
    """Each point moved to the mean of those around it, weighed by their distance along the stroke."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    if len(xy) < _FEWEST_TO_LIFT or along[-1] <= reach or reach <= 0:
        return xy
    places = np.linspace(0.0, along[-1], min(max(len(xy), int(3 * along[-1] / reach)), _MOST_ROUNDED))
    even = np.stack([np.interp(places, along, xy[:, axis]) for axis in (0, 1)], axis=1)
    # Nearer to an end there is less to take the mean of, so that the end itself stays.
    widths = np.maximum(np.minimum(reach, np.minimum(places, places[-1] - places) / 2), 1e-9 * reach)
    weights = np.exp(-0.5 * ((places[:, None] - places) / widths[:, None]) ** 2)
    rounded: FloatArray = weights @ even / weights.sum(axis=1, keepdims=True)
    return rounded


def _coarse(sample: Sample, rng: Rng) -> list[_Part]:
    """Points on a grid of few cells, as where a screen is small or an archive has rounded."""
    cell = mean_stroke_size(sample.ink) / rng.uniform(*_GRID)
    parts = []
    for j, stroke in enumerate(sample.ink):
        xy = np.round(stroke.xy / cell) * cell
        moved = np.any(xy[1:] != xy[:-1], axis=1)
        parts.append(_Part(xy[np.concatenate([[True], moved])], (j,)))
    return parts


PEN_HABITS: dict[PenHabit, Callable[[Sample, Rng], list[_Part]]] = {
    "lifted": _lifted,
    "joined": _joined,
    "backward": _backward,
    "sparse": _sparse,
    "clipped": _clipped,
    "hasty": _hasty,
    "coarse": _coarse,
}
