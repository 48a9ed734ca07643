"""A language model of formulas: how likely each token is after those before it. It has seen no ink."""

from __future__ import annotations

import torch
from torch import Tensor, nn

EMBEDDED, UNITS, LAYERS = 128, 320, 2
DROPOUT = 0.15


class LanguageNetwork(nn.Module):
    """GRUs over a vocabulary's tokens; the row after the last token's embedding stands before the first."""

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.tokens = tokens
        self.embedding = nn.Embedding(tokens + 1, EMBEDDED)
        self.grus = nn.ModuleList(
            nn.GRU(EMBEDDED if layer == 0 else UNITS, UNITS, batch_first=True) for layer in range(LAYERS)
        )
        self.dropout = nn.Dropout(DROPOUT)
        self.out = nn.Linear(UNITS, EMBEDDED)
        self.bias = nn.Parameter(torch.zeros(tokens))

    def forward(self, answers: Tensor) -> Tensor:
        """The log-probability of every token in each place of A answers: (A, T) -> (A, T, tokens)."""
        start = torch.full_like(answers[:, :1], self.tokens)
        seen = self.dropout(self.embedding(torch.cat([start, answers[:, :-1]], dim=1)))
        for gru in self.grus:
            seen, _ = gru(seen)
            seen = self.dropout(seen)
        scores = self.out(seen) @ self.embedding.weight[: self.tokens].t() + self.bias
        log_probs: Tensor = scores.log_softmax(dim=-1)
        return log_probs
