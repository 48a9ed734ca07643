"""Distortion leaves a page legible."""

from __future__ import annotations

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.synthesis.distort import Distortion, distort


def test_a_long_bar_is_turned_less_than_a_short_one() -> None:
    long, short = [(0.0, 0.0), (100.0, 0.0)], [(0.0, 50.0), (10.0, 50.0)]
    ink = Ink.from_points([long, short, *([short] * 8)])
    sample = Sample("bars", ink, ("-",) * 10, tuple((i,) for i in range(10)))
    turned_alone = Distortion(
        shear=0,
        aspect=0,
        wave=0,
        stroke_shift=0,
        stroke_scale=0,
        tremor=0,
        reversed_strokes=0,
        delayed_symbols=0,
    )
    slopes = []
    for seed in range(60):
        ends = [
            stroke.xy[-1] - stroke.xy[0]
            for stroke in distort(sample, np.random.default_rng(seed), turned_alone).ink
        ]
        angles = np.rad2deg([np.arctan2(y, x) for x, y in ends])
        slopes.append(np.abs(angles - np.median(angles))[:2])
    long_turns, short_turns = np.mean(slopes, axis=0)
    assert long_turns < 0.5 * short_turns
