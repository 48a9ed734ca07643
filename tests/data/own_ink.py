"""Small inks of our own, with truth, for the tests of corpora."""

from __future__ import annotations

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.ink.inkml import InkmlDocument, SymbolGroup
from inkscan.ink.inkml_writer import write_inkml

X_SQUARED = (("x", "^", "{", "2", "}"), ((0, 1), (), (), (2,), ()))


def ink(seed: int = 0) -> Ink:
    """Three strokes: a cross and a raised hook."""
    noise = np.random.default_rng(seed).normal(0, 0.2, (3, 3, 2))
    shapes = np.array([[[0, 0], [5, 5], [10, 10]], [[10, 0], [5, 5], [0, 10]], [[12, -4], [15, -4], [12, 0]]])
    return Ink.from_points(shapes + noise)


def sample(name: str, seed: int = 0) -> Sample:
    tokens, alignment = X_SQUARED
    return Sample(name, ink(seed), tokens, alignment, source="own")


def crohme_file(seed: int = 0, truth: str = "$x^2$") -> bytes:
    groups = (SymbolGroup("x", (0, 1), href="x_1"), SymbolGroup("2", (2,), href="2_1"))
    return write_inkml(InkmlDocument(ink(seed), {"truth": truth}, groups=groups))
