"""Ink on a turned page or by a slanting hand: python benchmarks/turned.py CORPUS.parquet [--every 3].

Every few inks of a corpus are turned by some degrees, or lean by so much of their height, and are read as they are and
as `inkscan.ink.upright` holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import numpy as np
import typer

from inkscan import Ink, Recognizer, load
from inkscan.data.corpus import Corpus
from inkscan.data.sample import Sample
from inkscan.ink.upright import upright
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime import readings

DEGREES = (-20, -10, 10, 20)  # clockwise
LEANS = (-0.6, -0.3, 0.3, 0.6)  # to the right


def turned(degrees: float) -> np.ndarray:
    angle = np.deg2rad(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def leaning(lean: float) -> np.ndarray:
    return np.array([[1.0, -lean], [0.0, 1.0]])


def share_right(recognizer: Recognizer, samples: Sequence[Sample], inks: Sequence[Ink]) -> float:
    answers = recognizer.many(inks, allow=CROHME.symbols)
    return 100 * float(np.mean([a.tokens == s.tokens for a, s in zip(answers, samples, strict=True)]))


def main(
    corpus: Path,
    every: Annotated[int, typer.Option(min=1, help="Take one ink of so many.")] = 3,
    model: Annotated[str | None, typer.Option(help="The default if not given.")] = None,
) -> None:
    """Print one row for each way to hold the ink."""
    recognizer = load(*([model] if model else []))
    read = Corpus.read(corpus)
    samples = [read[at] for at in range(0, len(read), every)]
    ways = {"as written": np.eye(2)}
    ways |= {f"turned by {degrees} degrees": turned(degrees) for degrees in DEGREES}
    ways |= {f"leaning by {lean}": leaning(lean) for lean in LEANS}
    print(f"{len(samples)} inks; per cent right as they are, and held upright; share that is held otherwise")
    for name, way in ways.items():
        inks = [Ink.from_points([stroke.xy @ way.T for stroke in sample.ink]) for sample in samples]
        with patch.object(readings, "upright", lambda ink: ink):
            before = share_right(recognizer, samples, inks)
        after = share_right(recognizer, samples, inks)
        changed = 100 * float(np.mean([upright(ink) is not ink for ink in inks]))
        print(f"{name:22} {before:5.1f} {after:5.1f}   {changed:3.0f} %", flush=True)


if __name__ == "__main__":
    typer.run(main)
