"""Batch normalisation that does not see padding."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class MaskedBatchNorm(nn.Module):
    """BatchNorm2d whose training statistics are taken over the real places only.

    Expects zeros at the padding. `forward` leaves the affine image of zero there; the caller masks it.
    """

    def __init__(self, channels: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))

    running_mean: Tensor
    running_var: Tensor

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x (B, C, H, W) with zeros where mask (B, 1, H, W), of 0. and 1., is 0."""
        if self.training:
            count = mask.sum()
            mean = x.sum(dim=(0, 2, 3)) / count
            # E[x^2] - mean^2 loses nothing here: activations are of the order of one.
            var = (x.square().sum(dim=(0, 2, 3)) / count - mean.square()).clamp_min(0.0)
            with torch.no_grad():
                unbiased = var * (count / (count - 1).clamp_min(1.0))
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(unbiased, self.momentum)
        else:
            mean, var = self.running_mean, self.running_var
        scale = self.weight * torch.rsqrt(var + self.eps)
        shift = self.bias - mean * scale
        return torch.addcmul(shift[:, None, None], x, scale[:, None, None])
