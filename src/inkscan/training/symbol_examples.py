"""Examples for a classifier of single symbols: the symbols of patterns, and groups of strokes that are none.

A classifier that had seen only whole symbols would find one in any strokes. So it also meets parts of symbols, and
symbols with strokes of their neighbours, as a wrong segmentation makes them; their class is the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.data.sample import Sample
from inkscan.features.symbol_pictures import CHANNELS, MEASURES, SIDE, StrokeGroup, symbol_pictures
from inkscan.ink import Ink
from inkscan.ink.boxes import StrokeBox, stroke_boxes
from inkscan.latex.vocabulary import Vocabulary

SYMBOLS_A_FRAGMENT = 4  # one group that is no symbol for so many symbols of an ink
PART, WITH_STROKE = (
    0.4,
    0.75,
)  # up to here a fragment is a part of a symbol, a symbol with a stroke; else with another
NEIGHBOURS = 2  # of which one is drawn

Rng = np.random.Generator


@dataclass(frozen=True)
class SymbolExamples:
    images: npt.NDArray[np.uint8]  # (G, CHANNELS, SIDE, SIDE), ink 255 on 0
    measures: npt.NDArray[np.float32]  # (G, MEASURES)
    classes: npt.NDArray[np.int64]  # (G,)


def examples_of(samples: Iterable[Sample], vocabulary: Vocabulary, rng: Rng | None = None) -> SymbolExamples:
    """All symbols of some inks; with chance at hand, fragments, too."""
    images = [np.empty((0, CHANNELS, SIDE, SIDE), np.uint8)]
    measures = [np.empty((0, MEASURES), np.float32)]
    classes: list[int] = []
    for sample in samples:
        symbols = symbols_of(sample, vocabulary)
        groups = [group for _, group in symbols]
        parts = fragments(sample.ink, groups, rng) if rng is not None and groups else []
        seen = symbol_pictures(sample.ink, groups + parts)
        images.append(np.rint(seen.images * 255).astype(np.uint8))
        measures.append(seen.measures)
        classes += [number for number, _ in symbols] + [len(vocabulary)] * len(parts)
    return SymbolExamples(np.concatenate(images), np.concatenate(measures), np.array(classes, np.int64))


def symbols_of(sample: Sample, vocabulary: Vocabulary) -> list[tuple[int, StrokeGroup]]:
    """The class and the strokes of each symbol that the vocabulary knows."""
    return [
        (vocabulary.index[token], tuple(strokes))
        for token, strokes in zip(sample.tokens, sample.alignment, strict=True)
        if strokes and token in vocabulary.index
    ]


def fragments(ink: Ink, symbols: Sequence[StrokeGroup], rng: Rng) -> list[StrokeGroup]:
    """Groups of strokes that are no symbol of this ink."""
    boxes = stroke_boxes(ink)
    known = {frozenset(group) for group in symbols}
    found = []
    for _ in range(max(1, len(symbols) // SYMBOLS_A_FRAGMENT)):
        group = symbols[int(rng.integers(len(symbols)))]
        strokes = frozenset(_fragment(group, symbols, boxes, rng))
        if strokes and strokes not in known:
            found.append(tuple(sorted(strokes)))
    return found


def _fragment(
    group: StrokeGroup, symbols: Sequence[StrokeGroup], boxes: Sequence[StrokeBox], rng: Rng
) -> Iterable[int]:
    kind = rng.random()
    if kind < PART and len(group) > 1:
        return tuple(rng.permutation(group)[: rng.integers(1, len(group))].tolist())
    stroke = _neighbour(group, boxes, rng)
    if stroke is None:
        return ()
    if kind < WITH_STROKE:
        return (*group, stroke)
    if len(group) > 1:
        return (*rng.permutation(group)[1:].tolist(), stroke)
    return (*group, *next((other for other in symbols if stroke in other), (stroke,)))


def _neighbour(group: StrokeGroup, boxes: Sequence[StrokeBox], rng: Rng) -> int | None:
    """One of the strokes that stand nearest to a group, which is none of its own."""
    others = [box for box in boxes if box.stroke not in group]
    others.sort(key=lambda box: min(box.distance(boxes[stroke]) for stroke in group))
    near = others[:NEIGHBOURS]
    return near[int(rng.integers(len(near)))].stroke if near else None
