"""Teachers: trained models whose expectations a run learns, beside the truth.

A teacher says of every token how likely each symbol is, which tells more than the one that is right: that a 9 might
be a g, but no x. It may be slower than what learns from it, see images as well, or be several models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from inkscan.data.sample import Sample
from inkscan.errors import BadSetting
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import TensorBatch
from inkscan.models.systems import System
from inkscan.training.batches import feature_batch
from inkscan.training.checkpoint import Named, load_named


@dataclass(frozen=True)
class Sight:
    """How a teacher sees ink."""

    system: System
    features: FeatureSettings

    def of(self, samples: Sequence[Sample]) -> TensorBatch:
        return feature_batch([sample.ink for sample in samples], self.system, self.features)


class Teachers:
    """The models that a run learns from; with none of them it learns from the truth alone."""

    def __init__(self, checkpoints: Sequence[Named] = ()) -> None:
        self.checkpoints = tuple(checkpoints)
        self._models = [checkpoint.model().requires_grad_(False) for _, checkpoint in self.checkpoints]
        self.sights = tuple(
            Sight(model.system, checkpoint.recipe.features)
            for model, (_, checkpoint) in zip(self._models, self.checkpoints, strict=True)
        )

    @classmethod
    def read(cls, paths: Sequence[Path], vocabulary: Vocabulary) -> Teachers:
        """Models that know the symbols of the run, and no others, in the same places."""
        read = load_named(paths)
        for name, checkpoint in read:
            if checkpoint.vocabulary != vocabulary:
                raise BadSetting(
                    f"the teacher {name} has another alphabet than the run ({len(checkpoint.vocabulary)} symbols, "
                    f"not {len(vocabulary)}); see --alphabet and --add-symbols"
                )
        return cls(read)

    def __len__(self) -> int:
        return len(self._models)

    def to(self, device: torch.device) -> None:
        for model in self._models:
            model.to(device)

    @torch.no_grad()
    def expect(self, seen: Sequence[TensorBatch], tokens: Tensor) -> Tensor | None:
        """The mean of what they expect in the place of each token, (B, C, K); None if there are none."""
        if not self._models:
            return None
        expected = [
            model(batch.to(tokens.device), tokens).logits.float().softmax(-1)
            for model, batch in zip(self._models, seen, strict=True)
        ]
        return torch.stack(expected).mean(0)
