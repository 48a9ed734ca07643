"""Stroke context: self-attention among the strokes of an ink that knows how they stand to each other.

Beyond the paper, and off unless `context_layers` is set. The GRUs see strokes in the order in which they were written;
here a stroke also sees its neighbours on the paper. The last matrix of every branch starts at zero, so a model that is
given context layers begins as the model without them.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inkscan.features.settings import ONLINE_STRIDE
from inkscan.models.dropout import Dropout
from inkscan.models.memory import Memory, stroke_shares
from inkscan.models.systems import ModelConfig

PAIR_FEATURES = 5  # dx, dy, ratios of width and height, distance in writing order
PAIR_UNITS = 64
HEAD = 32
SMALLEST = 0.01  # added to a stroke's extent, of the unit of position: a dot has one too
FAR = -1e4  # added to a padded stroke's energy; exp of it is zero


class StrokeContext(nn.Module):
    """Layers of self-attention over one memory of strokes."""

    def __init__(self, D: int, config: ModelConfig) -> None:
        super().__init__()
        self.pairs = nn.Sequential(
            nn.Linear(PAIR_FEATURES, PAIR_UNITS),
            nn.ReLU(),
            nn.Linear(PAIR_UNITS, config.context_layers * config.context_heads),
        )
        self.layers = nn.ModuleList(ContextLayer(D, config) for _ in range(config.context_layers))

    def forward(self, memory: Memory, points: Tensor, pmask_on: Tensor) -> Memory:
        """The memory with features that know their neighbours; points (B, N, 8) and pmask_on (B, M, L) place them."""
        strokes = memory.mask[:, 0]  # (B, M)
        bias = self.pairs(pair_features(points, pmask_on)).permute(0, 3, 1, 2)  # (B, layers x heads, M, M)
        bias = bias + torch.where(strokes, 0.0, FAR)[:, None, None]
        x = memory.features[:, 0]
        for layer, its_bias in zip(self.layers, bias.chunk(len(self.layers), dim=1), strict=True):
            x = layer(x, its_bias)
        return Memory((x * strokes[:, :, None])[:, None], memory.mask)


class ContextLayer(nn.Module):
    """Attention and a feed-forward part, each behind a norm and added to what comes in."""

    def __init__(self, D: int, config: ModelConfig) -> None:
        super().__init__()
        inner = HEAD * config.context_heads
        self.attention_norm = nn.LayerNorm(D)
        self.W_qkv = nn.Linear(D, 3 * inner, bias=False)
        self.W_out = nn.Linear(inner, D, bias=False)
        self.feed_norm = nn.LayerNorm(D)
        self.W_up = nn.Linear(D, 2 * inner)
        self.W_down = nn.Linear(2 * inner, D)
        self.dropout = Dropout(config.dropout)
        for last in (self.W_out.weight, self.W_down.weight, self.W_down.bias):
            nn.init.zeros_(last)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """x (B, M, D), bias (B, heads, M, M)."""
        B, M, _ = x.shape
        heads = bias.shape[1]
        q, k, v = self.W_qkv(self.attention_norm(x)).view(B, M, 3, heads, HEAD).permute(2, 0, 3, 1, 4)
        alpha = torch.softmax(q @ k.transpose(2, 3) * HEAD**-0.5 + bias, dim=3)  # (B, heads, M, M)
        x = x + self.dropout(self.W_out((alpha @ v).transpose(1, 2).reshape(B, M, -1)))
        up = self.dropout(F.relu(self.W_up(self.feed_norm(x))))
        x = x + self.dropout(self.W_down(up))
        return x


def pair_features(points: Tensor, pmask_on: Tensor) -> Tensor:
    """How each stroke j stands to each stroke i: distances, ratios of extent, order; (B, M, M, 5).

    A stroke's place is the mean of its points and its extent their standard deviation.
    """
    shares = stroke_shares(pmask_on)  # (B, M, L)
    xy = points[:, :, :2]
    cells = F.avg_pool1d(torch.cat([xy, xy * xy], dim=2).transpose(1, 2), ONLINE_STRIDE)  # (B, 4, L)
    mean, square = (shares @ cells.transpose(1, 2)).chunk(2, dim=2)  # (B, M, 2) each
    extent = torch.log((square - mean * mean).clamp_min(0.0).sqrt() + SMALLEST)
    place = torch.arange(pmask_on.shape[1], dtype=points.dtype, device=points.device)
    order = (place[None, :] - place[:, None])[None, :, :, None].expand(len(points), -1, -1, -1)
    apart = torch.cat([mean[:, None] - mean[:, :, None], order], dim=3)
    return torch.cat([torch.asinh(apart), extent[:, None] - extent[:, :, None]], dim=3)
