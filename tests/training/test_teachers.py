"""Teachers: their expectations are the target beside the truth, and a run says whom it learnt from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lightning_fabric import Fabric

from inkscan.data.sample import Sample
from inkscan.errors import BadSetting
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.models.scan import Decoded
from inkscan.models.systems import preset, system_named
from inkscan.training.batches import training_batch
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.command import run_training
from inkscan.training.loop import Run, train
from inkscan.training.loss import objective
from inkscan.training.provenance import licence_of
from inkscan.training.recipes import NO_PATTERNS, Recipe
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import CONFIG, LAST
from inkscan.training.teachers import Teachers

from .conftest import QUICK

ONSCAN = system_named("onscan")


def test_full_trust_is_the_cross_entropy_with_what_is_expected(samples: list[Sample]) -> None:
    torch.manual_seed(0)
    batch = training_batch(samples[:3], ONSCAN, Recipe().features, CROHME)
    logits = torch.randn(*batch.tokens.shape, len(CROHME))
    expected = torch.randn_like(logits).softmax(-1)
    decoded = Decoded(logits, (batch.gamma,))

    def total(trust: float, seen: torch.Tensor | None = expected) -> float:
        loss = objective(decoded, batch, ONSCAN, guider=0, smoothing=0.1, expected=seen, trust=trust)
        return loss.total.item()

    by_hand = 0.0
    for i, t in batch.token_mask.nonzero().tolist():
        by_hand -= float(expected[i, t] @ logits[i, t].log_softmax(-1))
    assert total(1.0) == pytest.approx(by_hand / int(batch.token_mask.sum()), rel=1e-5)
    assert total(0.25) == pytest.approx(0.75 * total(0.0, None) + 0.25 * total(1.0), rel=1e-5)


def test_teachers_expect_what_they_read_on_their_own(finished: Path, samples: list[Sample]) -> None:
    teachers = Teachers.read([finished / LAST, finished / LAST], load_checkpoint(finished / LAST).vocabulary)
    checkpoint = load_checkpoint(finished / LAST)
    batch = training_batch(samples[:2], ONSCAN, checkpoint.recipe.features, checkpoint.vocabulary)
    expected = teachers.expect([sight.of(samples[:2]) for sight in teachers.sights], batch.tokens)
    alone = checkpoint.model()(batch.features, batch.tokens).logits.softmax(-1)
    torch.testing.assert_close(expected, alone)
    assert Teachers().expect([], batch.tokens) is None


def test_a_pupil_that_trusts_becomes_like_its_teacher(samples: list[Sample], tmp_path: Path) -> None:
    """With no trust in the truth it learns what the teacher expects, however wrong."""
    config = preset("tiny", "onscan", len(CROHME))
    recipe = Recipe(batch_size=8, cooldown=0.0, warmup_steps=4, learning_rate=3e-3, epochs=6, ema=0.0)
    recipe = replace(recipe, patterns=NO_PATTERNS, trust=0.99, guider=0.0, label_smoothing=0.0)
    out = tmp_path / "teacher"
    run = Run(config, CROHME, replace(recipe, epochs=1), samples[:8], samples[40:], out, {})
    train(run, Fabric(accelerator="cpu", devices=1), lambda update: None)

    def distance(folder: Path) -> float:
        batch = training_batch(samples[:8], ONSCAN, recipe.features, CROHME)
        models = [load_checkpoint(path / LAST).model() for path in (out, folder)]
        one, other = (model(batch.features, batch.tokens).logits.log_softmax(-1) for model in models)
        return float((one.exp() * (one - other)).sum(-1)[batch.token_mask].mean())

    far = {}
    for name, teachers in (("alone", Teachers()), ("taught", Teachers([("t", load_checkpoint(out / LAST))]))):
        folder = tmp_path / name
        run = Run(
            config, CROHME, replace(recipe, seed=9), samples[:8], samples[40:], folder, {}, teachers=teachers
        )
        train(run, Fabric(accelerator="cpu", devices=1), lambda update: None)
        far[name] = distance(folder)
    assert far["taught"] < 0.5 * far["alone"]


def test_a_run_keeps_whom_it_learnt_from(finished: Path, corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "pupil"
    request = TrainRequest(
        "tap", corpora[:1], corpora[1], out, preset="tiny", settings=QUICK, teacher=(finished / LAST,)
    )
    run_training(request)
    provenance = json.loads((out / CONFIG).read_text())["provenance"]
    assert "--teacher last.safetensors" in provenance["command"]
    assert [teacher["file"] for teacher in provenance["teachers"]] == [LAST]
    assert licence_of({"teachers": [{"licence": "CC BY 4.0"}]}) == "CC BY 4.0"
    more = replace(request, resume=True, settings=("epochs=2",))
    run_training(more)
    with pytest.raises(BadSetting, match=r"has last\.safetensors for its teacher, not none"):
        run_training(replace(more, teacher=(), settings=("epochs=3",)))
    with pytest.raises(BadSetting, match=r"or not this one of that name"):  # the pupil's own
        run_training(replace(more, teacher=(out / LAST,), settings=("epochs=3",)))


def test_a_teacher_of_another_alphabet_is_refused(finished: Path) -> None:
    with pytest.raises(BadSetting, match="has another alphabet than the run"):
        Teachers.read([finished / LAST], Vocabulary(("<eos>", "x")))
