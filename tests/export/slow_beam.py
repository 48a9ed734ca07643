"""A slow beam search in torch over one ink, a hypothesis at a time: the oracle of the runtime's search."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.latex.grammar import Grammar
from inkscan.latex.vocabulary import CROHME
from inkscan.models.decoder import DecoderState
from inkscan.models.scan import Scan, TensorBatch


@dataclass(frozen=True)
class Slow:
    score: float
    tokens: tuple[int, ...] = ()
    state: DecoderState | None = field(default=None, compare=False)


@torch.no_grad()
def slow_beam(model: Scan, ink: Ink, settings: FeatureSettings, beam: int, limit: int) -> list[Slow]:
    """Finished hypotheses, best first; as many slots as `beam`, each finished one takes its slot away."""
    system, grammar = model.system, Grammar(CROHME)
    features = ink_features(ink, settings, online=system.online, offline=system.offline)
    memories = model.encode(TensorBatch.of(pad_batch([features])))
    prepared = model.decoder.attention.prepare(memories)
    live = [Slow(0.0, (), model.decoder.start(memories))]
    finished: list[Slow] = []
    while live and beam > len(finished):
        candidates = []
        for one in live:
            assert one.state is not None
            y = model.decoder.embed(torch.tensor([one.tokens[-1] if one.tokens else CROHME.start]))
            step = model.decoder.step(y, one.state, prepared)
            log_probs = torch.log_softmax(model.decoder.read_out(y, step.h, step.context)[0], dim=0).tolist()
            allowed = grammar.allowed(grammar.follow(one.tokens), limit - len(one.tokens))
            candidates += [
                Slow(one.score + log_prob, (*one.tokens, token), step.state)
                for token, log_prob in enumerate(log_probs)
                if allowed[token]
            ]
        candidates.sort(key=lambda one: -one.score)
        kept = candidates[: beam - len(finished)]
        finished += [one for one in kept if one.tokens[-1] == CROHME.end]
        live = [one for one in kept if one.tokens[-1] != CROHME.end]
    return sorted(finished, key=lambda one: -one.score)
