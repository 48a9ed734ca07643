"""Context among strokes: off it changes nothing, on it keeps what must hold of every system."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.models.generated_ink import EVEN, TAP, K, scribble, tensors
from torch import Tensor

from inkscan.errors import UnsupportedSystem
from inkscan.features import FeatureSettings
from inkscan.ink import Ink
from inkscan.models.context import pair_features
from inkscan.models.scan import WITH_CONTEXT, Decoded, Scan, TensorBatch
from inkscan.models.systems import preset, system_named
from inkscan.training.start import Trained, start_from

both_systems = pytest.mark.parametrize("system", WITH_CONTEXT)
TOKENS = torch.tensor([[1, 4, 2, 0, K - 1]])


def with_context(system: str, *, awake: bool = True) -> Scan:
    """A tiny model with two context layers; asleep, their last matrices are zero as at the start of training."""
    torch.manual_seed(0)
    model = Scan(replace(preset("tiny", system, K), context_layers=2)).double().eval()
    if awake:
        for name, values in model.named_parameters():
            if "W_out" in name or "W_down" in name:
                torch.nn.init.normal_(values, std=0.3)
    return model


def logits(model: Scan, inks: list[Ink], settings: FeatureSettings = EVEN) -> Tensor:
    with torch.no_grad():
        decoded: Decoded = model(tensors(inks, model.system, settings), TOKENS.expand(len(inks), -1))
    return decoded.logits


@both_systems
def test_new_layers_change_nothing_until_they_are_trained(system: str) -> None:
    asleep = with_context(system, awake=False)
    plain = Scan(preset("tiny", system, K)).double().eval()
    source = Trained(system, asleep.system, asleep.state_dict())
    plain.load_state_dict(start_from(plain, [source]).weights)
    ink = scribble([5, 9, 14])
    torch.testing.assert_close(logits(asleep, [ink]), logits(plain, [ink]))
    assert not torch.allclose(logits(with_context(system), [ink]), logits(plain, [ink]))


@both_systems
@pytest.mark.parametrize("settings", [TAP, EVEN], ids=["tap", "even"])
def test_a_batch_equals_its_members(system: str, settings: FeatureSettings) -> None:
    model = with_context(system)
    inks = [scribble([5, 9, 30, 12]), scribble([7], seed=1), scribble([3, 25], seed=2)]
    together = logits(model, inks, settings)
    for i, ink in enumerate(inks):
        torch.testing.assert_close(together[i], logits(model, [ink], settings)[0], rtol=1e-8, atol=1e-10)


@both_systems
def test_padded_strokes_stay_zero(system: str) -> None:
    model = with_context(system)
    batch = tensors([scribble([5, 9, 30]), scribble([7], seed=1)], model.system, EVEN)
    (memory,) = model.encode(batch)
    assert not bool(memory.mask.all())
    assert not bool(memory.features[~memory.mask].any())


@both_systems
def test_every_parameter_receives_a_gradient(system: str) -> None:
    model = with_context(system).train()
    batch = tensors([scribble([9, 14, 30, 6]), scribble([12, 11], seed=1)], model.system, EVEN)
    model(batch, TOKENS.expand(2, -1)).logits.square().sum().backward()
    assert model.context is not None
    assert [name for name, p in model.context.named_parameters() if p.grad is None or not p.grad.any()] == []


def test_pairs_tell_distance_extent_and_order() -> None:
    small, large = (
        [(0.0, 0.0), (0.0, 8.0), (8.0, 8.0), (8.0, 0.0)],
        [(40.0, 20.0), (40.0, 52.0), (72.0, 52.0)],
    )
    batch: TensorBatch = tensors([Ink.from_points([small, large])], system_named("onscan"), EVEN)
    assert batch.points is not None and batch.pmask_on is not None
    dx, dy, order, wider, taller = pair_features(batch.points, batch.pmask_on)[0, 0, 1].tolist()
    assert dx > 0 and dy > 0 and order > 0 and wider > 0 and taller > 0
    torch.testing.assert_close(
        pair_features(batch.points, batch.pmask_on)[0, 0, 1],
        -pair_features(batch.points, batch.pmask_on)[0, 1, 0],
    )


@pytest.mark.parametrize("system", ["tap", "offscan", "mmscan-d"])
def test_other_systems_refuse_context(system: str) -> None:
    with pytest.raises(UnsupportedSystem, match="onscan and mmscan-e"):
        Scan(replace(preset("tiny", system, K), context_layers=1))
