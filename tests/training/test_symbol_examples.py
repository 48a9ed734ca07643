"""Examples for a classifier of single symbols: whole symbols, and fragments that are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.features.symbol_pictures import CHANNELS, MEASURES, SIDE, StrokeGroup, symbol_pictures
from inkscan.ink import Ink
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.training.symbol_examples import (
    NEIGHBOURS,
    SYMBOLS_A_FRAGMENT,
    examples_of,
    fragments,
    symbols_of,
)

NONE = len(CROHME)


def row_of_bars(count: int) -> Ink:
    """Each a little further from the last one."""
    return Ink.from_points([[(x * x, 0), (x * x, 9)] for x in range(1, count + 1)])


def groups_of(sample: Sample) -> list[StrokeGroup]:
    return [group for _, group in symbols_of(sample, CROHME)]


# ---- symbols


def test_symbols_are_those_with_strokes_that_the_vocabulary_knows() -> None:
    ink = row_of_bars(4)
    tokens, alignment = ("x", "^", "{", "Q", "}", "+"), ((0,), (), (), (1,), (), (3, 2))
    sample = Sample("one", ink, tokens, alignment)
    index = CROHME.index
    assert "Q" not in index
    assert symbols_of(sample, CROHME) == [(index["x"], (0,)), (index["+"], (3, 2))]


def test_examples_are_the_pictures_of_all_symbols(samples: list[Sample]) -> None:
    found = examples_of(samples[:5], CROHME)
    assert [str(one.dtype) for one in vars(found).values()] == ["uint8", "float32", "int64"]
    written = [symbol for sample in samples[:5] for symbol in symbols_of(sample, CROHME)]
    assert len(written) > 10
    assert found.classes.tolist() == [number for number, _ in written]
    seen = [symbol_pictures(sample.ink, groups_of(sample)) for sample in samples[:5]]
    np.testing.assert_array_equal(found.measures, np.concatenate([one.measures for one in seen]))
    images = np.concatenate([one.images for one in seen])
    assert np.abs(found.images / 255 - images).max() <= 0.5 / 255 + 1e-6
    assert set(found.images.flat) >= {0, 255}


def test_with_chance_at_hand_fragments_follow_the_symbols_of_each_ink(samples: list[Sample]) -> None:
    whole = examples_of(samples[:8], CROHME)
    found = examples_of(samples[:8], CROHME, np.random.default_rng(0))
    is_whole = found.classes != NONE
    assert not (whole.classes == NONE).any() and 0 < (~is_whole).sum() < is_whole.sum()
    np.testing.assert_array_equal(found.classes[is_whole], whole.classes)
    np.testing.assert_array_equal(found.images[is_whole], whole.images)
    again = examples_of(samples[:8], CROHME, np.random.default_rng(0))
    np.testing.assert_array_equal(again.images, found.images)


def test_what_is_not_aligned_has_no_examples(samples: list[Sample]) -> None:
    bare = replace(samples[0], alignment=((),) * len(samples[0].tokens))
    unknown = Vocabulary(("<eos>", "Q"))
    for given, vocabulary in (([bare], CROHME), ([], CROHME), (samples[:2], unknown)):
        found = examples_of(given, vocabulary, np.random.default_rng(0))
        assert found.images.shape == (0, CHANNELS, SIDE, SIDE) and found.images.dtype == np.uint8
        assert found.measures.shape == (0, MEASURES) and found.classes.shape == (0,)
    found = examples_of([bare, samples[1], bare], CROHME)
    np.testing.assert_array_equal(found.images, examples_of([samples[1]], CROHME).images)


# ---- fragments


def test_fragments_are_strokes_of_the_ink_and_never_one_of_its_symbols(samples: list[Sample]) -> None:
    seen = 0
    for number, sample in enumerate(samples):
        groups = groups_of(sample)
        known = {tuple(sorted(group)) for group in groups}
        for seed in range(8):
            found = fragments(sample.ink, groups, np.random.default_rng([number, seed]))
            assert len(found) <= max(1, len(groups) // SYMBOLS_A_FRAGMENT)
            for group in found:
                assert list(group) == sorted(set(group)) and set(group) <= set(range(len(sample.ink)))
                assert group and group not in known
            seen += len(found)
    assert seen > 2 * len(samples)


def test_what_another_symbol_is_made_of_is_no_fragment() -> None:
    """As where symbols share a stroke."""
    everything: list[StrokeGroup] = [(0,), (1,), (1, 0)]
    for seed in range(20):
        assert fragments(row_of_bars(2), everything, np.random.default_rng(seed)) == []


def test_fragments_are_as_chance_has_it_alone(samples: list[Sample]) -> None:
    sample = max(samples, key=lambda one: len(one.ink))
    groups = groups_of(sample)
    drawn = [fragments(sample.ink, groups, np.random.default_rng(seed)) for seed in (0, 0, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert any(one != drawn[0] for one in drawn)


def test_a_fragment_is_a_part_or_a_symbol_and_a_neighbour_or_two_symbols() -> None:
    ink = row_of_bars(6)
    groups = [(0, 1), (2,), (3, 4, 5)]
    rng = np.random.default_rng(0)
    found = {group for _ in range(400) for group in fragments(ink, groups, rng)}
    parts = {(0,), (1,), (3,), (4,), (5,), (3, 4), (3, 5), (4, 5)}
    with_a_stroke = {(0, 1, 2), (0, 1, 3), (1, 2), (0, 2), (2, 3), (2, 3, 4, 5), (1, 3, 4, 5)}
    two_symbols = {(0, 1, 2), (2, 3, 4, 5)}
    parts_with_a_stroke = {(0, 3), (1, 3), (2, 3, 4), (2, 3, 5), (2, 4, 5), (1, 3, 4), (1, 3, 5), (1, 4, 5)}
    for kind in (parts, with_a_stroke, two_symbols, parts_with_a_stroke):
        assert kind <= found
    assert found == parts | with_a_stroke | two_symbols | parts_with_a_stroke


def test_a_fragment_reaches_no_further_than_to_the_nearest_strokes() -> None:
    ink = row_of_bars(8)
    alone = [(stroke,) for stroke in range(8)]
    rng = np.random.default_rng(0)
    found = {group for _ in range(300) for group in fragments(ink, alone, rng)}
    nearest = {
        tuple(sorted((one, other)))
        for one in range(8)
        for other in sorted(set(range(8)) - {one}, key=lambda far: abs((far + 1) ** 2 - (one + 1) ** 2))[
            :NEIGHBOURS
        ]
    }
    assert found == nearest


@pytest.mark.parametrize("strokes", [1, 2])
def test_where_there_is_but_one_symbol_its_parts_are_all_there_is(strokes: int) -> None:
    groups = [tuple(range(strokes))]
    drawn = [fragments(row_of_bars(strokes), groups, np.random.default_rng(seed)) for seed in range(20)]
    assert {group for found in drawn for group in found} == (set() if strokes == 1 else {(0,), (1,)})
