"""Greedy decoding in torch, for validation during training; the shipped runtime has its own beam search."""

from __future__ import annotations

import torch

from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.decoder import START
from inkscan.models.scan import Scan, TensorBatch


@torch.no_grad()
def greedy_tokens(model: Scan, batch: TensorBatch, vocabulary: Vocabulary, max_tokens: int = 200) -> list[tuple[str, ...]]:
    """The most likely next token at each step, for every ink of the batch, until its end token or the limit."""
    memories = model.encode(batch)
    state = model.decoder.start(memories)
    prepared = model.decoder.attention.prepare(memories)
    count = len(batch.stroke_mask)
    last = torch.full((count,), START)
    done = torch.zeros(count, dtype=torch.bool)
    steps = []
    for _ in range(max_tokens):
        y = model.decoder.embed(last)
        step = model.decoder.step(y, state, prepared)
        state = step.state
        last = model.decoder.read_out(y, step.h, step.context).argmax(dim=1)
        steps.append(last)
        done |= last == vocabulary.end
        if bool(done.all()):
            break
    return [vocabulary.decode(row) for row in torch.stack(steps, dim=1).tolist()]
