"""Parity: an exported model computes what torch computes."""

from __future__ import annotations

import numpy as np
import torch

from inkscan.errors import ModelError
from inkscan.features import ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.models.scan import Scan, TensorBatch
from inkscan.runtime.models import ExportedModel
from inkscan.runtime.network import Network

PARITY_TOKENS = 12


def check_parity(model: Scan, exported: ExportedModel, tolerance: float) -> float:
    """The largest difference of log-probabilities on random inks; raises if it is too large."""
    info = exported.info
    network = Network(exported.encoder, exported.step, info.contract)
    inks = [_scribble(strokes, seed) for seed, strokes in enumerate((1, 3, 12))]
    batch = pad_batch(
        [ink_features(ink, info.features, online=info.online, offline=info.offline) for ink in inks]
    )
    tokens = np.random.default_rng(7).integers(1, len(info.vocabulary), (len(inks), PARITY_TOKENS))
    with torch.no_grad():
        decoded = model(TensorBatch.of(batch), torch.from_numpy(tokens))
        wanted = torch.log_softmax(decoded.logits, dim=2).numpy()
    encoded = network.encode(batch)
    state, before, worst = encoded.state, np.full(len(inks), info.vocabulary.start), 0.0
    for t in range(PARITY_TOKENS):
        result = network.step(before, np.arange(len(inks)), state, encoded.memories)
        worst = float(np.maximum(worst, np.abs(result.log_probs - wanted[:, t]).max()))  # NaN stays
        state, before = result.state, tokens[:, t]
    if not worst <= tolerance:
        raise ModelError(
            f"the graphs differ from torch by {worst:.2g} in log-probability, more than {tolerance:.0e}"
        )
    return worst


def _scribble(strokes: int, seed: int) -> Ink:
    """Random strokes side by side: parity needs no meaning."""
    rng = np.random.default_rng(seed)
    walks = [np.cumsum(rng.normal(size=(rng.integers(1, 30), 2)), axis=0) for _ in range(strokes)]
    return Ink.from_points([walk + np.array([12.0 * j, 0.0]) for j, walk in enumerate(walks)])
