"""DenseNet, one for both modalities: 1x3 kernels along a trace, 3x3 with bottlenecks over an image.

DenseNet-20 = stem + 5 blocks of 3 convolutions + 4 transitions. DenseNet-99 = stem + 3 blocks of 16 bottlenecks of
2 convolutions + 2 transitions. Between the convolutions there are only the real places of the grid, as rows of a
matrix: no norm, no 1x1 kernel and no nonlinearity ever meets padding, and an ink's features do not depend on its
neighbours in the batch.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inkscan.models.dropout import Dropout
from inkscan.models.norm import BatchNorm
from inkscan.models.places import Places
from inkscan.models.systems import ModelConfig

BOTTLENECK = 4  # a bottleneck's width in growth rates: 96 maps at growth 24


class NormReluConv(nn.Module):
    """BN - ReLU - convolution of the real places."""

    def __init__(self, channels: int, out: int, kernel: tuple[int, int]) -> None:
        super().__init__()
        self.norm = BatchNorm(channels)
        self.conv = nn.Conv2d(channels, out, kernel, padding=(kernel[0] // 2, kernel[1] // 2), bias=False)

    def forward(self, x: Tensor, places: Places) -> Tensor:
        """x (P, channels) -> (P, out)."""
        x = F.relu_(self.norm(x))
        if self.conv.kernel_size == (1, 1):
            return F.linear(x, self.conv.weight.flatten(1))
        return places.rows(self.conv(places.maps(x)))


class DenseLayer(nn.Module):
    """Appends `growth` maps to its input, through a bottleneck or directly."""

    def __init__(
        self, channels: int, growth: int, kernel: tuple[int, int], *, bottleneck: bool, dropout: float
    ) -> None:
        super().__init__()
        width = BOTTLENECK * growth
        self.reduce = NormReluConv(channels, width, (1, 1)) if bottleneck else None
        self.grow = NormReluConv(width if bottleneck else channels, growth, kernel)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, places: Places) -> Tensor:
        new = x if self.reduce is None else self.reduce(x, places)
        return torch.cat([x, self.dropout(self.grow(new, places))], dim=1)


class Stage(nn.Module):
    """A dense block, the transition that follows it if any, and the pooling after that if any."""

    def __init__(
        self, layers: list[DenseLayer], transition: NormReluConv | None, pool: tuple[int, int] | None
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.transition = transition
        self.pool = pool

    def forward(self, x: Tensor, places: Places) -> tuple[Tensor, Places]:
        for layer in self.layers:
            x = layer(x, places)
        if self.transition is not None:
            x = self.transition(x, places)
        if self.pool is not None:
            pooled = F.avg_pool2d(places.maps(x), self.pool)
            places = places.every(self.pool)
            x = places.rows(pooled)
        return x, places


class DenseNet(nn.Module):
    """Stem, stages and a last BN-ReLU; `channels` is the number of maps that come out."""

    def __init__(self, stem: nn.Conv2d, stages: list[Stage], channels: int, *, max_pool: bool) -> None:
        super().__init__()
        self.stem = stem
        self.stem_norm = BatchNorm(stem.out_channels) if max_pool else None
        self.stages = nn.ModuleList(stages)
        self.norm = BatchNorm(channels)
        self.channels = channels

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """x (B, c, H_in, W_in), mask (B, H_in, W_in) -> maps (B, channels, H, W), zero at padding, and their mask."""
        places = Places(mask).every(self.stem.stride)
        x = places.rows(self.stem(x))
        if self.stem_norm is not None:
            # ReLU is >= 0, so zero padding is neutral
            pooled = F.max_pool2d(places.maps(F.relu_(self.stem_norm(x))), 2)
            places = places.every((2, 2))
            x = places.rows(pooled)
        for stage in self.stages:
            x, places = stage(x, places)
        return places.maps(F.relu_(self.norm(x))), places.mask


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
