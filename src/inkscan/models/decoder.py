"""The decoder: two GRUs with attention between them, and the read-out of the next token."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from inkscan.models.attention import Attention, Prepared
from inkscan.models.dropout import Dropout
from inkscan.models.memory import Memory, mean_features


class DecoderState(NamedTuple):
    """What one decoding step hands to the next."""

    h: Tensor  # (B, n)
    coverage: tuple[Tensor, ...]  # sums of past alphas


class Step(NamedTuple):
    """One decoding step, before the read-out."""

    h: Tensor  # (B, n)
    context: Tensor  # (B, D)
    alphas: tuple[Tensor, ...]  # one a view, each (B, H, W)
    state: DecoderState


class Decoder(nn.Module):
    """Eqs. (7) to (10); Eqs. (22) to (24) are the same over fused memories."""

    def __init__(self, attention: Attention, *, start_D: int, K: int, m: int, n: int, dropout: float) -> None:
        super().__init__()
        D = attention.D
        self.attention = attention
        self.E = nn.Embedding(K, m)
        nn.init.normal_(self.E.weight, std=0.1)
        self.GRU_1 = nn.GRUCell(m, n)
        self.GRU_2 = nn.GRUCell(D, n)
        self.W_start = nn.Linear(start_D, n, bias=False)
        self.W_h = nn.Linear(n, m, bias=False)
        self.W_c = nn.Linear(D, m, bias=False)
        self.W_o = nn.Linear(m // 2, K, bias=False)
        self.dropout = Dropout(dropout)

    def embed(self, tokens: Tensor) -> Tensor:
        """E y, (..., m); zero for K, the number that stands before the first token."""
        K = self.E.num_embeddings
        embedded: Tensor = self.E(tokens.clamp_max(K - 1)) * (tokens < K)[..., None]
        return embedded

    def start(self, memories: list[Memory]) -> DecoderState:
        """h_0 = tanh(W mean of the real features), nothing covered yet."""
        mean = torch.cat([mean_features(memory) for memory in memories], dim=1)
        return DecoderState(torch.tanh(self.W_start(mean)), self.attention.initial_coverage(memories))

    def step(self, y: Tensor, state: DecoderState, prepared: list[Prepared]) -> Step:
        """One step from the previous token's embedding y (B, m)."""
        h_hat = self.GRU_1(y, state.h)  # (B, n)   Eq. (7)
        context, alphas, coverage = self.attention(h_hat, prepared, state.coverage)  # Eq. (8)
        h = self.GRU_2(context, h_hat)  # (B, n)   Eq. (9)
        return Step(h, context, alphas, DecoderState(h, coverage))

    def read_out(self, y: Tensor, h: Tensor, context: Tensor) -> Tensor:
        """Logits (..., K) of the next token   Eq. (10)."""
        total = y + self.W_h(h) + self.W_c(context)  # (..., m)
        maxout = total.unflatten(-1, (-1, 2)).amax(dim=-1)  # (..., m/2)
        logits: Tensor = self.W_o(self.dropout(maxout))
        return logits
