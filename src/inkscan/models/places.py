"""Places: the real cells of a padded batch of grids, as rows of a matrix and back."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class Places:
    """Where a batch of B grids of H x W cells is real: P places, row by row and ink after ink."""

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask  # (B, H, W) bool
        self.index = mask.flatten().nonzero().squeeze(1)  # (P,)

    def every(self, stride: tuple[int, ...]) -> Places:
        """A coarser grid, whose cell is real if its first row and column are: real places always come first."""
        return Places(self.mask[:, :: stride[0], :: stride[1]])

    def rows(self, maps: Tensor) -> Tensor:
        """Maps (B, C, H, W) -> the real places' values (P, C)."""
        chosen: Tensor = _Select.apply(  # type: ignore[no-untyped-call]
            maps.permute(0, 2, 3, 1).flatten(0, 2), self.index
        )
        return chosen

    def maps(self, rows: Tensor) -> Tensor:
        """The inverse of `rows`, with zeros at the padding; in memory a place's channels stay together."""
        spread: Tensor = _Spread.apply(  # type: ignore[no-untyped-call]
            rows, self.index, self.mask.numel()
        )
        return spread.view(*self.mask.shape, -1).permute(0, 3, 1, 2)


class _Select(torch.autograd.Function):
    """Rows by index. Each row is taken once, so the gradient is copied, not added up."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, index: Tensor) -> Tensor:
        ctx.save_for_backward(index)
        ctx.count = len(rows)
        return rows.index_select(0, index)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (index,) = ctx.saved_tensors
        return _spread(gradient, index, ctx.count), None


class _Spread(torch.autograd.Function):
    """The inverse of _Select: rows to their places among `count`, zeros elsewhere."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, index: Tensor, count: int) -> Tensor:
        ctx.save_for_backward(index)
        return _spread(rows, index, count)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (index,) = ctx.saved_tensors
        return gradient.index_select(0, index), None, None


def _spread(rows: Tensor, index: Tensor, count: int) -> Tensor:
    return rows.new_zeros(count, rows.shape[1]).index_copy_(0, index, rows)
