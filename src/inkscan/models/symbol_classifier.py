"""A classifier of single symbols: two small convolutional towers over `features.symbol_pictures`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from inkscan.features.symbol_pictures import CHANNELS, MEASURES, SIDE

WIDTHS = (24, 48, 96)  # maps of a tower's levels
NEAR, AROUND = 256, 96  # features of the symbol itself, and of where it stands
HIDDEN = 256
DROPOUT = 0.2
HALF = CHANNELS // 2


class Tower(nn.Sequential):
    """One picture: each level halves it, and the last is read as a whole."""

    def __init__(self, features: int) -> None:
        first, second, third = WIDTHS
        left = SIDE // 2**3
        super().__init__(
            *_convolution(HALF, first),
            nn.MaxPool2d(2),
            *_convolution(first, second),
            *_convolution(second, second),
            nn.MaxPool2d(2),
            *_convolution(second, third),
            *_convolution(third, third),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(third * left * left, features),
            nn.ReLU(),
        )


def _convolution(maps: int, more: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(maps, more, 3, padding=1, bias=False), nn.BatchNorm2d(more), nn.ReLU()


class SymbolClassifier(nn.Module):
    """Scores of each class: the symbols of a vocabulary, and none."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.near = Tower(NEAR)
        self.around = Tower(AROUND)
        self.head = nn.Sequential(
            nn.Dropout(DROPOUT),
            nn.Linear(NEAR + AROUND + MEASURES, HIDDEN),
            nn.ReLU(),
            nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, classes),
        )

    def forward(self, images: Tensor, measures: Tensor) -> Tensor:
        seen = [self.near(images[:, :HALF]), self.around(images[:, HALF:]), measures]
        scores: Tensor = self.head(torch.cat(seen, dim=1))
        return scores
