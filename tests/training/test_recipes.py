"""Recipes: settings from the command line and the JSON form."""

from __future__ import annotations

import json

import pytest

from inkscan.errors import BadSetting
from inkscan.training.recipes import (
    RECIPES,
    ClassifierRecipe,
    Recipe,
    recipe_from_plain,
    recipe_named,
    to_plain,
    with_settings,
)
from inkscan.training.schedule import learning_rate


def test_settings_override_nested_fields() -> None:
    recipe = with_settings(Recipe(), ["epochs=7", "patterns.exchange=0.1", "features.trace=tap"])
    assert (recipe.epochs, recipe.patterns.exchange, recipe.features.trace) == (7.0, 0.1, "tap")


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("epoch=3", "epochs"),
        ("epochs=many", "like"),
        ("epochs", "key=value"),
        ("patterns=1", "patterns.distort"),
        ("patterns.exchnge=1", "exchange"),
        ("batch_size=true", "like"),
        ("batch_size=0", "above 0"),
        ("epochs=-1", "negative"),
        ("epochs=1e400", "endless"),
        ("learning_rate=NaN", "endless"),
        ("ema=1", "below 1"),
        ("patterns.distort=5", "0 to 1"),
        ("optimizer=sgd", "adamw or adadelta"),
        ("features.trace=foo", "tap or even"),
    ],
)
def test_a_wrong_setting_says_what_to_do(setting: str, hint: str) -> None:
    with pytest.raises(BadSetting, match=hint):
        with_settings(Recipe(), [setting])


OF_CLASSIFIERS = ("optimizer=adadelta", "clip_norm=1", "max_points=9", "max_pixels=9", "patience=1", "guider=0",
                  "guided=all", "mean_over=tokens", "trust=0", "validate_every=1", "checkpoint_seconds=1", "window=1",
                  "features.pen=1")  # fmt: skip


@pytest.mark.parametrize("setting", OF_CLASSIFIERS)
def test_a_classifier_has_no_settings_without_an_effect(setting: str) -> None:
    with_settings(Recipe(), [setting])
    with pytest.raises(BadSetting, match="no setting"):
        with_settings(ClassifierRecipe(), [setting])


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("epochs=0.5", "whole epochs"),
        ("batch_size=0", "above 0"),
        ("ema=1", "below 1"),
        ("patterns.distort=5", "0 to 1"),
        ("seed=9223372036854775808", "a seed"),
    ],
)
def test_settings_of_a_classifier_keep_the_same_rules(setting: str, hint: str) -> None:
    with pytest.raises(BadSetting, match=hint):
        with_settings(ClassifierRecipe(), [setting])


def test_a_classifier_is_warmed_up_and_cooled_down_by_its_own_settings() -> None:
    settings = [
        "learning_rate=1",
        "warmup_steps=10",
        "epochs=10",
        "cooldown=0.5",
        "seed=7",
        "patterns.lone=0.1",
    ]
    recipe = with_settings(ClassifierRecipe(), settings)
    assert learning_rate(recipe.as_recipe(), 0, 0.0) == pytest.approx(0.1)
    assert learning_rate(recipe.as_recipe(), 200, 7.5) == pytest.approx(0.5)
    assert (recipe.as_recipe().seed, recipe.as_recipe().patterns) == (7, recipe.patterns)


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_survive_json(name: str) -> None:
    recipe = recipe_named(name)
    assert recipe_from_plain(json.loads(json.dumps(to_plain(recipe)))) == recipe


def test_a_recipe_from_before_a_step_did_without_it() -> None:
    plain = to_plain(Recipe())
    for name in ("lone", "pen", "reorder", "formula", "orders"):
        del plain["patterns"][name]
    patterns = recipe_from_plain(plain).patterns
    assert (patterns.lone, patterns.pen, patterns.reorder, patterns.formula) == (0, 0, 0, 0)
    assert patterns.exchange == Recipe().patterns.exchange


def test_the_rate_warms_up_stays_and_cools_down() -> None:
    recipe = Recipe(learning_rate=1.0, warmup_steps=10, epochs=10.0, cooldown=0.5)
    assert learning_rate(recipe, 0, 0.0) == pytest.approx(0.1)
    assert learning_rate(recipe, 100, 5.0) == 1.0
    assert learning_rate(recipe, 200, 7.5) == pytest.approx(0.5)
    assert learning_rate(recipe, 300, 10.0) == 0.0
