"""The layout engine puts everything where mathematics has it, and knows whose strokes are whose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import NoStrokes, UnknownToken
from inkscan.ink import Box
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import Row, Symbol, parse_tokens, to_tokens, walk
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_row, write_sample

from .conftest import check_alignment, written

SEEDS = range(12)


def box_of(sample: Sample, token: str, which: int = 0) -> Box:
    found = [
        strokes for label, strokes in zip(sample.tokens, sample.alignment, strict=True) if label == token
    ]
    return sample.ink.box(found[which])


def middle(box: Box) -> float:
    return (box.top + box.bottom) / 2


def test_every_stroke_has_one_owner_and_the_truth_is_the_tree(samples: list[Sample]) -> None:
    for sample in samples:
        check_alignment(sample)
        row = parse_tokens(sample.tokens, sample.alignment)
        assert all(symbol.strokes for symbol in walk(row))
        assert to_tokens(row) == sample.tokens


@pytest.mark.parametrize("seed", SEEDS)
def test_scripts_stand_high_and_low_and_are_smaller(seed: int) -> None:
    sample = written("x _ { 2 } ^ { 3 }", seed)
    base, low, high = box_of(sample, "x"), box_of(sample, "2"), box_of(sample, "3")
    assert high.bottom < base.bottom - 0.3 * base.height
    assert middle(low) > base.bottom - 0.4 * base.height
    assert high.bottom < low.top + 0.3 * low.height
    assert low.left > middle_x(base)
    assert max(low.height, high.height) < 1.6 * base.height


def middle_x(box: Box) -> float:
    return (box.left + box.right) / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fraction_is_stacked_about_its_bar(seed: int) -> None:
    sample = written(r"a + \frac { b + c } { d }", seed)
    bar = box_of(sample, r"\frac")
    for label in "bc":
        assert box_of(sample, label).bottom < bar.bottom
        assert bar.left - 0.2 * bar.width < middle_x(box_of(sample, label)) < bar.right + 0.2 * bar.width
    assert box_of(sample, "d").top > bar.top
    a = box_of(sample, "a")
    assert a.top - a.height < middle(bar) < a.bottom + 0.3 * a.height


@pytest.mark.parametrize("seed", SEEDS)
def test_a_radical_covers_what_it_holds(seed: int) -> None:
    sample = written(r"\sqrt [ 3 ] { x + y }", seed)
    radical = box_of(sample, r"\sqrt")
    for label in "xy":
        held = box_of(sample, label)
        assert radical.left < held.left
        assert held.right < radical.right + 0.3 * held.width
        assert radical.top < held.top + 0.15 * held.height
    assert middle_x(box_of(sample, "3")) < box_of(sample, "x").left


@pytest.mark.parametrize("seed", SEEDS)
def test_limits_stand_over_and_under(seed: int) -> None:
    sample = written(r"\int \limits _ { 0 } ^ { 1 } x", seed)
    sign = box_of(sample, r"\int")
    assert box_of(sample, "1").bottom < sign.top + 0.1 * sign.height
    assert box_of(sample, "0").top > sign.bottom - 0.1 * sign.height


@pytest.mark.parametrize("seed", SEEDS)
def test_brackets_grow_with_what_they_hold(seed: int) -> None:
    tall, low = written(r"( \frac { 1 } { \frac { 3 } { 2 } } )", seed), written("( 1 )", seed)
    bracket = box_of(tall, "(")
    assert bracket.top < box_of(tall, "1").top + 0.2 * bracket.height
    assert bracket.bottom > box_of(tall, "2").bottom - 0.2 * bracket.height
    assert bracket.height > 1.1 * box_of(low, "(").height


def test_a_row_runs_from_left_to_right() -> None:
    sample = written("a b c d e x y z")
    lefts = [sample.ink.box(strokes).left for strokes in sample.alignment]
    assert lefts == sorted(lefts)


def hand(seed: int = 0, **habits: float) -> Hand:
    return replace(Hand.sample(np.random.default_rng(seed)), **habits)


def strokes_in_order(latex: str, hand: Hand) -> list[str]:
    rng = np.random.default_rng(5)
    sample = write_sample(parse_latex(latex), Pen(hand), rng, "")
    owner = {
        stroke: label
        for label, strokes in zip(sample.tokens, sample.alignment, strict=True)
        for stroke in strokes
    }
    return [owner[stroke] for stroke in range(len(sample.ink))]


def test_the_bar_comes_when_the_writer_wants() -> None:
    latex = r"\frac { 1 } { 2 }"
    first = strokes_in_order(latex, hand(bar_first=1.0, bar_last=0.0))
    last = strokes_in_order(latex, hand(bar_first=0.0, bar_last=1.0))
    between = strokes_in_order(latex, hand(bar_first=0.0, bar_last=0.0))
    assert first[0] == r"\frac"
    assert last[-1] == r"\frac"
    assert between.index("1") < between.index(r"\frac") < between.index("2")


def test_dots_can_be_written_late() -> None:
    late = strokes_in_order("i n n", hand(late_marks=1.0))
    assert late[0] == "i"
    assert late.index("n") < len(late) - 1 - late[::-1].index("i")
    assert strokes_in_order("i n n", hand(late_marks=0.0))[:2] == ["i", "i"]


def test_the_given_tree_comes_back_with_strokes() -> None:
    row: Row = (Symbol("x", (99,), sup=(Symbol("2"),)), Symbol("+"), Symbol(r"\sin"), Symbol("y"))
    result = write_row(row, Pen(hand()), np.random.default_rng(0))
    assert to_tokens(result.row) == to_tokens(row)
    assert sorted(s for symbol in walk(result.row) for s in symbol.strokes) == list(range(len(result.ink)))


def test_what_cannot_be_written_is_refused() -> None:
    pen, rng = Pen(hand()), np.random.default_rng(0)
    with pytest.raises(NoStrokes):
        write_row((), pen, rng)
    with pytest.raises(UnknownToken):
        write_row((Symbol(r"\aleph"),), pen, rng)
