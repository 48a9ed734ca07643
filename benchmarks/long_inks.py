"""Time by strokes: python benchmarks/long_inks.py CORPUS.parquet [--model NAME].

Expressions of a corpus stand side by side in one line until it has enough strokes; the median CPU time of a few such
inks for each number of strokes.
"""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from inkscan import Ink, load
from inkscan.data.corpus import Corpus
from inkscan.ink.boxes import stroke_boxes, writing_size

STROKES = (10, 50, 100, 200, 400)
INKS = 6  # of each number
APART = 0.7  # sizes of the writing between two expressions


def line(corpus: Corpus, strokes: int, seed: int) -> Ink:
    """Expressions of one size, on one axis."""
    choose = random.Random(seed)
    placed: list[np.ndarray] = []
    right = 0.0
    while len(placed) < strokes:
        ink = corpus[choose.randrange(len(corpus))].ink
        box, size = ink.box(), writing_size(stroke_boxes(ink)) or 1.0
        corner = np.array([box.left, (box.top + box.bottom) / 2])
        placed += [(stroke.xy - corner) / size + np.array([right, 0.0]) for stroke in ink]
        right += box.width / size + APART
    return Ink.from_points(placed[:strokes])


def main(
    corpus: Path, model: Annotated[str | None, typer.Option(help="The default if not given.")] = None
) -> None:
    """Print one row a number of strokes."""
    recognizer = load(*([model] if model else []))
    inks = Corpus.read(corpus)
    for strokes in STROKES:
        seconds = []
        for seed in range(INKS):
            ink = line(inks, strokes, seed)
            started = time.process_time()
            recognizer(ink)
            seconds.append(time.process_time() - started)
        print(f"{strokes:4} strokes: median {1000 * statistics.median(seconds):.0f} ms", flush=True)


if __name__ == "__main__":
    typer.run(main)
