"""How well sheets are parted into lines: generated sheets, sheets stacked from a corpus, and its single formulas.

    python benchmarks/sheets.py --sheets 500 --corpus test2013.parquet

A break between two lines is right if no line found has strokes of both; one found within a line counts against it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from inkscan.ink import Ink, Stroke
from inkscan.ink.boxes import stroke_boxes, writing_size
from inkscan.runtime.lines import lines_of

LINES = (2, 6)
GAPS = (0.4, 1.6)  # between the boxes of lines, in sizes of the writing
SIZES = (0.85, 1.15)
INDENTS = (0.0, 3.0)


@dataclass(frozen=True)
class Score:
    """Counts over sheets."""

    breaks: int
    right: int
    spurious: int
    whole: int  # sheets without any fault
    sheets: int

    def __str__(self) -> str:
        share = self.right / (self.breaks + self.spurious)
        return (
            f"{share:.2%} of the line breaks right ({self.right} of {self.breaks} found, {self.spurious} too "
            f"many); {self.whole} of {self.sheets} sheets without a fault"
        )


def stacked(inks: list[Ink], rng: np.random.Generator) -> tuple[Ink, list[range]]:
    """Inks below one another at one size, and the strokes of each."""
    strokes: list[Stroke] = []
    lines: list[range] = []
    y = 0.0
    for ink in inks:
        box, scale = ink.box(), rng.uniform(*SIZES) / (writing_size(stroke_boxes(ink)) or 1.0)
        place = np.array([rng.uniform(*INDENTS), y]) - scale * np.array([box.left, box.top])
        lines.append(range(len(strokes), len(strokes) + len(ink)))
        strokes += [Stroke(scale * stroke.xy + place) for stroke in ink.strokes]
        y += scale * box.height + rng.uniform(*GAPS)
    return Ink(tuple(strokes)), lines


def score(draw: Callable[[np.random.Generator], Ink], sheets: int, seed: int) -> Score:
    breaks = right = spurious = whole = 0
    for number in range(sheets):
        rng = np.random.default_rng((seed, number))
        ink, lines = stacked([draw(rng) for _ in range(rng.integers(LINES[0], LINES[1] + 1))], rng)
        found = lines_of(ink)
        line_of = {stroke: at for at, line in enumerate(found) for stroke in line}
        parts = [{line_of[stroke] for stroke in line} for line in lines]
        good = sum(not upper & lower for upper, lower in pairwise(parts))
        more = max(len(found) - 1 - good, 0)
        breaks, right, spurious = breaks + len(lines) - 1, right + good, spurious + more
        whole += good == len(lines) - 1 and not more
    return Score(breaks, right, spurious, whole, sheets)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--corpus", type=Path, help="also stack the inks of this corpus, and part its formulas"
    )
    options = parser.parse_args()
    from inkscan.synthesis.generate import Generator

    generator = Generator(max_symbols=20)
    print("generated:", score(lambda rng: generator.sample(rng).ink, options.sheets, options.seed))
    if options.corpus is None:
        return
    from inkscan.data.corpus import Corpus

    corpus = Corpus.read(options.corpus)
    inks = [corpus[number].ink for number in range(len(corpus))]
    several = [ink for ink in inks if len(ink) > 2]
    draw = lambda rng: several[rng.integers(len(several))]  # noqa: E731
    print("stacked:", score(draw, options.sheets, options.seed))
    split = sum(len(lines_of(ink)) > 1 for ink in inks)
    print(f"single formulas: {split} of {len(inks)} split ({split / len(inks):.2%})")


if __name__ == "__main__":
    main()
