"""Make the example inks in examples/ink, each in another hand: python examples/make_inks.py [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from inkscan.latex.tokens import parse_latex
from inkscan.synthesis.generate import sample_to_inkml
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_sample

EXAMPLES = {
    "quadratic": r"x = \frac { - b \pm \sqrt { b ^ { 2 } - 4 a c } } { 2 a }",
    "euler": r"e ^ { i \pi } + 1 = 0",
    "pythagoras": r"a ^ { 2 } + b ^ { 2 } = c ^ { 2 }",
    "gauss-sum": r"\sum _ { k = 1 } ^ { n } k = \frac { n ( n + 1 ) } { 2 }",
    "integral": r"\int _ { 0 } ^ { \infty } e ^ { - x ^ { 2 } } d x = \frac { \sqrt { \pi } } { 2 }",
    "limit": r"\lim _ { x \rightarrow 0 } \frac { \sin x } { x } = 1",
    "cube-root": r"\sqrt [ 3 ] { x + y } \leq 7",
    "trigonometry": r"\sin ^ { 2 } \theta + \cos ^ { 2 } \theta = 1",
    "sequence": r"x _ { 1 } , x _ { 2 } , \ldots , x _ { n }",
    "set": r"\forall x \in R , | x | \geq 0",
    "polynomial": r"y = 3 x ^ { 4 } - 2 x + 5",
    "logarithm": r"\log _ { 2 } 8 = 3",
}


def make_inks(folder: Path) -> None:
    """Write all examples; the same files every time."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, latex) in enumerate(EXAMPLES.items()):
        rng = np.random.default_rng((5, number))
        sample = write_sample(parse_latex(latex), Pen(Hand.sample(rng, care=1.0)), rng, name)
        (folder / f"{name}.inkml").write_bytes(sample_to_inkml(sample))


def write_labels(path: Path) -> None:
    """Write what the examples say as `inkscan data prepare folder --labels` reads it."""
    lines = (f"{name}.inkml\t{latex}\n" for name, latex in EXAMPLES.items())
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    home = Path(__file__).parent
    make_inks(Path(sys.argv[1]) if len(sys.argv) > 1 else home / "ink")
    write_labels(home / "labels.tsv")
