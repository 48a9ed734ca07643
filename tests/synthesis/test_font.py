"""The stroke font covers the wide vocabulary, stands where the metrics say, and bends only where it should."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.errors import BadCorpus, UnknownToken
from inkscan.latex.symbol_metrics import extent
from inkscan.latex.symbols import FUNCTIONS
from inkscan.latex.tree import ACCENTS, STACKS, STRUCTURE
from inkscan.latex.vocabulary import WIDE
from inkscan.synthesis.font import DENSITIES, parse_glyph, read_font

COMPOSED = (STRUCTURE | FUNCTIONS | ACCENTS | STACKS) - {r"\frac"}
SYMBOLS = [token for token in WIDE.symbols if token not in COMPOSED]


@pytest.mark.parametrize("label", SYMBOLS)
def test_every_symbol_is_drawn_and_stands_on_its_line(label: str) -> None:
    usual = extent(label)
    first, *others = read_font().variants(label)
    if label == r"\sqrt":
        return  # stretched over what it holds
    for glyph, tolerance in ((first, 0.3), *((glyph, 0.55) for glyph in others)):
        assert -glyph.controls[:, 1].min() == pytest.approx(usual.top, abs=tolerance)
        assert -glyph.controls[:, 1].max() == pytest.approx(usual.bottom, abs=tolerance)


def test_people_differ_in_how_they_write() -> None:
    font = read_font()
    for label in "147xzafy+":
        assert len(font.variants(label)) >= 2


def test_the_letters_of_function_names_are_there() -> None:
    assert all(letter in read_font() for name in FUNCTIONS for letter in name[1:])


@pytest.mark.parametrize("density", DENSITIES)
def test_pen_points_follow_the_controls_when_these_move(density: float) -> None:
    glyph = read_font().variants("g")[0]
    sampling = glyph.sampling(density)
    for rows in (sampling.smooth, sampling.angular):
        np.testing.assert_allclose(rows.sum(axis=1), 1.0, atol=1e-9)


def test_a_corner_is_hit_exactly_and_a_bend_is_round() -> None:
    sharp = parse_glyph("v 0,100! 50,0! 100,100").sampling(DENSITIES[0])
    round_one = parse_glyph("v 0,100 50,0 100,100").sampling(DENSITIES[0])
    assert (np.abs(sharp.smooth[:, 1] - 1.0) < 1e-9).any()
    np.testing.assert_allclose(sharp.smooth, sharp.angular, atol=1e-9)
    assert np.abs(round_one.smooth - round_one.angular).max() > 0.05


def test_points_are_denser_in_bends() -> None:
    glyph = parse_glyph("j 0,300 0,200 0,100 10,20 40,0 70,20 80,100 80,200 80,300")
    points = glyph.sampling(DENSITIES[-1]).smooth @ glyph.controls
    steps = np.hypot(*np.diff(points, axis=0).T)
    low = -points[1:, 1] < 0.3
    straight = (-points[1:, 1] > 1.2) & (-points[1:, 1] < 2.2)
    assert steps[low].mean() < 0.85 * steps[straight].mean()


def test_unknown_symbols_and_bad_lines_are_refused() -> None:
    with pytest.raises(UnknownToken):
        read_font().variants(r"\wp")
    with pytest.raises(BadCorpus):
        parse_glyph("x 1,2 3")
    with pytest.raises(BadCorpus):
        parse_glyph("x 1,2")
