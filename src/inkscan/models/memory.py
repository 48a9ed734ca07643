"""Memory: the feature vectors that an attention looks at, and stroke pooling, which makes them."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Memory(NamedTuple):
    """Feature vectors on a grid: 1 x L points, 1 x M strokes or H x W pixels."""

    features: Tensor  # (B, H, W, D), zero where not real
    mask: Tensor  # (B, H, W) bool


def stroke_shares(pmask: Tensor) -> Tensor:
    """pmask (B, M, T) with each real stroke's row summing to one; a padded stroke's stays zero."""
    return pmask / pmask.sum(dim=2, keepdim=True).clamp_min(torch.finfo(pmask.dtype).tiny)


def stroke_pool(pmask: Tensor, features: Tensor, stroke_mask: Tensor) -> Memory:
    """Eqs. (4) and (5): each stroke is the mean of the features under it, weighted by its pooled mask.

    pmask (B, M, T) >= 0, features (B, T, D), stroke_mask (B, M). A padded stroke has a zero row and a zero vector.
    """
    s = torch.bmm(stroke_shares(pmask), features)  # (B, M, D)   Eqs. (4) (5)
    return Memory(s[:, None], stroke_mask[:, None])


def mean_features(memory: Memory) -> Tensor:
    """The mean over the real places, (B, D)."""
    count = memory.mask.sum(dim=(1, 2))
    return memory.features.sum(dim=(1, 2)) / count[:, None]
