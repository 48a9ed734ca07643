"""Ink made by numpy for the tests of the models, and the batches that they take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.models.scan import Scan, TensorBatch
from inkscan.models.systems import SYSTEMS, System, preset

K = 9  # tokens of the tests' vocabulary; the last is the end token
TAP = FeatureSettings(trace="tap")
EVEN = FeatureSettings(trace="even")


def scribble(lengths: Sequence[int], seed: int = 0) -> Ink:
    """Random strokes of the given numbers of points, side by side."""
    rng = np.random.default_rng(seed)
    strokes = []
    for j, points in enumerate(lengths):
        walk = np.cumsum(rng.normal(size=(points, 2)), axis=0)
        spread = max(float(np.ptp(walk, axis=0).max()), 1e-9)
        corner = np.array([18.0 * j, rng.uniform(0, 25)])
        strokes.append((walk - walk.min(axis=0)) / spread * rng.uniform(15, 40) + corner)
    return Ink.from_points(strokes)


def whole_ink() -> Ink:
    """Four strokes, two of them crossing, of 28 units: 20 points, and a 64 x 64 image drawn at scale one."""
    return Ink.from_points(
        [
            [(0, 0), (4, 9), (1, 17), (6, 28), (2, 20), (7, 4)],
            [(20, 12), (20, 22), (21, 31), (20, 40)],
            [(13, 12), (19, 24), (26, 30), (28, 40)],
            [(30, 4), (40, 0), (34, 13), (39, 21), (31, 28), (40, 24)],
        ]
    )


def tiny(system: str, *, seed: int = 0, double: bool = True) -> Scan:
    """A tiny model in evaluation mode whose batch norms have seen some data."""
    torch.manual_seed(seed)
    model = Scan(preset("tiny", system, K)).eval()
    for name, values in model.named_buffers():
        values.copy_(
            torch.rand_like(values) + 0.5 if name.endswith("running_var") else torch.randn_like(values) * 0.3
        )
    for name, values in model.named_parameters():
        if "norm" in name:
            values.data.add_(torch.randn_like(values) * 0.3)
    return model.double() if double else model


def tensors(
    inks: Sequence[Ink], system: System, settings: FeatureSettings = TAP, *, double: bool = True
) -> TensorBatch:
    """The inks as one padded batch."""
    features = [ink_features(ink, settings, online=system.online, offline=system.offline) for ink in inks]
    batch = TensorBatch.of(pad_batch(features))
    if not double:
        return batch
    named = batch._asdict()
    return batch._replace(
        **{k: t.double() for k, t in named.items() if t is not None and t.is_floating_point()}
    )


ALL_SYSTEMS = list(SYSTEMS.values())
