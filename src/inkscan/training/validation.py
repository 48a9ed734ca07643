"""Validation during a run: greedy decoding of the validation set, shared out over the processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from lightning_fabric import Fabric

from inkscan.data.sample import Sample
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.training.batches import feature_batch
from inkscan.training.greedy import decode_greedily

BATCH = 32


@dataclass(frozen=True)
class Validation:
    """How good the averaged weights are."""

    exp_rate: float  # token metric, greedy, in per cent


def validate(
    fabric: Fabric, model: Scan, samples: Sequence[Sample], settings: FeatureSettings, vocabulary: Vocabulary
) -> Validation:
    """Leaves the model in evaluation mode; every process gets the same rate."""
    model.eval()
    by_size = sorted(range(len(samples)), key=lambda i: (samples[i].ink.point_count, i))
    mine = by_size[fabric.global_rank :: fabric.world_size]
    exact = 0
    for start in range(0, len(mine), BATCH):
        chosen = [samples[i] for i in mine[start : start + BATCH]]
        batch = feature_batch([sample.ink for sample in chosen], model.system, settings)
        for sample, tokens in zip(chosen, decode_greedily(model, batch, vocabulary).tokens, strict=True):
            exact += tokens == sample.tokens
    total = fabric.all_reduce(torch.tensor(float(exact), device=fabric.device), reduce_op="sum")
    assert isinstance(total, torch.Tensor)
    return Validation(100.0 * float(total) / len(samples))
