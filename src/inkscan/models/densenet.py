"""DenseNet, one for both modalities: 1x3 kernels along a trace, 3x3 with bottlenecks over an image.

DenseNet-20 = stem + 5 blocks of 3 convolutions + 4 transitions. DenseNet-99 = stem + 3 blocks of 16 bottlenecks of
2 convolutions + 2 transitions. After every convolution and every BN-ReLU the padding is zeroed, so that an ink's
features do not depend on its neighbours in the batch.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inkscan.models.norm import MaskedBatchNorm
from inkscan.models.systems import ModelConfig

BOTTLENECK = 4  # a bottleneck's width in growth rates: 96 maps at growth 24


class NormReluConv(nn.Module):
    """BN - ReLU - convolution, zero at the padding before and after the convolution."""

    def __init__(self, channels: int, out: int, kernel: tuple[int, int]) -> None:
        super().__init__()
        self.norm = MaskedBatchNorm(channels)
        self.conv = nn.Conv2d(channels, out, kernel, padding=(kernel[0] // 2, kernel[1] // 2), bias=False)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.conv(F.relu(self.norm(x, mask)) * mask)
        # A 1x1 kernel brings nothing across the border of the padding.
        return x if self.conv.kernel_size == (1, 1) else x * mask


class DenseLayer(nn.Module):
    """Appends `growth` maps to its input, through a bottleneck or directly."""

    def __init__(
        self, channels: int, growth: int, kernel: tuple[int, int], *, bottleneck: bool, dropout: float
    ) -> None:
        super().__init__()
        width = BOTTLENECK * growth
        self.reduce = NormReluConv(channels, width, (1, 1)) if bottleneck else None
        self.grow = NormReluConv(width if bottleneck else channels, growth, kernel)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        new = x if self.reduce is None else self.reduce(x, mask)
        return torch.cat([x, self.dropout(self.grow(new, mask))], dim=1)


class Stage(nn.Module):
    """A dense block, the transition that follows it if any, and the pooling after that if any."""

    def __init__(
        self, layers: list[DenseLayer], transition: NormReluConv | None, pool: tuple[int, int] | None
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.transition = transition
        self.pool = pool

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        for layer in self.layers:
            x = layer(x, mask)
        if self.transition is not None:
            x = self.transition(x, mask)
        if self.pool is not None:
            x = F.avg_pool2d(x, self.pool)
            mask = subsample(mask, self.pool)
        return x, mask


class DenseNet(nn.Module):
    """Stem, stages and a last BN-ReLU; `channels` is the number of maps that come out."""

    def __init__(self, stem: nn.Conv2d, stages: list[Stage], channels: int, *, max_pool: bool) -> None:
        super().__init__()
        self.stem = stem
        self.stem_norm = MaskedBatchNorm(stem.out_channels) if max_pool else None
        self.stages = nn.ModuleList(stages)
        self.norm = MaskedBatchNorm(channels)
        self.channels = channels

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """x (B, c, H_in, W_in) and mask (B, 1, H_in, W_in) -> maps (B, channels, H, W) and their mask."""
        mask = subsample(mask, self.stem.stride)
        x = self.stem(x) * mask
        if self.stem_norm is not None:
            x = F.max_pool2d(
                F.relu(self.stem_norm(x, mask)) * mask, 2
            )  # ReLU is >= 0, so zero padding is neutral
            mask = subsample(mask, (2, 2))
        for stage in self.stages:
            x, mask = stage(x, mask)
        return F.relu(self.norm(x, mask)) * mask, mask


def subsample(mask: Tensor, stride: tuple[int, ...]) -> Tensor:
    """A cell is real if its first row and column are: real places always come first."""
    return mask[:, :, :: stride[0], :: stride[1]]


def online_densenet(config: ModelConfig) -> DenseNet:
    """DenseNet-20 at the paper's sizes: no bottlenecks, compression 1, 1x2 pooling after blocks 3 and 5."""
    channels = config.stem
    stages = []
    for block in range(1, config.online_blocks + 1):
        layers = []
        for _ in range(config.online_layers):
            layers.append(
                DenseLayer(channels, config.growth, (1, 3), bottleneck=False, dropout=config.dropout)
            )
            channels += config.growth
        last = block == config.online_blocks
        transition = None if last else NormReluConv(channels, channels, (1, 1))
        stages.append(Stage(layers, transition, pool=(1, 2) if block in (3, config.online_blocks) else None))
    stem = nn.Conv2d(8, config.stem, (1, 3), padding=(0, 1), bias=False)
    return DenseNet(stem, stages, channels, max_pool=False)


def offline_densenet(config: ModelConfig) -> DenseNet:
    """DenseNet-99 at the paper's sizes: bottlenecks, compression 0.5, stride 16."""
    channels = config.stem
    stages = []
    for block in range(1, 4):
        layers = []
        for _ in range(config.offline_layers):
            layers.append(
                DenseLayer(channels, config.growth, (3, 3), bottleneck=True, dropout=config.dropout)
            )
            channels += config.growth
        if block == 3:
            stages.append(Stage(layers, None, pool=None))
        else:
            stages.append(Stage(layers, NormReluConv(channels, channels // 2, (1, 1)), pool=(2, 2)))
            channels //= 2
    stem = nn.Conv2d(1, config.stem, 7, stride=2, padding=3, bias=False)
    return DenseNet(stem, stages, channels, max_pool=True)
