"""Stand-ins have the strokes, the size and the place of the symbols that they are modelled on."""

from __future__ import annotations

import numpy as np
import pytest

from inkscan.synthesis.bank import SymbolBank, SymbolInk
from inkscan.synthesis.standin import with_stand_ins


def symbol(strokes: int, size: float, rise: float, height: float = 1.0, writer: str = "") -> SymbolInk:
    points = np.linspace([-0.5, -height / 2], [0.5, height / 2], 4 * strokes)
    ends = tuple(range(4, 4 * strokes + 1, 4))
    return SymbolInk(points, ends, 1.0, height, size, rise, writer)


def test_size_and_place_are_the_models() -> None:
    own = SymbolBank({"x": [symbol(2, 0.9, 0.4)], "=": [symbol(2, 1.2, 0.6, height=0.4)]})
    extra = SymbolBank(
        {"x": [symbol(2, 7.0, 3.0, height=0.5, writer="w")], "=": [symbol(2, 7.0, 3.0, height=0.9)]}
    )
    mixed = with_stand_ins(own, extra)
    (x,) = mixed.entries["x"]
    assert x.size * x.height == pytest.approx(0.9)
    assert (x.rise, x.writer) == (0.4, "w")
    (equals,) = mixed.entries["="]
    assert equals.size * equals.width == pytest.approx(1.2)
    assert equals.rise == 0.6


def test_forms_that_the_corpus_lacks_are_left_out_and_none_is_used_twice() -> None:
    own = SymbolBank({"i": [symbol(2, 1.5, 0.7)] * 9 + [symbol(3, 1.5, 0.7)]})
    dotless = [symbol(1, 1.5, 0.7) for _ in range(30)]
    dotted = [symbol(2, 1.5, 0.7, height=0.8 + i / 100) for i in range(10)]
    drawn = with_stand_ins(own, SymbolBank({"i": dotless + dotted})).entries["i"]
    assert {len(one.ends) for one in drawn} == {2}
    assert len({one.height for one in drawn}) == len(drawn) == 10


def test_labels_without_a_fitting_character_keep_their_own() -> None:
    own = SymbolBank({"i": [symbol(2, 1.5, 0.7)], r"\sum": [symbol(1, 2.0, 0.8)]})
    extra = SymbolBank({"i": [symbol(1, 1.5, 0.7)], "k": [symbol(2, 1.7, 0.85)]})
    mixed = with_stand_ins(own, extra)
    assert mixed.entries == {**own.entries, "k": extra.entries["k"]}
