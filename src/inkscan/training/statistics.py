"""Statistics of batch norms, measured anew for weights that no step of training ever had: those of a mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from inkscan.data.corpus import Corpus
from inkscan.data.sample import Sample
from inkscan.models.norm import BatchNorm
from inkscan.models.scan import Scan
from inkscan.training.batches import feature_batch
from inkscan.training.checkpoint import Checkpoint
from inkscan.training.plan import plan_batches
from inkscan.training.recipes import Recipe

BATCHES = 150


def with_statistics(checkpoint: Checkpoint, corpus: Corpus) -> Checkpoint:
    """The checkpoint's weights with statistics measured on a corpus, stored as they were."""
    model = checkpoint.model()
    measure_statistics(model, corpus, checkpoint.recipe)
    before = checkpoint.weights()
    tensors = {f"model.{name}": value.to(before[name].dtype) for name, value in model.state_dict().items()}
    record = {"split": corpus.metadata.split, "fingerprint": corpus.metadata.fingerprint}
    return replace(
        checkpoint, tensors=tensors, provenance={**checkpoint.provenance, "norms_measured_on": record}
    )


@torch.no_grad()
def measure_statistics(model: Scan, samples: Sequence[Sample], recipe: Recipe) -> None:
    """Give every norm the mean of its statistics over batches drawn from the samples, as training would draw them."""
    norms = [module for module in model.modules() if isinstance(module, BatchNorm)]
    usual = [norm.momentum for norm in norms]
    count = min(len(samples), BATCHES * recipe.batch_size)
    places = np.random.default_rng(recipe.seed).permutation(len(samples))[:count].tolist()
    chosen = [samples[place] for place in places]
    model.train()
    for number, batch in enumerate(plan_batches(chosen, model.system, recipe, epoch=0)):
        for norm in norms:
            norm.momentum = 1 / (number + 1)  # a running mean of all batches so far
        inks = [chosen[place].ink for place in batch]
        model.encode(feature_batch(inks, model.system, recipe.features))
    model.eval()
    for norm, momentum in zip(norms, usual, strict=True):
        norm.momentum = momentum
