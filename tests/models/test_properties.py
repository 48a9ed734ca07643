"""What must hold of every system whatever the ink: sizes, masking, gradients, symmetries, extremes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.generated_ink import ALL_SYSTEMS, EVEN, TAP, K, scribble, tensors, tiny, whole_ink
from torch import nn

from inkscan.errors import UnsupportedSystem
from inkscan.features import FeatureSettings
from inkscan.ink import Ink
from inkscan.models.attention import CoverageTerms
from inkscan.models.densenet import DenseNet, offline_densenet, online_densenet
from inkscan.models.norm import BatchNorm
from inkscan.models.places import Places
from inkscan.models.scan import Decoded, Scan, TensorBatch
from inkscan.models.systems import SYSTEMS, Fusion, ModelConfig, System, View, preset, system_named
from inkscan.training.batches import TrainingBatch
from inkscan.training.loss import objective

every_system = pytest.mark.parametrize("system", ALL_SYSTEMS, ids=lambda system: system.name)
few = settings(max_examples=6, deadline=None, derandomize=True)
stroke_lengths = st.lists(st.integers(1, 40), min_size=1, max_size=6)
TOKENS = torch.tensor([[1, 4, 2, 0, K - 1]])


def decode(model: Scan, batch: TensorBatch) -> Decoded:
    with torch.no_grad():
        decoded: Decoded = model(batch, TOKENS.expand(len(batch.stroke_mask), -1))
    return decoded


# ---- sizes


@pytest.mark.parametrize(
    ("build", "convolutions", "channels"), [(online_densenet, 20, 408), (offline_densenet, 99, 684)]
)
def test_convolutions_and_channels_at_paper_size(
    build: Callable[[ModelConfig], DenseNet], convolutions: int, channels: int
) -> None:
    net = build(ModelConfig("man", K))
    assert sum(isinstance(module, nn.Conv2d) for module in net.modules()) == convolutions
    assert net.channels == channels


def test_the_rows_are_the_papers() -> None:
    assert len(SYSTEMS) == 10
    strokes = [name for name, system in SYSTEMS.items() if all(view.strokes for view in system.views)]
    assert strokes == ["onscan", "offscan", "mmscan-d", "mmscan-e"]
    with pytest.raises(UnsupportedSystem, match="aligned"):
        System("x", "X", (View.POINTS, View.PIXELS), Fusion.ENCODER)
    with pytest.raises(UnsupportedSystem, match="two views"):
        System("x", "X", (View.POINTS, View.PIXELS), Fusion.NONE)
    with pytest.raises(UnsupportedSystem, match="there are tap, onscan"):
        system_named("scan")
    with pytest.raises(UnsupportedSystem, match="there are paper"):
        preset("huge", "tap", K)


# ---- masking


@every_system
@few
@given(inks=st.lists(stroke_lengths, min_size=2, max_size=3), seed=st.integers(0, 99))
def test_a_batch_equals_its_members(system: System, inks: list[list[int]], seed: int) -> None:
    model = tiny(system.name)
    drawn = [scribble(lengths, seed + i) for i, lengths in enumerate(inks)]
    together = decode(model, tensors(drawn, system))
    memories = model.encode(tensors(drawn, system))
    for i, ink in enumerate(drawn):
        alone = decode(model, tensors([ink], system))
        torch.testing.assert_close(together.logits[i], alone.logits[0], rtol=1e-8, atol=1e-10)
        for v, single in enumerate(alone.alphas):
            real = together.alphas[v][i][:, memories[v].mask[i].flatten()]
            alone_memory = model.encode(tensors([ink], system))[v]
            torch.testing.assert_close(
                real, single[0][:, alone_memory.mask[0].flatten()], rtol=1e-8, atol=1e-10
            )


@every_system
def test_alphas_sum_to_one_and_vanish_on_padding(system: System) -> None:
    model = tiny(system.name)
    batch = tensors([scribble([5, 9, 30, 12]), scribble([7])], system)
    decoded = decode(model, batch)
    for alpha, memory in zip(decoded.alphas, model.encode(batch), strict=True):
        assert not bool(memory.mask.all()), "the batch must have padding"
        torch.testing.assert_close(alpha.sum(dim=2), torch.ones(2, 5, dtype=torch.float64))
        padding = ~memory.mask.flatten(1)[:, None].expand_as(alpha)
        assert not bool(alpha[padding].any())
        assert not bool(memory.features[~memory.mask].any())


@every_system
def test_padding_changes_nothing_in_training_either(system: System) -> None:
    batch = tensors([whole_ink()], system)  # without padding of its own
    logits = [tiny(system.name).train()(b, TOKENS).logits for b in (batch, padded(batch))]
    torch.testing.assert_close(logits[0], logits[1], rtol=1e-8, atol=1e-10)


def padded(batch: TensorBatch) -> TensorBatch:
    """The same inks with more padding: two strokes, 16 points, 32 rows and 48 columns of pixels."""
    more = {
        "stroke_mask": (0, 2),
        "points": (0, 0, 0, 16),
        "point_mask": (0, 16),
        "pmask_on": (0, 4, 0, 2),
        "image": (0, 48, 0, 32),
        "image_mask": (0, 48, 0, 32),
        "pmask_off": (0, 3, 0, 2, 0, 2),
    }
    arrays = batch._asdict().items()
    return batch._replace(**{k: nn.functional.pad(v, more[k]) for k, v in arrays if v is not None})


def test_batch_norm_is_that_of_torch() -> None:
    torch.manual_seed(0)
    ours, theirs = BatchNorm(3).double().train(), nn.BatchNorm1d(3).double().train()
    for module in (ours, theirs):
        nn.init.normal_(module.weight, generator=torch.Generator().manual_seed(1))
        nn.init.normal_(module.bias, generator=torch.Generator().manual_seed(2))
    for _ in range(3):
        x = torch.randn(40, 3, dtype=torch.float64) * 2 + 1
        torch.testing.assert_close(ours(x), theirs(x))
        torch.testing.assert_close(ours.running_mean, theirs.running_mean)
        torch.testing.assert_close(ours.running_var, theirs.running_var)
    ours.eval(), theirs.eval()
    torch.testing.assert_close(ours(x), theirs(x))


def test_coverage_of_a_grid_is_the_same_with_and_without_gradients() -> None:
    torch.manual_seed(0)
    terms = CoverageTerms(4, 6, 5, (3, 5))
    past = torch.rand(2, 4, 7)
    trained = terms.coverage_term(past, terms.kernel())
    with torch.no_grad():
        torch.testing.assert_close(terms.coverage_term(past, terms.kernel()), trained)


def test_one_place_alone_trains() -> None:
    norm = BatchNorm(3).train()
    x = torch.randn(1, 3)
    torch.testing.assert_close(norm(x), x / (1 + norm.eps) ** 0.5)


@pytest.mark.parametrize("build", [online_densenet, offline_densenet])
def test_densenet_in_training_does_not_see_padding(build: Callable[[ModelConfig], DenseNet]) -> None:
    torch.manual_seed(0)
    plain = build(preset("tiny", "man", 20)).double().train()
    padded = copy.deepcopy(plain)
    size = (1, 8) if build is online_densenet else (32, 32)
    x = torch.randn(2, plain.stem.in_channels, *size, dtype=torch.float64)
    real = torch.ones(2, *size, dtype=torch.bool)
    more = (0, 16) if build is online_densenet else (0, 16, 0, 32)
    maps, _ = plain(x, real)
    wide, mask = padded(nn.functional.pad(x, more), nn.functional.pad(real, more))
    torch.testing.assert_close(wide[:, :, : maps.shape[2], : maps.shape[3]], maps)
    assert not wide[~mask[:, None].expand_as(wide)].any()
    maps.square().sum().backward()
    wide.square().sum().backward()
    for one, other in zip(plain.parameters(), padded.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)
    for ours, theirs in zip(plain.buffers(), padded.buffers(), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_places_are_taken_and_put_back() -> None:
    mask = torch.tensor([[[1, 1, 0], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]]], dtype=torch.bool)
    places = Places(mask)
    maps = torch.randn(2, 4, 2, 3, dtype=torch.float64, requires_grad=True)
    rows = places.rows(maps)
    assert rows.shape == (7, 4)
    torch.testing.assert_close(places.maps(rows), maps * mask[:, None])
    assert places.every((1, 2)).mask.tolist() == [
        [[True, False], [True, False]],
        [[True, True], [False, False]],
    ]
    assert torch.autograd.gradcheck(lambda m: places.maps(places.rows(m) ** 2), maps)


def test_hiding_the_trace_leaves_the_image() -> None:
    config = replace(preset("tiny", "mmscan-e", K), hide_online=1.0)
    model = Scan(config).train()
    batch = tensors([scribble([9, 14, 30]), scribble([12, 11], seed=1)], model.system, double=False)
    (memory,) = model.encode(batch)
    on, off = memory.features[..., : config.D], memory.features[..., config.D :]
    assert not on.any()
    assert off.any()
    (memory,) = model.eval().encode(batch)
    assert memory.features[..., : config.D].any()


# ---- gradients


@every_system
def test_every_parameter_receives_a_gradient(system: System) -> None:
    model = tiny(system.name, double=False).train()
    batch = tensors([scribble([9, 14, 30, 6]), scribble([12, 11], seed=1)], system, double=False)
    tokens = TOKENS.expand(2, -1)
    gamma = torch.zeros(2, 5, batch.stroke_mask.shape[1])
    gamma[:, 0, 0] = gamma[:, 1, 1] = 1.0
    training = TrainingBatch(batch, tokens, torch.ones_like(tokens, dtype=torch.bool), gamma)
    objective(model(batch, tokens), training, system, guider=0.2, smoothing=0.0).total.backward()
    without = [
        name
        for name, parameter in model.named_parameters()
        if parameter.grad is None or not parameter.grad.any()
    ]
    assert not without
    assert all(bool(p.grad.isfinite().all()) for p in model.parameters() if p.grad is not None)


# ---- symmetries


@few
@given(data=st.data(), lengths=st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_permuting_strokes_permutes_offline_stroke_features(data: st.DataObject, lengths: list[int]) -> None:
    system = system_named("offscan")
    order = data.draw(st.permutations(range(len(lengths))))
    ink = scribble(lengths)
    turned = Ink(tuple(ink.strokes[j] for j in order))
    model = tiny(system.name)
    (S,), (S_turned,) = (model.encode(tensors([one], system)) for one in (ink, turned))
    torch.testing.assert_close(S_turned.features[0, 0], S.features[0, 0][list(order)], rtol=1e-9, atol=1e-12)


def moved(ink: Ink, scale: float, shift: tuple[float, float]) -> Ink:
    return Ink.from_points([stroke.xy * scale + np.array(shift) for stroke in ink.strokes])


shifts = st.tuples(st.floats(-1000, 1000), st.floats(-1000, 1000))


@every_system
@pytest.mark.parametrize("recipe", [TAP, EVEN], ids=["tap", "even"])
@few
@given(lengths=stroke_lengths, scale=st.floats(0.001, 1000), shift=shifts)
def test_where_and_how_large_the_ink_is_written_changes_nothing(
    system: System, recipe: FeatureSettings, lengths: list[int], scale: float, shift: tuple[float, float]
) -> None:
    model, ink = tiny(system.name), scribble(lengths)
    shift = (
        shift[0] * scale,
        shift[1] * scale,
    )  # far from the origin an ink's small moves are lost to rounding
    batch, batch_moved = (tensors([one], system, recipe) for one in (ink, moved(ink, scale, shift)))
    for name, ours, theirs in zip(TensorBatch._fields, batch, batch_moved, strict=True):
        if ours is not None:
            torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5, msg=name)
    torch.testing.assert_close(
        decode(model, batch).logits, decode(model, batch_moved).logits, rtol=1e-4, atol=1e-5
    )


# ---- extremes


EXTREMES = {
    "a dot": Ink.from_points([[(3.0, 4.0)]]),
    "a vertical bar": Ink.from_points([[(5.0, float(y)) for y in range(30)]]),
    "a horizontal bar": Ink.from_points([[(float(x), 5.0) for x in range(30)]]),
    "one stroke": scribble([25]),
    "115 strokes": scribble([7] * 115),
    "6,581 points": scribble([1097] * 5 + [1096]),
}


@every_system
@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_pass_through(system: System, name: str) -> None:
    model, ink = tiny(system.name, double=False), EXTREMES[name]
    for recipe in (TAP, EVEN) if system.online else (TAP,):
        decoded = decode(model, tensors([ink], system, recipe, double=False))
        assert bool(decoded.logits.isfinite().all())
        assert all(bool(alpha.isfinite().all()) for alpha in decoded.alphas)
