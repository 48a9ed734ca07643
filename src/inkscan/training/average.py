"""The mean of several checkpoints: one model whose weights are half-way between runs that share a beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from inkscan.errors import BadCheckpoint
from inkscan.training.checkpoint import Checkpoint, load_checkpoint
from inkscan.training.extra import inherited
from inkscan.training.provenance import source_of, was_selected_on_test, without_repeats


def average_checkpoints(paths: Sequence[Path], *, half: bool = False) -> Checkpoint:
    """Weights and statistics averaged, nothing to resume with; all else is the first one's."""
    checkpoints = [load_checkpoint(path) for path in paths]
    first, parts = checkpoints[0], [checkpoint.weights() for checkpoint in checkpoints]
    for path, checkpoint in zip(paths[1:], checkpoints[1:], strict=True):
        if not checkpoint.config.reads_like(first.config) or checkpoint.vocabulary != first.vocabulary:
            raise BadCheckpoint(
                f"{path} has other sizes or symbols than {paths[0]}: only like models have a mean"
            )
        if checkpoint.recipe.features != first.recipe.features:
            raise BadCheckpoint(f"{path} was trained on other features than {paths[0]}")
    tensors = {}
    for name, value in parts[0].items():
        if value.is_floating_point():
            mean = torch.stack([part[name].float() for part in parts]).mean(dim=0)
            value = mean.half() if half else mean
        tensors[f"model.{name}"] = value
    return replace(first, tensors=tensors, provenance=_provenance(paths, checkpoints))


def _provenance(paths: Sequence[Path], checkpoints: Sequence[Checkpoint]) -> dict[str, Any]:
    """The first one's, with every source, and how often it counts; a bank that any of them was trained with is named.

    One alone, stored anew, has come from nowhere else.
    """
    provenance = dict(checkpoints[0].provenance)
    if len(checkpoints) == 1:
        return without_repeats(provenance)
    times = Counter(paths)
    sources = {
        path: source_of(path.name, checkpoint) | ({"times": times[path]} if times[path] > 1 else {})
        for path, checkpoint in zip(paths, checkpoints, strict=True)
    }
    for told_above in ("train", "init"):
        sources[paths[0]].pop(told_above, None)
    provenance["mean_of"] = list(sources.values())
    provenance |= inherited(*(checkpoint.provenance for checkpoint in checkpoints))
    provenance["selected_on_test"] = any(was_selected_on_test(c.provenance) for c in checkpoints)
    return without_repeats(provenance)
