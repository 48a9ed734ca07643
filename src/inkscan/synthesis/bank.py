"""SymbolBank: real pen strokes of single symbols, to be recombined into new expressions."""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.ink import Ink
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symbol_metrics import Extent, extent
from inkscan.latex.tree import Row, parts
from inkscan.synthesis.characters import Character, read_characters

FloatArray = npt.NDArray[np.float64]

MAX_POINTS = 400  # a symbol with more points than this is a recording fault
BAR = 0.8  # usual width of a minus sign, in x-heights
STEPS = 15  # of the tablet to an x-height: with fewer, writing is made of stairs
FREAKS = 0.02  # share of symbols at each end of a label's shapes that is not trusted
NOBODY = ("", "anonymous")  # as writers: the symbols of many people
SAME_SHAPE = ((".", r"\cdot"), (r"\ldots", r"\cdots"))  # told apart by their place on the row alone


@dataclass(frozen=True, slots=True, eq=False)
class SymbolInk:
    """One written symbol about the centre of its box, whose longer side is 1; y grows downwards."""

    points: FloatArray  # (n, 2), all strokes in writing order
    ends: tuple[int, ...]  # one past the last point of each stroke
    width: float
    height: float
    size: float  # the box's longer side in x-heights of its writer
    rise: float  # the box's centre above the baseline, in x-heights
    writer: str = ""

    def strokes(self, scale: FloatArray | float, centre: FloatArray) -> list[FloatArray]:
        """The strokes drawn at a scale (one, or one for each axis) and place."""
        placed = self.points * scale + centre
        starts = (0, *self.ends[:-1])
        return [placed[start:end] for start, end in zip(starts, self.ends, strict=True)]


@dataclass(frozen=True)
class SymbolBank:
    """For each label the ways it was written."""

    entries: Mapping[str, Sequence[SymbolInk]]
    _by_writer: dict[str, dict[str, list[SymbolInk]]] = field(init=False, repr=False, compare=False)
    _written: list[int] = field(init=False, repr=False, compare=False)  # running total over writers

    def __post_init__(self) -> None:
        by_writer: dict[str, dict[str, list[SymbolInk]]] = defaultdict(lambda: defaultdict(list))
        for label, symbols in self.entries.items():
            for symbol in symbols:
                by_writer[symbol.writer][label].append(symbol)
        named = {writer: dict(symbols) for writer, symbols in by_writer.items() if writer not in NOBODY}
        object.__setattr__(self, "_by_writer", named)
        amounts = (sum(map(len, symbols.values())) for symbols in named.values())
        object.__setattr__(self, "_written", list(accumulate(amounts)))

    def __len__(self) -> int:
        return sum(map(len, self.entries.values()))

    @property
    def writers(self) -> tuple[str, ...]:
        return tuple(self._by_writer)

    def choose_writer(self, rng: np.random.Generator) -> str | None:
        """A writer at random, as likely as he wrote much; None if nobody is named."""
        chance = rng.random()
        if not self._written:
            return None
        return self.writers[bisect_right(self._written, chance * self._written[-1])]

    def choose(self, label: str, rng: np.random.Generator, writer: str | None = None) -> SymbolInk | None:
        """One of the label's symbols at random, of the writer if he wrote it; None for an absent label."""
        symbols = self.entries.get(label)
        if writer is not None:
            symbols = self._by_writer.get(writer, {}).get(label, symbols)
        if not symbols:
            return None
        return symbols[int(rng.random() * len(symbols))]

    @classmethod
    def harvest(cls, samples: Iterable[Sample]) -> SymbolBank:
        """Cut every symbol out of a corpus.

        Left out are symbols without strokes or sharing a stroke, those of a freak shape, and expressions
        that have no layout tree. Labels of the same shape borrow each other's: that the writers of one corpus
        make points larger than dots says nothing of other people.
        """
        entries: dict[str, list[SymbolInk]] = defaultdict(list)
        for sample in samples:
            for label, symbol in _cut(sample, sample.writer):
                entries[label].append(symbol)
        near = {label: _near_the_median(symbols) for label, symbols in entries.items()}
        borrowed = {
            label: _in_place_of(near[label], near[twin])
            for pair in SAME_SHAPE
            for label, twin in (pair, pair[::-1])
            if label in near and twin in near
        }
        return cls({label: [*symbols, *borrowed.get(label, ())] for label, symbols in near.items()})

    @classmethod
    def read(cls, path: Path | str) -> SymbolBank:
        """The isolated characters of a file (see `synthesis.characters`)."""
        return cls.of_characters(read_characters(Path(path)))

    @classmethod
    def of_characters(
        cls, characters: Iterable[Character], per_label: int = 2_000, seed: int = 0
    ) -> SymbolBank:
        """Isolated characters, at most so many of a label, taken at random."""
        rng = np.random.default_rng(seed)
        # Cut later: most are replaced by another before the end.
        kept: dict[str, list[Character]] = defaultdict(list)
        seen: dict[str, int] = defaultdict(int)
        for one in characters:
            label = one.label
            seen[label] += 1
            place = len(kept[label]) if len(kept[label]) < per_label else int(rng.integers(seen[label]))
            if place < per_label:
                kept[label][place : place + 1] = [one]
        entries = {label: [ink for one in kept[label] if (ink := _cut_character(one))] for label in kept}
        fine = {label: [ink for ink in inks if not _coarse(ink)] for label, inks in entries.items()}
        return cls({label: _near_the_median(symbols) for label, symbols in fine.items() if symbols})

    @classmethod
    def merged(cls, banks: Iterable[SymbolBank]) -> SymbolBank:
        """All symbols of several banks."""
        entries: dict[str, list[SymbolInk]] = defaultdict(list)
        for bank in banks:
            for label, symbols in bank.entries.items():
                entries[label].extend(symbols)
        return cls(dict(entries))


@dataclass(frozen=True, slots=True)
class RowScale:
    """The size and place of one row of somebody's writing."""

    x_height: float
    baseline: float  # y, downwards


def cut_symbol(
    label: str, strokes: Sequence[FloatArray], writer: str = "", scale: RowScale | None = None
) -> SymbolInk | None:
    """Normalise one symbol's strokes; without a row scale its size and place are the label's usual ones."""
    points = np.concatenate(strokes)
    if len(points) > MAX_POINTS:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = (high - low).tolist()
    side = max(width, height)
    if not side > 0:
        side = 1.0
    if scale is None:
        scale = _own_scale(extent(label), float(low[1]), float(high[1]), side)
    centre = (low + high) / 2
    return SymbolInk(
        points=(points - centre) / side,
        ends=tuple(np.cumsum([len(stroke) for stroke in strokes]).tolist()),
        width=width / side,
        height=height / side,
        size=side / scale.x_height,
        rise=(scale.baseline - float(centre[1])) / scale.x_height,
        writer=writer,
    )


def _cut_character(character: Character) -> SymbolInk | None:
    return cut_symbol(character.label, character.strokes, character.writer)


def _coarse(symbol: SymbolInk) -> bool:
    """Whether the tablet's steps show; a dozen points at least tell how large they are."""
    moves = np.abs(np.diff(symbol.points, axis=0))
    moves = moves[moves > 1e-6]
    return len(symbol.points) >= 12 and moves.size > 0 and float(moves.min()) * symbol.size > 1 / STEPS


def _own_scale(usual: Extent, top: float, bottom: float, side: float) -> RowScale:
    height = bottom - top
    told_by_height = usual.height > 0.3 and height > 0.1 * side
    x_height = height / usual.height if told_by_height else side / (usual.height or BAR)
    return RowScale(x_height, (top + bottom) / 2 + usual.centre * x_height)


def _cut(sample: Sample, writer: str) -> Iterator[tuple[str, SymbolInk]]:
    owners = sample.stroke_owners()
    try:
        stack = [parse_tokens(sample.tokens, sample.alignment)]
    except LatexError:
        return
    while stack:
        row = stack.pop()
        scale = row_scale(row, sample.ink)
        for symbol in row:
            stack.extend(part for _, part in parts(symbol))
            if symbol.strokes and all(owners[stroke] == 1 for stroke in symbol.strokes):
                drawn = [sample.ink.strokes[stroke].xy for stroke in symbol.strokes]
                cut = cut_symbol(symbol.label, drawn, writer, scale)
                if cut is not None:
                    yield symbol.label, cut


def row_scale(row: Row, ink: Ink) -> RowScale | None:
    """The median size and baseline of the rigid symbols of a row; None if it has none."""
    rigid: list[tuple[float, float, Extent]] = []
    for symbol in row:
        usual = extent(symbol.label)
        if usual.rigid and symbol.strokes:
            box = ink.box(symbol.strokes)
            if box.height > 0:
                rigid.append((box.height / usual.height, (box.top + box.bottom) / 2, usual))
    if not rigid:
        return None
    x_height = statistics.median(size for size, _, _ in rigid)
    baseline = statistics.median(middle + usual.centre * x_height for _, middle, usual in rigid)
    return RowScale(x_height, baseline)


def _near_the_median(symbols: list[SymbolInk]) -> list[SymbolInk]:
    """Drop freak shapes; pull sizes and places that are far from the label's median back to it."""
    symbols = _without_freaks(symbols)
    size = statistics.median(symbol.size for symbol in symbols)
    rise = statistics.median(symbol.rise for symbol in symbols)
    return [
        replace(
            symbol,
            size=min(max(symbol.size, 0.6 * size), 1.6 * size),
            rise=min(max(symbol.rise, rise - 0.3), rise + 0.3),
        )
        for symbol in symbols
    ]


def _without_freaks(symbols: list[SymbolInk]) -> list[SymbolInk]:
    """Drop numbers of strokes, and shapes, that hardly ever occur: most are errors of labelling."""
    if len(symbols) < 50:
        return symbols
    counts = Counter(len(symbol.ends) for symbol in symbols)
    low, high = np.quantile([symbol.width - symbol.height for symbol in symbols], (FREAKS, 1 - FREAKS))
    return [
        symbol
        for symbol in symbols
        if counts[len(symbol.ends)] > FREAKS * len(symbols) and low <= symbol.width - symbol.height <= high
    ]


def _in_place_of(symbols: list[SymbolInk], shapes: list[SymbolInk]) -> list[SymbolInk]:
    """Each symbol once more where it stands, in one of other shapes; all of these in turn."""
    return [
        replace(shapes[i % len(shapes)], rise=symbol.rise, writer=symbol.writer)
        for i, symbol in enumerate(symbols)
    ]
