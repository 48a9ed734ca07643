"""Marks: a letter for everything in which a measured model is not the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from inkscan.data.ancestry import corpora_of, lineage
from inkscan.models.systems import ModelConfig
from inkscan.runtime.models import ModelInfo
from inkscan.runtime.search import SearchSettings
from inkscan.training.recipes import recipe_named, to_plain
from research.paper import TRAINING_SET

MARKS: dict[str, str] = {
    "a": "ancestry: began from the weights of other runs",
    "c": "stroke context, self-attention among strokes",
    "d": "other sizes than the paper's network (depth, width or kernels)",
    "f": "other features of points or pixels than the released ones",
    "g": "generated or distorted patterns in training",
    "i": "other images: the average stroke is not 28 pixels high, or the pen not 3 wide",
    "j": "answers judged: letters in both cases count against them",
    "l": "scores divided by a power of the length",
    "m": "the mean of several runs' weights",
    "r": "another recipe: optimiser, batches, dropout, averaging or selection",
    "t": "selected on a test set",
    "u": "trained in a way that the model does not record",
    "x": "extra data, itself or in what it comes from: other than the paper's training set, or a model that taught it",
}
_EXTRA = ("bank", "init_bank", "formulas", "init_formulas", "teachers")
_NEITHER_SIZE = {"system", "vocabulary_size", "dropout", "hide_online", "context_layers", "context_heads"}
_ONLINE_SIZES = {"online_blocks", "online_layers", "gru_layers", "gru_units"}
_OFFLINE_SIZES = {"offline_layers", "pixel_kernel"}
_SAME_AT_ANY_RECIPE = {"features", "patterns", "seed", "checkpoint_seconds", "window", "epochs"}


def marks_of(info: ModelInfo, search: SearchSettings, *, extra_data: bool = False) -> str:
    """The letters of a model and of the search by which it was measured, in order."""
    paper = to_plain(recipe_named("paper"))
    recipe = info.provenance.get("recipe")
    features, wanted = asdict(info.features), paper["features"]
    found = {
        "a": _has_ancestors(info.provenance),
        "c": bool(info.sizes.get("context_layers")),
        "d": _other_sizes(info),
        "f": (info.online and _differ(features, wanted, ("trace", "thinning")))
        or (info.offline and _differ(features, wanted, ("whole_height", "max_image_side"))),
        "g": recipe is not None and recipe.get("patterns") != paper["patterns"],
        "i": info.offline and _differ(features, wanted, ("image_height", "pen")),
        "j": search.both_cases != 0,
        "l": search.length_power != 0,
        "m": len(info.provenance.get("mean_of", ())) > 1,
        "r": recipe is not None and _other_recipe(recipe, paper, info),
        "t": bool(info.provenance.get("selected_on_test")),
        "u": recipe is None,
        "x": extra_data or _extra_data(info.provenance),
    }
    return "".join(letter for letter, holds in found.items() if holds)


def _has_ancestors(provenance: Mapping[str, Any]) -> bool:
    """Whether its run, or one of those that it is the mean of, began from weights."""
    begun = "init" in provenance or "--init" in str(provenance.get("command", "")).split()
    return begun or any(map(_has_ancestors, provenance.get("mean_of", ())))


def _extra_data(provenance: Mapping[str, Any]) -> bool:
    """Whether it, or anything that it comes from, has learnt from more than the paper's systems."""
    more = any(record.get(key) for record in lineage(provenance) for key in _EXTRA)
    return more or any(one.get("fingerprint") != TRAINING_SET for one in corpora_of(provenance))


def _other_sizes(info: ModelInfo) -> bool:
    paper = asdict(ModelConfig(info.system, len(info.vocabulary)))
    left_out = set(_NEITHER_SIZE)
    left_out |= set() if info.online else _ONLINE_SIZES
    left_out |= set() if info.offline else _OFFLINE_SIZES
    left_out |= set() if info.online and info.offline else {"D"}
    return _differ(info.sizes, paper, paper.keys() - left_out)


def _other_recipe(recipe: Mapping[str, Any], paper: Mapping[str, Any], info: ModelInfo) -> bool:
    dropout = ModelConfig(info.system, len(info.vocabulary)).dropout
    trained_otherwise = info.sizes.get("dropout") != dropout or bool(info.sizes.get("hide_online"))
    return trained_otherwise or _differ(recipe, paper, paper.keys() - _SAME_AT_ANY_RECIPE)


def _differ(found: Mapping[str, Any], wanted: Mapping[str, Any], names: Any) -> bool:
    return any(found.get(name, wanted[name]) != wanted[name] for name in names)
