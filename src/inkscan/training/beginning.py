"""Beginning: the checkpoints that a new run takes weights from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from inkscan.errors import BadSetting
from inkscan.features import FeatureSettings
from inkscan.features.settings import OFFLINE_SETTINGS, ONLINE_SETTINGS
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.models.systems import ModelConfig, system_named
from inkscan.training.checkpoint import Checkpoint, Named, load_named
from inkscan.training.extend import extended_checkpoint, extended_weights
from inkscan.training.recipes import Recipe, recipe_named
from inkscan.training.start import Start, Trained, start_from


@dataclass(frozen=True)
class Beginning:
    """Models to begin from, and others of which nothing but their encoders is taken."""

    inits: tuple[Named, ...] = ()
    encoders: tuple[Named, ...] = ()

    @classmethod
    def read(
        cls, inits: Sequence[Path], encoders: Sequence[Path], add_symbols: Sequence[str], recipe: str
    ) -> Beginning:
        """The checkpoints, with new symbols where they are asked for."""
        read = load_named(inits)
        if add_symbols:
            if len(read) != 1:
                raise BadSetting("--add-symbols extends a trained model: name its one checkpoint with --init")
            ((name, one),) = read
            read = ((name, extended_checkpoint(one, add_symbols, recipe_named(recipe))),)
        return cls(read, load_named(encoders))

    @property
    def sources(self) -> tuple[Named, ...]:
        return (*self.inits, *self.encoders)

    def complaints(self, config: ModelConfig, features: FeatureSettings) -> list[str]:
        """A sentence for each model that has learnt from other features of ink than the new one gets."""
        system = system_named(config.system)
        found = []
        for name, one in self.sources:
            its = system_named(one.config.system)
            names = [
                *(ONLINE_SETTINGS if system.online and its.online else ()),
                *(OFFLINE_SETTINGS if system.offline and its.offline else ()),
            ]
            before = {key: getattr(one.recipe.features, key) for key in names}
            if other := [
                f"features.{key}={value}" for key, value in before.items() if value != getattr(features, key)
            ]:
                found.append(f"{name} has learnt with {' '.join(other)}: keep that with --set")
        return found

    def start(self, config: ModelConfig, recipe: Recipe, vocabulary: Vocabulary) -> Start | None:
        """Trained weights in the places of a new model, whose other weights are drawn as the recipe says."""
        if not self.sources:
            return None
        torch.manual_seed(recipe.seed)
        models = ([_trained(*one, vocabulary) for one in group] for group in (self.inits, self.encoders))
        return start_from(Scan(config), *models)


def _trained(name: str, one: Checkpoint, vocabulary: Vocabulary) -> Trained:
    weights = extended_weights(one.weights(), one.vocabulary, vocabulary)
    return Trained(name, system_named(one.config.system), weights)
