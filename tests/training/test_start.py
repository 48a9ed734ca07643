"""Runs that begin from trained models: each view's weights go to that view, and nothing is lost silently."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Decoded, Scan
from inkscan.models.systems import preset
from inkscan.training.batches import training_batch
from inkscan.training.beginning import Beginning
from inkscan.training.checkpoint import Checkpoint, Progress
from inkscan.training.recipes import Recipe
from inkscan.training.start import Trained, by_part, start_from


def scan(system: str, seed: int = 0, **sizes: int) -> Scan:
    torch.manual_seed(seed)
    return Scan(replace(preset("tiny", system, len(CROHME)), **sizes)).eval()  # type: ignore[arg-type]


def trained(model: Scan) -> Trained:
    return Trained(model.system.name, model.system, model.state_dict())


def logits(model: Scan, samples: list[Sample]) -> Tensor:
    batch = training_batch(samples[:4], model.system, FeatureSettings(), CROHME)
    with torch.no_grad():
        decoded: Decoded = model(batch.features, batch.tokens)
    return decoded.logits


@pytest.mark.parametrize("half", ["onscan", "offscan"])
def test_encoder_fusion_begins_as_the_half_that_fills_it(samples: list[Sample], half: str) -> None:
    one, both = scan(half), scan("mmscan-e", seed=1)
    start = start_from(both, [trained(one)])
    both.load_state_dict(start.weights)
    torch.testing.assert_close(logits(both, samples), logits(one, samples))
    assert start.unplaced == {half: []}


@pytest.mark.parametrize("half", ["onscan", "offscan"])
def test_weights_stored_in_half_the_bits_are_placed_too(samples: list[Sample], half: str) -> None:
    one, both = scan(half), scan("mmscan-e", seed=1)
    stored = {
        name: value.half() if value.is_floating_point() else value for name, value in one.state_dict().items()
    }
    one.load_state_dict(stored)
    both.load_state_dict(start_from(both, [Trained(half, one.system, stored)]).weights)
    torch.testing.assert_close(logits(both, samples), logits(one, samples))


def test_more_features_than_fit_keep_what_the_decoder_reads_most_of(samples: list[Sample]) -> None:
    one, both = scan("offscan", growth=12), scan("mmscan-e", seed=1, growth=12)
    assert one.offline is not None and one.offline.D > both.config.D
    both.load_state_dict(start_from(both, [trained(one)]).weights)
    with torch.no_grad():
        features = torch.randn(50, one.offline.D)
        before = one.decoder.W_c(features)
        assert both.W_off is not None
        projected = both.W_off(features)
        after = projected @ both.decoder.W_c.weight[:, both.config.D :].T
    assert torch.nn.functional.cosine_similarity(before, after).mean() > 0.7


@pytest.mark.parametrize("target", ["onscan+tap", "mmscan-d", "mmscan-e", "man", "e-man", "offscan+wap"])
def test_both_halves_find_their_places(target: str) -> None:
    names = {
        "onscan+tap": ("onscan", "tap"),
        "offscan+wap": ("offscan", "wap"),
        "man": ("tap", "wap"),
        "e-man": ("tap", "wap"),
    }.get(target, ("onscan", "offscan"))
    halves = [scan(name, seed) for seed, name in enumerate(names)]
    both = scan(target, seed=9)
    start = start_from(both, [trained(half) for half in halves])
    encoders = {half.system.online: half for half in reversed(halves)}  # the first of a modality is taken
    for online, half in encoders.items():
        for name, value in half.state_dict().items():
            if name.startswith("online." if online else "offline."):
                assert torch.equal(start.weights[name], value), name
    first, second = (half.state_dict() for half in halves)
    assert torch.equal(start.weights["decoder.E.weight"], first["decoder.E.weight"])
    attention = "decoder.attention."
    if both.system.fusion.value != "encoder":
        kind = "attentions" if both.system.fusion.value == "decoder" else "pre"
        for at, weights in enumerate((first, second)):
            v_att = start.weights[f"{attention}{kind}.{at}.v_att"]
            assert torch.equal(v_att, weights[f"{attention}v_att"])
    assert start.unplaced[names[0]] == []
    assert "decoder.E.weight" in start.unplaced[names[1]]  # can come from one model only: said, not hidden


@pytest.mark.parametrize(("one", "other"), [("offscan", "wap"), ("wap", "offscan"), ("onscan", "tap")])
def test_strokes_and_what_they_are_made_of_share_all_but_the_coverage_kernel(one: str, other: str) -> None:
    source, model = scan(one), scan(other, seed=1)
    start = start_from(model, [trained(source)])
    model.load_state_dict(start.weights)
    assert set(start.unplaced[one]) <= {"decoder.attention.terms.Q.weight"}
    torch.testing.assert_close(model.decoder.W_o.weight, source.decoder.W_o.weight)


def test_the_same_system_is_copied_and_a_stranger_refused(samples: list[Sample]) -> None:
    one, other = scan("tap"), scan("tap", seed=1)
    other.load_state_dict(start_from(other, [trained(one)]).weights)
    torch.testing.assert_close(logits(other, samples), logits(one, samples))
    with pytest.raises(BadCheckpoint, match="hardly"):
        start_from(scan("onscan", growth=6, m=18, n=14), [trained(scan("wap"))])


def test_an_encoder_may_come_from_another_model_than_the_rest() -> None:
    whole, image, model = scan("mmscan-e", seed=1), scan("offscan", seed=2), scan("mmscan-e", seed=3)
    start = start_from(model, [trained(whole)], [trained(image)])
    for name, value in whole.state_dict().items():
        expected = image.state_dict()[name] if name.startswith("offline.") else value
        torch.testing.assert_close(start.weights[name], expected)
    assert not start.unplaced["offscan"]
    assert {name.split(".")[0] for name in start.unplaced["mmscan-e"]} == {"offline"}
    with pytest.raises(BadCheckpoint, match="hardly"):
        start_from(scan("onscan"), [], [trained(image)])


def test_other_features_of_ink_are_said() -> None:
    def checkpoint(system: str, features: FeatureSettings) -> Checkpoint:
        recipe = replace(Recipe(), features=features)
        config = preset("tiny", system, len(CROHME))
        return Checkpoint(config, CROHME, recipe, Progress(), {}, {})

    small = FeatureSettings(trace="even", image_height=16)
    beginning = Beginning((("on", checkpoint("onscan", small)),), (("off", checkpoint("offscan", small)),))
    config = preset("tiny", "mmscan-e", len(CROHME))
    assert beginning.complaints(config, small) == []
    on, off = beginning.complaints(config, FeatureSettings(trace="tap"))
    assert "on has learnt with features.trace=even:" in on
    assert "off has learnt with features.image_height=16:" in off
    assert beginning.complaints(preset("tiny", "tap", len(CROHME)), replace(small, image_height=28)) == []


def test_many_tensors_are_counted_by_part_and_few_are_named() -> None:
    few = ["decoder.E.weight", "offline.densenet.stem.weight"]
    assert by_part(few) == " ".join(few)
    many = [
        *(f"offline.densenet.stages.{i}.conv.weight" for i in range(9)),
        "decoder.GRU_1.bias",
        "decoder.GRU_1.weight",
    ]
    assert by_part(many) == "offline.densenet (9), decoder.GRU_1 (2)"
