"""Batch normalisation of the real places alone."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class BatchNorm(nn.Module):
    """Batch normalisation of rows; one row alone is normalised by the running statistics."""

    def __init__(self, channels: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))

    running_mean: Tensor
    running_var: Tensor

    def forward(self, x: Tensor) -> Tensor:
        """x (P, C), one row a real place."""
        return F.batch_norm(
            x,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            training=self.training and len(x) > 1,
            momentum=self.momentum,
            eps=self.eps,
        )
