"""The layout engine puts everything where mathematics has it, and knows whose strokes are whose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import NoStrokes, UnknownToken
from inkscan.ink import Box
from inkscan.latex.alphabet import ALPHABET, SymbolKind
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import ACCENTS, STRUCTURE, Row, Symbol, to_tokens, walk
from inkscan.latex.vocabulary import WIDE
from inkscan.synthesis.brackets import partners
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import can_write, write_row, write_sample

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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_prime_stands_beside_the_top_of_a_capital_and_above_a_small_letter(seed: int) -> None:
    sample = written("E ^ { \\prime } = m ^ { \\prime }", seed)
    capital, small = box_of(sample, "E"), box_of(sample, "m")
    beside, above = box_of(sample, "\\prime"), box_of(sample, "\\prime", 1)
    assert beside.top < capital.top + 0.3 * capital.height
    assert beside.bottom > capital.top - 0.1 * capital.height
    assert above.bottom < small.top + 0.4 * small.height
    assert min(beside.left - capital.right, above.left - small.right) > -0.4 * small.height


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
        assert radical.top < held.top + 0.15 * held.height
    assert middle_x(box_of(sample, "3")) < box_of(sample, "x").left
    assert middle_x(box_of(sample, "x")) < radical.right


def test_most_roofs_reach_beyond_what_they_cover_and_some_end_before() -> None:
    samples = [written(r"\sqrt { x + y }", seed) for seed in range(200)]
    short = [box_of(sample, "y").right > box_of(sample, r"\sqrt").right for sample in samples]
    assert 0.08 < np.mean(short) < 0.3


def test_neighbours_touch_now_and_then_but_bars_do_not() -> None:
    samples = [written(r"a b - c", seed) for seed in range(300)]
    gaps = [box_of(sample, "b").left - box_of(sample, "a").right for sample in samples]
    assert 0.005 < np.mean(np.less(gaps, 0)) < 0.2
    assert all(box_of(sample, "-").left > box_of(sample, "b").right for sample in samples)


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
        write_row((Symbol(r"\wp"),), pen, rng)


def expression(label: str) -> str:
    kind = ALPHABET[label].kind
    if kind == SymbolKind.STACK:
        return f"{label} {{ n }} {{ k }} ^ {{ 2 }}"
    if label in ACCENTS or kind == SymbolKind.ROOT:
        return f"{label} {{ x y }} _ {{ 0 }} + 1"
    return f"a {label} b ^ {{ {label} }}"


@pytest.mark.parametrize("label", [label for label in WIDE.symbols if label not in {*STRUCTURE, "'"}])
def test_the_font_writes_every_symbol_of_the_wide_vocabulary(label: str) -> None:
    row = parse_tokens(expression(label).split())
    assert can_write(row, Pen(hand()))
    sample = written(expression(label), 1)
    check_alignment(sample)
    assert all(symbol.strokes for symbol in walk(parse_tokens(sample.tokens, sample.alignment)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("label", [r"\prod", r"\bigcup", r"\max"])
def test_limits_stand_above_and_below(label: str, seed: int) -> None:
    pen, rng = Pen(hand(seed, side_limits=0.0)), np.random.default_rng(seed)
    sample = write_sample(parse_latex(f"{label} _ {{ a }} ^ {{ b }} x"), pen, rng, "")
    sign = box_of(sample, label)
    assert box_of(sample, "b").bottom < sign.top + 0.2 * sign.height
    assert box_of(sample, "a").top > sign.bottom - 0.2 * sign.height


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("label", [r"\hat", r"\vec", r"\overline", r"\tilde", r"\dot"])
def test_an_accent_stands_over_what_it_marks(label: str, seed: int) -> None:
    sample = written(f"a + {label} {{ x }}", seed)
    mark, held = box_of(sample, label), box_of(sample, "x")
    assert mark.bottom < held.top + 0.1 * held.height
    assert held.left - 0.5 * held.width < middle_x(mark) < held.right + 0.5 * held.width
    assert mark.height < 0.9 * held.height


@pytest.mark.parametrize("seed", SEEDS)
def test_a_binomial_is_two_rows_in_brackets(seed: int) -> None:
    sample = written(r"\binom { n } { k }", seed)
    brackets, above, below = (box_of(sample, label) for label in (r"\binom", "n", "k"))
    assert above.bottom < below.bottom
    assert brackets.left < min(above.left, below.left)
    assert brackets.right > max(above.right, below.right)
    assert len(sample.alignment[0]) == 2


@pytest.mark.parametrize(("row", "pairs"), [
    ("( [ a , b ) )", {0: 6, 1: 5}), ("| a | + | b |", {0: 2, 4: 6}), (r"\langle a | b \rangle", {0: 4}),
    ("( a", {}), ("a )", {}), (r"\lfloor ( x ) \rfloor", {0: 4, 1: 3}),
])  # fmt: skip
def test_brackets_find_their_other_half(row: str, pairs: dict[int, int]) -> None:
    both = pairs | {last: first for first, last in pairs.items()}
    assert partners(tuple(map(Symbol, row.split()))) == both
