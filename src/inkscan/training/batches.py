"""Samples as one batch of tensors: features, target tokens and the oracle attention map gamma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from inkscan.data.sample import Sample
from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import TensorBatch
from inkscan.models.systems import System


class TrainingBatch(NamedTuple):
    features: TensorBatch
    tokens: Tensor  # (B, C), the end token last, then padding
    token_mask: Tensor  # (B, C) bool
    gamma: Tensor  # (B, C, M), all-zero rows for tokens without strokes

    def to(self, device: torch.device) -> TrainingBatch:
        """The same on a device."""
        return TrainingBatch(*(part.to(device) for part in self))  # type: ignore[arg-type]


def feature_batch(inks: Sequence[Ink], system: System, settings: FeatureSettings) -> TensorBatch:
    """The features that a system takes of some inks."""
    features = [ink_features(ink, settings, online=system.online, offline=system.offline) for ink in inks]
    return TensorBatch.of(pad_batch(features))


def training_batch(
    samples: Sequence[Sample], system: System, settings: FeatureSettings, vocabulary: Vocabulary
) -> TrainingBatch:
    features = feature_batch([sample.ink for sample in samples], system, settings)
    targets = [(*vocabulary.encode(sample.tokens), vocabulary.end) for sample in samples]
    C = max(len(target) for target in targets)
    tokens = np.full((len(samples), C), vocabulary.end, dtype=np.int64)
    gamma = np.zeros((len(samples), C, features.stroke_mask.shape[1]), dtype=np.float32)
    for i, (sample, target) in enumerate(zip(samples, targets, strict=True)):
        tokens[i, : len(target)] = target
        for t, strokes in enumerate(sample.alignment):
            if strokes:
                gamma[i, t, list(strokes)] = 1.0 / len(strokes)
    token_mask = np.arange(C) < np.array([[len(target)] for target in targets])
    return TrainingBatch(
        features, torch.from_numpy(tokens), torch.from_numpy(token_mask), torch.from_numpy(gamma)
    )
