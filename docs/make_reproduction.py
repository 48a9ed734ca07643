"""Draw the paper's Figures 9 to 11 with ink of our own for docs/reproduction.md. Needs Chromium and playwright.

python docs/make_reproduction.py [FOLDER]

The originals, from a copy of CROHME 2014's test set: `inkscan explain 20_em_26.inkml --model tap --model onscan`,
20_em_29 with mmscan-d and mmscan-e, 517_em_411 with onscan, mmscan-d and mmscan-e.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chromium import chromium

from inkscan import load
from inkscan.cli.model_names import model_folder
from inkscan.errors import UnknownModel
from inkscan.ink import Ink
from inkscan.latex.tokens import canonical_tokens, parse_latex
from inkscan.runtime.explain import ExplainedAnswer, explanation
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_sample

ROOT = Path(__file__).resolve().parent.parent
SEED = 7


@dataclass(frozen=True)
class Situation:
    """What is written, by which systems it is read, and a symbol whose last stroke is written at the very end."""

    latex: str
    systems: tuple[str, ...]
    late: str | None = None


SITUATIONS = {
    "points-or-strokes": Situation(r"\frac{9}{9+\sqrt{9}}", ("tap", "onscan")),
    "two-looks-or-one": Situation(r"(-\infty,\infty)", ("mmscan-d", "mmscan-e")),
    "late-stroke": Situation("B+B=B", ("onscan", "mmscan-d", "mmscan-e"), late="="),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1240, "height": 800})
        for name, situation in SITUATIONS.items():
            page.set_content(drawn(situation))
            page.screenshot(path=folder / f"{name}.png", full_page=True)


def drawn(situation: Situation) -> str:
    """The page of `inkscan explain`; a system without trained weights is left out and said."""
    ink = written(situation)
    readings = []
    for system in situation.systems:
        try:
            recognizer = load(model_folder(system))
        except UnknownModel:
            print(f"{system}: no trained weights, left out", file=sys.stderr)
            continue
        readings.append(ExplainedAnswer(recognizer.members[0].info, recognizer(ink)))
    return explanation(readings, situation.latex, canonical_tokens(situation.latex))


def written(situation: Situation) -> Ink:
    """The ink by an invented hand."""
    rng = np.random.default_rng(SEED)
    sample = write_sample(parse_latex(situation.latex), Pen(Hand.sample(rng, care=1.0)), rng, "situation")
    if situation.late is None:
        return sample.ink
    last = sample.alignment[sample.tokens.index(situation.late)][-1]
    return sample.ink.only([*(i for i in range(len(sample.ink)) if i != last), last])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
