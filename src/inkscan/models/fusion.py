"""Fusion in the encoder: the memories of two views of the same strokes become one before the decoder sees them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import torch
from torch import nn

from inkscan.models.memory import Memory
from inkscan.models.systems import Fusion, ModelConfig


class Join(nn.Module, ABC):
    """Makes one memory of several; `D` is the size of its features."""

    D: int

    @abstractmethod
    def columns(self, view: int) -> slice:
        """Where among its features those of a view are."""

    @abstractmethod
    def forward(self, memories: Sequence[Memory]) -> Memory: ...


class SideBySide(Join):
    """The features of a stroke one after the other   Eq. (21)."""

    def __init__(self, Ds: Sequence[int], config: ModelConfig) -> None:
        super().__init__()
        self.Ds = tuple(Ds)
        self.D = sum(Ds)

    def columns(self, view: int) -> slice:
        begin = sum(self.Ds[:view])
        return slice(begin, begin + self.Ds[view])

    def forward(self, memories: Sequence[Memory]) -> Memory:
        s_mm = torch.cat([memory.features for memory in memories], dim=-1)  # (B, 1, M, 2D)   Eq. (21)
        return Memory(s_mm, memories[0].mask)


JOINS: dict[Fusion, Callable[[Sequence[int], ModelConfig], Join]] = {Fusion.ENCODER: SideBySide}
