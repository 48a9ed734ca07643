"""Exchanged symbols stay in their boxes and in the alignment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.ink import Ink
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.exchange import STRETCH, exchange_symbols

from .conftest import check_alignment, written


def test_alignment_and_boxes_survive(samples: list[Sample], bank: SymbolBank) -> None:
    rng = np.random.default_rng(0)
    recounted = 0
    for sample in samples:
        other = exchange_symbols(sample, bank, rng, 1.0)
        assert other.tokens == sample.tokens
        check_alignment(other)
        recounted += len(other.ink) != len(sample.ink)
        for old, new in zip(sample.alignment, other.alignment, strict=True):
            if old:
                was, now = sample.ink.box(old), other.ink.box(new)
                side = max(was.width, was.height)
                assert max(now.width, now.height) == pytest.approx(side, rel=0.45)
                assert now.left + now.width / 2 == pytest.approx(
                    was.left + was.width / 2, abs=0.02 * side + 1e-9
                )
                assert now.top + now.height / 2 == pytest.approx(
                    was.top + was.height / 2, abs=0.02 * side + 1e-9
                )
    assert recounted > 20


def test_most_symbols_are_really_exchanged(samples: list[Sample], bank: SymbolBank) -> None:
    rng = np.random.default_rng(0)
    kept = total = 0
    for sample in samples:
        before = set(sample.ink.strokes)
        kept += sum(stroke in before for stroke in exchange_symbols(sample, bank, rng, 1.0).ink.strokes)
        total += len(before)
    assert kept < 0.35 * total


def test_rate_zero_and_an_empty_bank_change_nothing(samples: list[Sample], bank: SymbolBank) -> None:
    rng = np.random.default_rng(0)
    assert exchange_symbols(samples[0], bank, rng, 0.0) is samples[0]
    assert exchange_symbols(samples[0], SymbolBank({}), rng, 1.0) is samples[0]


def test_new_strokes_take_the_old_places() -> None:
    one = Sample("1", Ink.from_points([[(0, 0), (0, 9), (9, 9)]]), ("x",), ((0,),))
    three = Sample(
        "3", Ink.from_points([[(0, 0), (0, 9)], [(9, 0), (9, 9)], [(0, 5), (9, 5)]]), ("x",), ((0, 1, 2),)
    )
    # x is strokes 0 and 2; a delayed stroke of it comes after y
    ink = Ink.from_points([[(0, 0), (9, 9)], [(20, 0), (29, 9)], [(9, 0), (0, 9)]])
    sample = Sample("s", ink, ("x", "y"), ((0, 2), (1,)))
    rng = np.random.default_rng(0)
    fewer = exchange_symbols(sample, SymbolBank.harvest([one]), rng, 1.0)
    assert fewer.alignment == ((0,), (1,))
    more = exchange_symbols(sample, SymbolBank.harvest([three]), rng, 1.0)
    assert more.alignment == ((0, 2, 3), (1,))
    assert more.ink.strokes[1] == ink.strokes[1]


def test_thin_symbols_are_never_blown_up() -> None:
    tilted = Sample("t", Ink.from_points([[(0, 0), (50, 0.01), (100, 2)]]), ("-",), ((0,),))
    upright = Sample("u", Ink.from_points([[(0, 0), (1, 100)]]), ("-",), ((0,),))
    flat = replace(tilted, ink=Ink.from_points([[(0, 0), (30, 0)]]))
    rng = np.random.default_rng(0)
    box = exchange_symbols(flat, SymbolBank.harvest([tilted]), rng, 1.0).ink.box()
    assert box.width == pytest.approx(30)
    assert box.height < 1
    assert exchange_symbols(flat, SymbolBank.harvest([upright]), rng, 1.0) is flat


def test_dots_and_shared_strokes_stay() -> None:
    dot = Sample("d", Ink.from_points([[(3, 3)]]), (".",), ((0,),))
    rng = np.random.default_rng(0)
    assert exchange_symbols(dot, SymbolBank.harvest([dot]), rng, 1.0) is dot
    ink = Ink.from_points([[(0, 0), (9, 9)], [(5, 0), (9, 5)]])
    shared = Sample("s", ink, ("x", "y"), ((0, 1), (1,)))
    donors = SymbolBank.harvest([written("x"), written("y")])
    assert exchange_symbols(shared, donors, rng, 1.0) is shared


def test_strokes_of_no_symbol_stay() -> None:
    ink = Ink.from_points([[(0, 0), (9, 9)], [(40, 40), (41, 41)]])
    sample = Sample("s", ink, ("/",), ((0,),))
    other = exchange_symbols(sample, SymbolBank.harvest([sample]), np.random.default_rng(0), 1.0)
    assert other.ink.strokes[1] == ink.strokes[1]


def test_shapes_are_stretched_only_a_little() -> None:
    wide = Sample("w", Ink.from_points([[(0, 0), (70, 100), (0, 100)]]), ("x",), ((0,),))
    narrow = Sample("n", Ink.from_points([[(0, 0), (35, 100), (0, 100)]]), ("x",), ((0,),))
    box = exchange_symbols(narrow, SymbolBank.harvest([wide]), np.random.default_rng(0), 1.0).ink.box()
    assert box.height == pytest.approx(100)
    assert box.width == pytest.approx(70 / STRETCH)
