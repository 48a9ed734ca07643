"""The corner of a radical, and radicals that are exchanged: what stood under the roof stays there."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.synthesis.bank import SymbolBank, cut_symbol
from inkscan.synthesis.exchange import exchange_symbols
from inkscan.synthesis.radical import corner_of, with_corner

Points = list[tuple[float, float]]

UPRIGHT: Points = [(0, 60), (10, 100), (20, 0), (100, 0)]
LEANING_BACK: Points = [(0, 60), (30, 100), (30, 50), (20, 0), (100, 0)]
WITH_HOOK: Points = [(0, 60), (10, 100), (20, 0), (100, 0), (100, 20)]


@pytest.mark.parametrize(("points", "corner"), [(UPRIGHT, 10), (LEANING_BACK, 30), (WITH_HOOK, 10)])
def test_the_room_begins_where_no_part_of_the_tick_reaches(points: Points, corner: float) -> None:
    found = corner_of(np.array(points, dtype=float) + 7)
    assert found is not None and corner <= found <= corner + 8


@pytest.mark.parametrize(
    "points", [[(0, 0), (100, 0)], [(0, 0), (0, 100)], [(0, 60), (10, 100), (20, 0), (100, 0), (100, 90)]]
)
def test_other_shapes_have_no_corner(points: Points) -> None:
    assert corner_of(np.array(points, dtype=float)) is None


def test_tick_and_roof_are_scaled_each_by_itself() -> None:
    x = with_corner(np.array([0.0, 10.0, 20.0, 100.0]), 20.0, 0.5, 2.0)
    assert x.tolist() == [-10.0, -5.0, 0.0, 160.0]


def exchanged(radical: Points) -> tuple[Sample, Sample]:
    """A root with a long roof over a digit, before and after its sign was exchanged for this one."""
    symbol = cut_symbol(r"\sqrt", [np.array(radical, dtype=float)])
    assert symbol is not None
    ink = Ink.from_points([[(0, 60), (10, 100), (20, 0), (300, 0)], [(40, 20), (40, 90)]])
    sample = Sample("root", ink, (r"\sqrt", "{", "1", "}"), ((0,), (), (1,), ()))
    bank = SymbolBank({r"\sqrt": [symbol]})
    return sample, exchange_symbols(sample, bank, np.random.default_rng(0), 1.0)


def test_an_exchanged_radical_has_the_old_ones_room() -> None:
    """Stretched as a whole the tick of this one would cross the digit."""
    sample, other = exchanged([(0, 60), (15, 100), (16, 50), (22, 0), (100, 0)])
    old, new = sample.ink.strokes[0].xy, other.ink.strokes[0].xy
    assert len(new) == 5
    assert new[:, 0].min() == pytest.approx(0) and new[:, 0].max() == pytest.approx(300)
    assert corner_of(new) == pytest.approx(corner_of(old))


def test_a_radical_of_another_shape_is_not_exchanged() -> None:
    sample, other = exchanged([(0, 60), (60, 100), (65, 0), (100, 0)])
    assert other is sample
