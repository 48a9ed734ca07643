"""Batches hold every pattern once, are of like sizes and keep to the recipe's bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.features import FeatureSettings
from inkscan.features.trace import trace_features
from inkscan.models.systems import SYSTEMS
from inkscan.synthesis.generate import Generator
from inkscan.training.plan import NOISE, pattern_sizes, plan_batches
from inkscan.training.recipes import Recipe

RECIPE = Recipe(batch_size=5, max_points=2000, max_pixels=200_000)


@pytest.fixture(scope="module")
def many() -> list[Sample]:
    return list(Generator(max_symbols=20).samples(203, seed=5))


@pytest.mark.parametrize("name", ["onscan", "wap", "mmscan-e"])
def test_batches_hold_every_place_once_within_bounds(many: list[Sample], name: str) -> None:
    system = SYSTEMS[name]
    plan = plan_batches(many, system, RECIPE, 0)
    assert sorted(place for group in plan for place in group) == list(range(len(many)))
    sizes = pattern_sizes(many, system, RECIPE)
    noise = (1 + NOISE) / (1 - NOISE)
    for group in plan:
        assert len(group) <= RECIPE.batch_size
        largest = sizes[group].max(axis=0)
        if system.online and len(group) > 1:
            assert len(group) * largest[1] <= RECIPE.max_points * noise
        if system.offline and len(group) > 1:
            assert len(group) * largest[-2] * largest[-1] <= RECIPE.max_pixels * noise**2


@pytest.mark.parametrize("name", ["onscan", "mmscan-e"])
def test_little_of_a_batch_is_padding(many: list[Sample], name: str) -> None:
    recipe = replace(RECIPE, max_points=10**6, max_pixels=10**9)
    sizes = pattern_sizes(many, SYSTEMS[name], recipe)

    def real_share(plan: list[list[int]]) -> np.ndarray:
        padded = sum(len(group) * sizes[group].max(axis=0) for group in plan)
        share: np.ndarray = sizes.sum(axis=0) / padded
        return share

    planned = plan_batches(many, SYSTEMS[name], recipe, 0)
    by_chance = np.random.default_rng(0).permutation(len(many)).tolist()
    chance = real_share([by_chance[i : i + 5] for i in range(0, len(many), 5)])
    assert (real_share(planned) > 1.1 * chance).all()
    assert sum(len(group) == 5 for group in planned) >= len(many) // 5 - 1  # and batches are full


def test_plans_are_pure_and_epochs_differ(many: list[Sample]) -> None:
    first = plan_batches(many, SYSTEMS["onscan"], RECIPE, 0)
    assert first == plan_batches(many, SYSTEMS["onscan"], RECIPE, 0)
    assert first != plan_batches(many, SYSTEMS["onscan"], RECIPE, 1)


@pytest.mark.parametrize("trace", ["tap", "even"])
def test_points_are_counted_as_the_features_will_have_them(many: list[Sample], trace: str) -> None:
    features = FeatureSettings(trace=trace)  # type: ignore[arg-type]
    sizes = pattern_sizes(many[:20], SYSTEMS["onscan"], replace(RECIPE, features=features))
    made = [len(trace_features(sample.ink, features).features) for sample in many[:20]]
    assert sizes[:, 1].tolist() == made
