"""Greedy decoding in torch, for validation during training; the shipped runtime has its own beam search."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan, TensorBatch


class Greedy(NamedTuple):
    """Tokens of each ink, and what the first attention looked at while writing them."""

    tokens: list[tuple[str, ...]]
    alphas: Tensor  # (B, C, T)


@torch.no_grad()
def decode_greedily(model: Scan, batch: TensorBatch, vocabulary: Vocabulary, max_tokens: int = 200) -> Greedy:
    """The most likely next token at each step, for every ink of the batch, until its end token or the limit."""
    device = model.decoder.E.weight.device
    memories = model.encode(batch.to(device))
    state = model.decoder.start(memories)
    prepared = model.decoder.attention.prepare(memories)
    count = len(batch.stroke_mask)
    last = torch.full((count,), vocabulary.start, device=device)
    done = torch.zeros(count, dtype=torch.bool, device=device)
    written, looked = [], []
    for _ in range(max_tokens):
        y = model.decoder.embed(last)
        step = model.decoder.step(y, state, prepared)
        state = step.state
        last = model.decoder.read_out(y, step.h, step.context).argmax(dim=1)
        written.append(last)
        looked.append(step.alphas[0].flatten(1))
        done |= last == vocabulary.end
        if bool(done.all()):
            break
    tokens = [vocabulary.decode(row) for row in torch.stack(written, dim=1).tolist()]
    return Greedy(tokens, torch.stack(looked, dim=1).cpu())
