"""Patterns and batches are pure functions of corpus, recipe, epoch and place."""

from __future__ import annotations

import dataclasses

import pytest

from inkscan.data.sample import Sample
from inkscan.latex.tree import parse_tokens, to_tokens
from inkscan.training.patterns import PatternSource, batches
from inkscan.training.recipes import NO_PATTERNS, Patterns, Recipe

EACH = {
    "none": NO_PATTERNS,
    "distort": dataclasses.replace(NO_PATTERNS, distort=1.0),
    "exchange": dataclasses.replace(NO_PATTERNS, exchange=1.0),
    "subexpression": dataclasses.replace(NO_PATTERNS, subexpression=1.0),
    "recombine": dataclasses.replace(NO_PATTERNS, recombine=1.0),
    "all": Patterns(),
}


@pytest.mark.parametrize("patterns", EACH.values(), ids=EACH)
def test_patterns_are_pure_and_well_formed(samples: list[Sample], patterns: Patterns) -> None:
    recipe = Recipe(patterns=patterns)
    source, again = PatternSource(samples, recipe), PatternSource(samples, recipe)
    chosen = source.epoch(2)
    assert chosen == again.epoch(2)
    for place, pattern in enumerate(chosen):
        sample = source.realise(pattern, 2, place)
        twin = again.realise(pattern, 2, place)
        assert (sample.ink, sample.tokens, sample.alignment) == (twin.ink, twin.tokens, twin.alignment)
        assert len(sample.tokens) == len(sample.alignment)
        assert all(0 <= j < len(sample.ink) for strokes in sample.alignment for j in strokes)
        assert to_tokens(parse_tokens(sample.tokens)) == sample.tokens


def test_without_patterns_the_corpus_itself_is_trained_on(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe(patterns=NO_PATTERNS))
    assert [source.realise(p, 0, i) for i, p in enumerate(source.epoch(0))] == samples


def test_epochs_differ(samples: list[Sample]) -> None:
    source = PatternSource(samples, Recipe())
    first, second = source.epoch(0)[0], source.epoch(1)[0]
    assert source.realise(first, 0, 0).ink != source.realise(second, 1, 0).ink


def test_batches_hold_every_place_once(samples: list[Sample]) -> None:
    recipe = Recipe(batch_size=5, max_points=400)
    patterns = PatternSource(samples, recipe).epoch(0)
    plan = batches(patterns, recipe, 0)
    assert sorted(place for group in plan for place in group) == list(range(len(samples)))
    assert all(len(group) <= 5 for group in plan)
    for group in plan:
        longest = max(patterns[place].points for place in group)
        assert len(group) == 1 or len(group) * longest <= 400 * 1.25  # costs are noisy by a tenth each way
