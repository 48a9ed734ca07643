"""Recipes: how a model is trained, as values; presets are Python, JSON is their only serial form."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from inkscan.errors import BadSetting
from inkscan.features import FeatureSettings
from inkscan.synthesis.distort import Distortion
from inkscan.synthesis.order import Orders
from inkscan.synthesis.pen_habits import FIRST_PENS, Pens

T = TypeVar("T")


def _origin(share: float) -> float:
    """A field that is the share of one origin of patterns."""
    return field(default=share, metadata={"kind": "origin"})


def _step(rate: float) -> float:
    """A field that is the rate of one step that changes patterns."""
    return field(default=rate, metadata={"kind": "step"})


@dataclass(frozen=True)
class Patterns:
    """What the training set is turned into at each epoch; rates are shares of the patterns."""

    distort: float = _step(0.9)
    exchange: float = _step(0.5)  # patterns whose symbols are partly redrawn from the corpus's own bank
    exchange_rate: float = 0.5  # symbols redrawn in such a pattern
    subexpression: float = _origin(0.2)  # expressions replaced by a part of themselves
    piece: float = _origin(0.05)  # expressions replaced by a few symbols of one row, often a single one
    lone: float = _origin(0.02)  # expressions replaced by one symbol alone, all labels of the banks alike
    recombine: float = _origin(0.3)  # expressions replaced by a newly composed one
    formula: float = 0.5  # composed ones that are formulas of the table of --formulas, if there is one
    extra: float = 0.5  # exchanges and composed ones written with the banks of --bank, if there are any
    rename: float = 0.5  # letters of a composed one replaced by others, rare ones too; signs less often
    accent: float = 0.0  # letters of a composed one with an accent or primes, if formulas have such
    pen: float = _step(0.25)  # patterns by a pen with another of the habits of `synthesis.pen_habits`
    pens: Pens = field(default_factory=Pens)
    reorder: float = _step(0.3)  # patterns written in another order
    orders: Orders = field(default_factory=Orders)
    distortion: Distortion = field(default_factory=Distortion)

    def __post_init__(self) -> None:
        rates = {name: rate for name, rate in vars(self).items() if isinstance(rate, int | float)}
        _check("patterns are shares, from 0 to 1", rates, lambda rate: 0 <= rate <= 1)
        origins = {name: rates[name] for name in rates_of("origin")}
        if sum(origins.values()) > 1 + 1e-9:
            named = ", ".join(f"{name}={rate}" for name, rate in origins.items())
            raise BadSetting(f"{named}: a pattern has one origin, so these sum to 1 at most")

    @property
    def in_reading_order(self) -> bool:
        """Whether some of them are written in reading order."""
        return self.reorder > 0 and self.orders.reading > 0


def rates_of(kind: Literal["origin", "step"]) -> list[str]:
    """The names of the rates of one kind; `training.patterns` has what they are rates of."""
    return [rate.name for rate in dataclasses.fields(Patterns) if rate.metadata.get("kind") == kind]


@dataclass(frozen=True)
class Recipe:
    """One training run, with its data and model sizes given elsewhere."""

    optimizer: Literal["adamw", "adadelta"] = "adamw"
    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    warmup_steps: int = 500
    cooldown: float = 0.3  # share of the run in which the learning rate falls to zero
    clip_norm: float = 5.0  # 0: none
    batch_size: int = 32  # over all processes
    max_points: int = 16_000  # of a batch after padding; longer inks come in smaller batches
    max_pixels: int = 2_000_000  # of a batch of images, likewise
    epochs: float = 40.0
    patience: int = 0  # validations without a better one before the run stops; 0: never
    guider: float = 0.2  # lambda of Eq. (25)
    guided: Literal["all", "strokes"] = (
        "all"  # attentions that the guider trains: over points and pixels too, or not
    )
    # What Eq. (25) is divided by: tokens, so that long expressions weigh more, or expressions, as the paper's optimiser
    # needs it, whose eps and clip are made for sums over tokens.
    mean_over: Literal["tokens", "expressions"] = "tokens"
    label_smoothing: float = 0.05
    trust: float = 0.5  # in what the models of --teacher expect, if there are any; the rest is in the truth
    ema: float = 0.999  # 0: none
    validate_every: float = 1.0  # whole epochs
    checkpoint_seconds: float = 240.0
    window: int = 0  # samples held at a time, by whole row groups of the corpus; 0: all
    seed: int = 1
    features: FeatureSettings = field(default_factory=lambda: FeatureSettings(trace="even"))
    patterns: Patterns = field(default_factory=Patterns)

    def __post_init__(self) -> None:
        sizes = {
            name: getattr(self, name) for name in ("batch_size", "epochs", "learning_rate", "validate_every")
        }
        _check("these are above 0", sizes, lambda size: size > 0)
        every = {"validate_every": self.validate_every}
        _check(
            "whole epochs, for it is between them that a run is validated",
            every,
            lambda count: count % 1 == 0,
        )
        seed = {"seed": self.seed}
        _check("a seed is from 0 to 2^63 - 1", seed, lambda number: 0 <= number < 2**63)
        shares = {name: getattr(self, name) for name in ("ema", "cooldown", "label_smoothing", "trust")}
        _check("these are shares, from 0 to below 1", shares, lambda share: 0 <= share < 1)


def _check(rule: str, values: Mapping[str, float], allowed: Callable[[float], bool]) -> None:
    wrong = [f"{name}={value}" for name, value in values.items() if not allowed(value)]
    if wrong:
        raise BadSetting(f"{', '.join(wrong)}: {rule}")


def _check_whole_epochs(what: str, epochs: float) -> None:
    _check(f"{what} is trained for whole epochs", {"epochs": epochs}, lambda count: count % 1 == 0)


_UNCHANGED: dict[str, Any] = dict.fromkeys((*rates_of("origin"), *rates_of("step")), 0.0)
NO_PATTERNS = Patterns(**_UNCHANGED, rename=0.0)

RECIPES: dict[str, Recipe] = {
    "fast": Recipe(),
    "paper": Recipe(
        optimizer="adadelta",
        learning_rate=1.0,
        weight_decay=1e-5,
        warmup_steps=0,
        cooldown=0.0,
        clip_norm=100.0,
        batch_size=8,
        epochs=1000.0,
        patience=15,
        mean_over="expressions",
        label_smoothing=0.0,
        ema=0.0,
        features=FeatureSettings(trace="tap", whole_height=True, max_image_side=2200),
        patterns=NO_PATTERNS,
    ),
}

# Neither the order of strokes nor their direction is seen by a classifier.
CLASSIFIER_PATTERNS = Patterns(
    subexpression=0.12,
    lone=0.06,
    recombine=0.4,
    rename=0.6,
    formula=0.6,
    extra=0.6,
    reorder=0.0,
    accent=0.05,
    distortion=Distortion(symbol_warp=0.05),
)


@dataclass(frozen=True)
class ClassifierRecipe:
    """One training run of a classifier of single symbols; each setting means what it means in a Recipe."""

    learning_rate: float = 2e-3
    weight_decay: float = 0.03
    warmup_steps: int = 200
    cooldown: float = 0.7
    batch_size: int = 128  # of symbols
    epochs: float = 24.0
    label_smoothing: float = 0.02
    ema: float = 0.9995
    seed: int = 1
    patterns: Patterns = CLASSIFIER_PATTERNS

    def __post_init__(self) -> None:
        self.as_recipe()  # whose rules hold for these, too
        _check_whole_epochs("a classifier", self.epochs)

    def as_recipe(self) -> Recipe:
        """For what all trainings share: patterns and the learning rate."""
        return Recipe(**vars(self))


@dataclass(frozen=True)
class LanguageRecipe:
    """One training run of a language model; each setting means what it means in a Recipe."""

    learning_rate: float = 2e-3
    weight_decay: float = 1e-2
    warmup_steps: int = 200
    cooldown: float = 0.95
    clip_norm: float = 1.0
    batch_size: int = 96  # of formulas
    epochs: float = 6.0
    corpus_times: int = 2  # that an epoch goes through the training corpus's truths
    seed: int = 1

    def __post_init__(self) -> None:
        self.as_recipe()
        _check_whole_epochs("a language model", self.epochs)

    def as_recipe(self) -> Recipe:
        """For what all trainings share: the learning rate."""
        return Recipe(**{name: value for name, value in vars(self).items() if name != "corpus_times"})


def recipe_named(name: str) -> Recipe:
    if name not in RECIPES:
        raise BadSetting(f"no recipe {name!r}; there are {', '.join(RECIPES)}")
    return RECIPES[name]


def with_settings(config: T, settings: Sequence[str]) -> T:
    """Override fields by `a.b=value`, all at once; an unknown key names its nearest neighbours."""
    values: dict[str, str] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise BadSetting(f"{setting!r} is not of the form key=value")
        values[key] = text
    return _replaced(config, values, "")


def _replaced(config: T, values: Mapping[str, str], within: str) -> T:
    """The config with values by key; `within` is the group of settings that it is itself."""
    names = [f.name for f in dataclasses.fields(config)] if dataclasses.is_dataclass(config) else []
    changes: dict[str, Any] = {}
    groups: dict[str, dict[str, str]] = {}
    for key, text in values.items():
        name, dot, rest = key.partition(".")
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names) or 'none'}"
            raise BadSetting(f"no setting {within + key!r}: {hint}")
        if dot:
            groups.setdefault(name, {})[rest] = text
        else:
            choices = get_args(get_type_hints(type(config))[name])
            if choices and text not in choices:
                raise BadSetting(f"{within}{key}={text}: expected {' or '.join(choices)}")
            changes[name] = _converted(getattr(config, name), text, within + key)
    for name, group in groups.items():
        changes[name] = _replaced(getattr(config, name), group, f"{within}{name}.")
    return dataclasses.replace(config, **changes)  # type: ignore[type-var]


def _converted(old: Any, text: str, key: str) -> Any:
    if isinstance(old, str):
        return text
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        value = None
    wanted = (int, float) if isinstance(old, float) else (type(old),)
    if not isinstance(value, wanted) or isinstance(value, bool) != isinstance(old, bool):
        raise BadSetting(
            f"{key}={text}: expected a value like {json.dumps(old)}"
            if not dataclasses.is_dataclass(old)
            else f"{key} is a group of settings; set one of its fields, such as {key}.{dataclasses.fields(old)[0].name}"
        )
    if not 0 <= value < math.inf:
        raise BadSetting(f"{key}={text}: expected a number that is neither negative nor endless")
    return type(old)(value)


def to_plain(config: Any) -> dict[str, Any]:
    """A config as JSON values."""
    return dataclasses.asdict(config)


def recipe_from_plain(values: dict[str, Any]) -> Recipe:
    """The inverse of `to_plain` for a Recipe; one from before there was an origin, a step or formulas had none."""
    patterns = {**_UNCHANGED, "formula": 0.0, **values["patterns"]}
    patterns["distortion"] = Distortion(**patterns["distortion"])
    patterns["pens"] = Pens(**patterns["pens"]) if "pens" in patterns else FIRST_PENS
    patterns["orders"] = Orders(**patterns.get("orders", {}))
    return Recipe(
        **{**values, "features": FeatureSettings(**values["features"]), "patterns": Patterns(**patterns)}
    )
