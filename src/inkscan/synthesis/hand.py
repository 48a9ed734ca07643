"""Hand: the habits of one writer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from inkscan.synthesis.font import DENSITIES

USUAL_SLANT, USUAL_ASPECT = 0.09, 1.2


@dataclass(frozen=True)
class Hand:
    """The habits of one writer; lengths are in x-heights, probabilities between 0 and 1."""

    slant: float  # shear to the right
    aspect: float  # width against height
    angularity: float  # 0 round, 1 polygons
    style: float  # how far his letters are from the model
    wobble: float  # how far two of his letters differ
    tremor: float  # smooth noise along a stroke
    turn: float  # random rotation of a symbol, radians
    swell: float  # random size of a symbol, as a logarithm
    bounce: float  # random height of a symbol above the baseline
    slope: float  # of the line of writing
    wave: float  # of the line of writing, around the slope
    spacing: float  # between symbols
    looseness: float  # how far spaces and places differ
    operator_space: float  # extra space around operators
    relation_space: float  # extra space around relations
    brackets: float  # height of brackets around nothing tall, against print
    script: float  # size of scripts against their base
    raised: float  # how much higher and lower scripts stand than in print
    fraction: float  # size of numerators and denominators
    fraction_gap: float
    bar_first: float  # probability that a fraction starts with its bar
    bar_last: float
    sup_first: float
    above_first: float  # of limits
    side_limits: float  # limits of sums and products beside the sign
    radical_last: float
    late_marks: float  # dots and cross strokes written after the next symbols
    cursive: float  # letters of a word joined
    reversed_bars: float
    hooks: float  # small hooks at pen-up
    density: float  # pen points for a way of one x-height
    unit: float  # size of an x-height in the ink's coordinates

    @classmethod
    def sample(cls, rng: np.random.Generator, care: float = 0.5) -> Hand:
        """A random writer; `care` runs from 0, a scrawl, to 1, a textbook."""
        u, n = rng.random(30).tolist(), rng.standard_normal(12).tolist()
        untidy = min(max(1.5 - care + 0.4 * n[0], 0.35), 2.0)
        return cls(
            slant=USUAL_SLANT + 0.13 * n[1],
            aspect=USUAL_ASPECT * math.exp(0.18 * n[2]),
            angularity=max(0.0, 0.45 * u[0] - 0.2),
            style=0.045 + 0.03 * u[1] * untidy,
            wobble=0.026 * untidy * (0.6 + u[2]),
            tremor=0.008 * untidy * u[3],
            turn=0.035 * untidy,
            swell=0.075 * untidy,
            bounce=0.05 * untidy,
            slope=0.03 * n[3] * untidy,
            wave=0.12 * untidy * u[4],
            spacing=0.18 + 0.6 * u[5] ** 1.5,
            looseness=0.35 * untidy,
            operator_space=0.05 + 0.6 * u[6],
            relation_space=0.05 + 0.6 * u[6] + 0.7 * u[22],
            brackets=0.68 + 0.42 * u[23],
            script=0.52 * math.exp(0.2 * n[5]),
            raised=0.12 * n[4] * untidy,
            fraction=min(0.8 * math.exp(0.18 * n[6]), 1.1),
            fraction_gap=0.15 + 0.45 * u[9],
            bar_first=0.6 if u[10] < 0.15 else 0.03,
            bar_last=0.6 if u[11] < 0.12 else 0.02,
            sup_first=0.9 if u[12] < 0.3 else 0.1,
            above_first=0.9 if u[13] < 0.4 else 0.1,
            side_limits=0.9 if u[14] < 0.12 else 0.02,
            radical_last=0.15 if u[15] < 0.1 else 0.01,
            late_marks=0.5 if u[16] < 0.2 else 0.04,
            cursive=0.85 if u[17] < 0.45 else 0.05,
            reversed_bars=0.6 if u[18] < 0.06 else 0.01,
            hooks=0.25 * u[19] ** 2,
            density=DENSITIES[int(u[20] * len(DENSITIES))],
            unit=25.0 + 40.0 * u[21],
        )
