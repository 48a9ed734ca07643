"""Patterns are pure functions of corpus, recipe, epoch and place."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.errors import BadSetting
from inkscan.ink import Ink
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import to_tokens
from inkscan.synthesis.formulas import FormulaBook
from inkscan.training.patterns import ORIGINS, STEPS, Material, PatternSource
from inkscan.training.recipes import (
    NO_PATTERNS,
    Patterns,
    Recipe,
    rates_of,
    recipe_from_plain,
    to_plain,
    with_settings,
)

EACH = {
    "none": NO_PATTERNS,
    **{name: Patterns(**vars(NO_PATTERNS) | {name: 1.0}) for name in (*ORIGINS, *STEPS)},
    "all": Patterns(),
}


@pytest.mark.parametrize("patterns", EACH.values(), ids=EACH)
def test_patterns_are_pure_and_well_formed(samples: list[Sample], patterns: Patterns) -> None:
    recipe = Recipe(patterns=patterns)
    source, again = PatternSource(samples, recipe), PatternSource(samples, recipe)
    for sample, twin in zip(source.epoch(2), again.epoch(2), strict=True):
        assert (sample.ink, sample.tokens, sample.alignment) == (twin.ink, twin.tokens, twin.alignment)
        assert len(sample.tokens) == len(sample.alignment)
        assert all(0 <= j < len(sample.ink) for strokes in sample.alignment for j in strokes)
        assert to_tokens(parse_tokens(sample.tokens)) == sample.tokens


def test_without_patterns_the_corpus_itself_is_trained_on(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe(patterns=NO_PATTERNS))
    assert source.epoch(0) == samples


def test_epochs_differ(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe())
    assert source.epoch(0)[0].ink != source.epoch(1)[0].ink


@pytest.mark.parametrize("tokens", ["\\natural + 1", "\\hat { x } + 1", "\\binom { n } { 2 }"])
def test_symbols_that_the_font_or_the_layout_lacks_can_be_trained_on(tokens: str) -> None:
    ink = Ink.from_points([[[10 * i, 0], [10 * i + 5, 8], [10 * i + 8, 3]] for i in range(4)])
    words = tuple(tokens.split())
    written = [i for i, word in enumerate(words) if word not in "{}"]
    alignment = tuple((written.index(i),) if i in written else () for i in range(len(words)))
    samples = [Sample(str(n), ink, words, alignment) for n in range(20)]
    recipe = Recipe(patterns=dataclasses.replace(NO_PATTERNS, recombine=1.0))
    for pattern in PatternSource(samples, recipe).epoch(0):
        assert set(pattern.tokens) <= set(words)


def test_shares_of_origins_may_not_overlap() -> None:
    with pytest.raises(BadSetting, match="sum to 1 at most"):
        Patterns(recombine=0.6, subexpression=0.6, piece=0.3)
    settings = ["patterns.recombine=0.9", "patterns.subexpression=0", "patterns.piece=0", "patterns.lone=0.1"]
    assert with_settings(Recipe(), settings).patterns.recombine == 0.9  # all at once, in any order


def test_origins_come_in_their_shares(samples: list[Sample]) -> None:
    rates = dataclasses.replace(NO_PATTERNS, recombine=0.3, lone=0.2)
    source = PatternSource(samples, Recipe(patterns=rates))
    made = [sample.id for epoch in range(20) for sample in source.epoch(epoch)]
    for name, share in (("composed", 0.3), ("lone", 0.2)):
        assert made.count(name) / len(made) == pytest.approx(share, abs=0.06)


def test_places_asked_for_alone_give_the_same_patterns(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe())
    assert source.epoch(1, range(3, 30, 9)) == source.epoch(1)[3:30:9]


def test_every_rate_has_its_origin_or_step() -> None:
    assert set(rates_of("origin")) == set(ORIGINS)
    assert set(rates_of("step")) == set(STEPS)


def test_a_new_step_at_rate_zero_leaves_the_patterns_of_older_runs_alone(
    samples: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only then does a run that began before there was the step resume exactly."""
    source = PatternSource(samples, Recipe(patterns=dataclasses.replace(Patterns(), pen=0.0)))
    with_pen = source.epoch(0)
    monkeypatch.delitem(STEPS, "pen")
    assert source.epoch(0) == with_pen


def test_letters_are_marked_only_where_formulas_have_such_marks(samples: list[Sample]) -> None:
    """So a vocabulary without accents, which leaves such formulas out, never meets one."""
    rates = dataclasses.replace(NO_PATTERNS, recombine=1.0, formula=1.0, accent=1.0)
    plain, marked = ("x", "+", "1"), (r"\hat", "{", "y", "}")
    for formulas, expected in (((plain,), plain), ((plain, marked), (r"\hat", "{", "x", "}", "+", "1"))):
        source = PatternSource(samples, Recipe(patterns=rates), extra=Material(book=FormulaBook(formulas)))
        sums = {sample.tokens for sample in source.epoch(0) if sample.tokens[-2:] == ("+", "1")}
        assert sums == {expected}


def test_lone_symbols_need_no_other_origin_or_step(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe(patterns=dataclasses.replace(NO_PATTERNS, lone=1.0)))
    assert {sample.id for sample in source.epoch(0)} == {"lone"}


def test_a_mark_that_no_pen_has_is_left_out(samples: list[Sample]) -> None:
    rates = dataclasses.replace(NO_PATTERNS, recombine=1.0, formula=1.0, accent=1.0)
    book = FormulaBook([("x", "+", "1"), (r"\overbrace", "{", "a", "}")])
    source = PatternSource(samples, Recipe(patterns=rates), extra=Material(book=book))
    assert all(r"\overbrace" not in sample.tokens for sample in source.epoch(0))


def test_a_recipe_from_before_pens_had_names_draws_from_the_first_four() -> None:
    plain = to_plain(Recipe())
    del plain["patterns"]["pens"]
    older = recipe_from_plain(plain).patterns.pens
    drawn = [older.draw(np.random.default_rng(seed)) for seed in range(200)]
    first = ("lifted", "joined", "backward", "sparse")
    assert drawn == [first[int(np.random.default_rng(seed).integers(4))] for seed in range(200)]
