"""The objective of Eq. (25): cross entropy of the tokens plus the attention guider."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from inkscan.models.memory import stroke_shares
from inkscan.models.scan import Decoded, TensorBatch
from inkscan.models.systems import System, View
from inkscan.training.batches import TrainingBatch


class Loss(NamedTuple):
    """Means over the tokens of a batch; `total` is what is minimised."""

    total: Tensor
    cross_entropy: Tensor
    guider: Tensor


def objective(
    decoded: Decoded,
    batch: TrainingBatch,
    system: System,
    *,
    guider: float,
    smoothing: float,
    guided: str = "all",
    count: float | None = None,
    expected: Tensor | None = None,
    trust: float = 0.0,
) -> Loss:
    """Eq. (25) divided by a number of tokens, the batch's own unless given: its size shall not depend on lengths.

    Where teachers expect something, (B, C, K), that is the target beside the truth, by a share of `trust`.
    """
    count = count or float(batch.token_mask.sum())
    targets = batch.tokens.masked_fill(~batch.token_mask, -100)
    logits = decoded.logits.flatten(0, 1)
    smoothed = F.cross_entropy(logits, targets.flatten(), label_smoothing=smoothing, reduction="sum") / count
    with torch.no_grad():
        plain = F.cross_entropy(logits, targets.flatten(), reduction="sum") / count if smoothing else smoothed
    wanted = smoothed
    if expected is not None:
        wanted = (1 - trust) * smoothed + trust * _missed(decoded.logits, expected, batch.token_mask) / count
    G = torch.stack(
        [
            guide(alpha, target)
            for alpha, target in zip(decoded.alphas, oracle_maps(batch, system, guided), strict=True)
            if target is not None
        ]
        or [decoded.logits.new_zeros(())]
    ).sum()  # Eqs. (14) (20)
    G = G / count
    return Loss(wanted + guider * G, plain, G)


def _missed(logits: Tensor, expected: Tensor, token_mask: Tensor) -> Tensor:
    """Cross entropy with what teachers expect, summed over the real tokens."""
    missed = -(expected * logits.float().log_softmax(-1)).sum(-1)  # (B, C)
    return missed.masked_fill(~token_mask, 0.0).sum()


def guide(alpha: Tensor, gamma: Tensor) -> Tensor:
    """Eq. (14) summed over a batch; rows of gamma without strokes add nothing."""
    return -(gamma * alpha.clamp_min(1e-8).log()).sum()


def oracle_maps(batch: TrainingBatch, system: System, guided: str = "all") -> list[Tensor | None]:
    """gamma for each attention of a system: over strokes as it is, over points and pixels through stroke masks.

    With `guided` "strokes" these others have none: the paper speaks of its guider over strokes only.
    """
    return [_oracle_map(batch, view) if view.strokes or guided == "all" else None for view in system.attended]


def _oracle_map(batch: TrainingBatch, view: View) -> Tensor:
    return batch.gamma if view.strokes else batch.gamma @ _shares(batch.features, online=view.online)


def _shares(features: TensorBatch, *, online: bool) -> Tensor:
    """Each stroke's mass spread over points or pixels, (B, M, T)."""
    pmask = features.pmask_on if online else features.pmask_off
    assert pmask is not None
    return stroke_shares(pmask.flatten(2))
