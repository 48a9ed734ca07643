"""Distortion leaves a page legible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.synthesis.distort import Distortion, distort

STILL = Distortion(**dict.fromkeys(vars(Distortion()), 0.0))


def test_a_warped_symbol_keeps_its_strokes_together_and_its_place() -> None:
    """Both strokes of a cross are mapped alike; the bar of a fraction stays as it is."""
    cross = [[(0.0, 0.0), (10.0, 10.0)], [(10.0, 0.0), (0.0, 10.0)]]
    bar, below = [(-5.0, 15.0), (15.0, 15.0)], [(5.0, 20.0), (5.0, 30.0)]
    tokens = (r"\frac", "{", "x", "}", "{", "1", "}")
    sample = Sample(
        "fraction", Ink.from_points([*cross, bar, below]), tuple(tokens), ((2,), (), (0, 1), (), (), (3,), ())
    )
    warped = distort(sample, np.random.default_rng(1), replace(STILL, symbol_warp=0.2)).ink
    first, second, warped_bar, one = (stroke.xy for stroke in warped)
    offset = warped_bar[0] - bar[0]  # the whole is centred
    np.testing.assert_allclose(warped_bar - offset, bar, atol=1e-9)
    np.testing.assert_allclose(first.mean(axis=0) - offset, (5.0, 5.0), atol=1e-9)
    np.testing.assert_allclose(second.mean(axis=0) - offset, (5.0, 5.0), atol=1e-9)
    np.testing.assert_allclose(one.mean(axis=0) - offset, (5.0, 25.0), atol=1e-9)
    assert np.abs(first - offset - cross[0]).max() > 0.2


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
