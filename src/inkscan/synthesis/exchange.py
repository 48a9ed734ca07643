"""Exchange: the same expression with some of its symbols written by somebody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink, Stroke
from inkscan.synthesis.bank import FloatArray, SymbolBank, SymbolInk
from inkscan.synthesis.radical import corner_of, with_corner

CANDIDATES = 3  # of so many random symbols the one of the nearest shape is taken
THIN = 0.3  # a side shorter than this share of the longer one tells nothing about the scale
DIFFERENCE = 0.4  # symbols whose boxes differ by more than this are not exchanged
NEEDLE = 0.04  # the same for symbols that people stretch
STRETCH = 1.4  # the two axes' scales differ by no more than this factor
TICK, LONG_ROOF = 1.8, 5.0  # how far a radical's tick and roof may be stretched, against its height
STRETCHY = {r"\int": 1.8, "(": 2.0, ")": 2.0, "[": 2.0, "]": 2.0, r"\{": 2.0, r"\}": 2.0}


def exchange_symbols(sample: Sample, bank: SymbolBank, rng: np.random.Generator, rate: float) -> Sample:
    """Replace each symbol, with probability `rate`, by another of its class, drawn into the same box.

    The new strokes take the old ones' places in the writing order; the alignment follows. Symbols that
    share a stroke with another, or that no candidate fits without gross stretching, stay as they are.
    """
    owners = sample.stroke_owners()
    written: list[list[Stroke]] = [[stroke] for stroke in sample.ink.strokes]  # by old index
    token_of: list[list[int]] = [[] for _ in written]
    exchanged = False
    for index, (label, strokes) in enumerate(zip(sample.tokens, sample.alignment, strict=True)):
        for stroke in strokes:
            token_of[stroke].append(index)
        if not strokes or rng.random() >= rate or any(owners[stroke] > 1 for stroke in strokes):
            continue
        drawn = _redraw(label, sample.ink, strokes, bank, rng)
        if drawn is None:
            continue
        exchanged = True
        *places, last = sorted(strokes)
        for place in places:
            written[place] = [Stroke(drawn.pop(0))] if drawn else []
        written[last] = [Stroke(points) for points in drawn]
    if not exchanged:
        return sample
    alignment: list[list[int]] = [[] for _ in sample.tokens]
    ink: list[Stroke] = []
    for tokens, group in zip(token_of, written, strict=True):
        for token in tokens:
            alignment[token].extend(range(len(ink), len(ink) + len(group)))
        ink.extend(group)
    return replace(sample, ink=Ink(tuple(ink)), alignment=tuple(map(tuple, alignment)))


def _redraw(
    label: str, ink: Ink, strokes: tuple[int, ...], bank: SymbolBank, rng: np.random.Generator
) -> list[FloatArray] | None:
    first = ink.strokes[strokes[0]].xy
    points = first if len(strokes) == 1 else np.concatenate([ink.strokes[stroke].xy for stroke in strokes])
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = (high - low).tolist()
    side = max(width, height)
    if not side > 0:
        return None
    candidates = [symbol for _ in range(CANDIDATES) if (symbol := bank.choose(label, rng))]
    if not candidates:
        return None
    symbol = min(candidates, key=lambda one: _difference(one, width / side, height / side))
    if label == r"\sqrt":
        return _redrawn_radical(symbol, points)
    limit = STRETCHY.get(label, STRETCH)
    if label not in STRETCHY and _difference(symbol, width / side, height / side) > DIFFERENCE:
        return None
    x, y = _fit(symbol, width, height, NEEDLE if label in STRETCHY else THIN)
    if width >= height:
        y = min(max(y, x / limit), x * limit)
    else:
        x = min(max(x, y / limit), y * limit)
    return symbol.strokes(np.array([x, y]), (low + high) / 2)


def _redrawn_radical(symbol: SymbolInk, old: FloatArray) -> list[FloatArray] | None:
    """A radical whose room under the roof is the old one's, so that what stands there stays under it."""
    points = symbol.points - symbol.points.min(axis=0)
    corner, old_corner = corner_of(points), corner_of(old)
    if corner is None or old_corner is None:
        return None
    (wide, high), low = points.max(axis=0).tolist(), old.min(axis=0)
    old_wide, old_high = (old.max(axis=0) - low).tolist()
    tick, roof, down = old_corner / corner, (old_wide - old_corner) / (wide - corner), old_high / high
    if not (1 / TICK <= tick / down <= TICK and 1 / LONG_ROOF <= roof / down <= LONG_ROOF):
        return None
    x = with_corner(points[:, 0], corner, tick, roof) + old_corner
    drawn = np.stack([x, points[:, 1] * down], axis=1) + low
    return np.split(drawn, symbol.ends[:-1])


def _difference(symbol: SymbolInk, width: float, height: float) -> float:
    """How unlike two boxes are whose longer sides are 1."""
    return abs(symbol.width - width) + abs(symbol.height - height)


def _fit(symbol: SymbolInk, width: float, height: float, thin: float) -> tuple[float, float]:
    """The scales of x and y that fill a box; one for both where a side is too thin to matter."""
    side = max(width, height)
    if min(symbol.width, symbol.height) >= thin and min(width, height) >= thin * side:
        return width / symbol.width, height / symbol.height
    return side, side
