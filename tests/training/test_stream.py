"""A corpus that stays on the disk is trained on window by window: exactly resumable, one window in memory."""

from __future__ import annotations

import json
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lightning_fabric import Fabric
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from inkscan.data import corpus as corpus_module
from inkscan.data.corpus import Corpus, CorpusMetadata, StoredCorpus, write_corpus
from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import CROHME
from inkscan.models.systems import preset
from inkscan.training.checkpoint import Checkpoint, load_checkpoint
from inkscan.training.command import run_training
from inkscan.training.loop import Run, train
from inkscan.training.recipes import Recipe
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import LAST
from inkscan.training.windows import Windows, plan_windows

GROUP = 8
RECIPE = Recipe(batch_size=4, cooldown=0.0, warmup_steps=4, learning_rate=3e-3, window=2 * GROUP)


@pytest.fixture
def stored(samples: list[Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredCorpus:
    """Forty samples in five row groups, so three windows."""
    monkeypatch.setattr(corpus_module, "ROW_GROUP_SAMPLES", GROUP)
    write_corpus(samples[:40], tmp_path / "train.parquet", CorpusMetadata("train"))
    return StoredCorpus(tmp_path / "train.parquet")


def trained(
    corpus: StoredCorpus | Corpus, valid: list[Sample], out: Path, epochs: float, *, resume: bool = False
) -> Checkpoint:
    run = Run(
        config=replace(preset("tiny", "onscan", len(CROHME)), dropout=0.2),
        vocabulary=CROHME,
        recipe=replace(RECIPE, epochs=epochs),
        train=corpus,
        valid=valid,
        out=out,
        provenance={},
        resume=load_checkpoint(out / LAST) if resume else None,
    )
    train(run, Fabric(accelerator="cpu", devices=1), lambda report: None)
    return load_checkpoint(out / LAST)


def assert_equal(ours: Checkpoint, theirs: Checkpoint) -> None:
    assert replace(ours.progress, cpu_hours=0) == replace(theirs.progress, cpu_hours=0)
    assert ours.tensors.keys() == theirs.tensors.keys()
    for name, value in ours.tensors.items():
        assert torch.equal(value, theirs.tensors[name]), name


def test_an_epochs_windows_have_all_samples_once(stored: StoredCorpus, samples: list[Sample]) -> None:
    assert (len(stored), stored.group_sizes) == (40, (GROUP,) * 5)
    windows = Windows(stored, RECIPE)
    orders = []
    for epoch in range(2):
        plan = windows.plan(epoch)
        assert [window.size for window in plan] == [16, 16, 8]
        assert [window.start for window in plan] == [0, 16, 32]
        orders.append([sample.id for window in plan for sample in windows.held(window).samples])
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(sample.id for sample in samples[:40])
    assert orders[0] != orders[1]
    assert plan[0].epoch_done(0.0) == 0.0
    assert plan[-1].epoch_done(1.0) == pytest.approx(1.0)


def test_a_window_is_at_least_one_row_group_and_never_an_empty_one() -> None:
    plan = plan_windows([5, 0, 9, 4], replace(RECIPE, window=3), 0)
    assert sorted(window.groups for window in plan) == [(0,), (2,), (3,)]
    assert sum(window.size for window in plan) == plan[0].total == 18
    assert [window.size for window in plan_windows([5, 5], replace(RECIPE, window=1000), 0)] == [10]


def test_one_window_is_held_at_a_time(
    stored: StoredCorpus, samples: list[Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = StoredCorpus.read
    held: list[weakref.ref[Corpus]] = []

    def watched(self: StoredCorpus, groups: tuple[int, ...]) -> Corpus:
        assert not any(corpus() for corpus in held), "a window was still held when the next was read"
        found = read(self, groups)
        held.append(weakref.ref(found))
        return found

    monkeypatch.setattr(StoredCorpus, "read", watched)
    trained(stored, samples[40:], tmp_path / "run", 2.0)
    assert len(held) == 6


@pytest.mark.parametrize("stop", [0.5, 0.4, 1.9])  # within a window, at the first batch of one, in the last
def test_a_streamed_run_that_stopped_goes_on_exactly(
    stored: StoredCorpus, samples: list[Sample], tmp_path: Path, stop: float
) -> None:
    whole = trained(stored, samples[40:], tmp_path / "whole", 2.0)
    halves = trained(stored, samples[40:], tmp_path / "halves", stop)
    assert halves.progress.window == {0.5: 1, 0.4: 1, 1.9: 2}[stop]
    assert (halves.progress.batch == 0) == (stop == 0.4)
    resumed = trained(stored, samples[40:], tmp_path / "halves", 2.0, resume=True)
    best = {"best": 0, "best_epoch": 0, "stale": 0}  # the stop itself was validated
    assert_equal(
        replace(resumed, progress=replace(resumed.progress, **best)),
        replace(whole, progress=replace(whole.progress, **best)),
    )


def test_one_row_group_streamed_is_the_corpus_in_memory(
    samples: list[Sample], corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    streamed = trained(StoredCorpus(corpora[0]), samples[40:], tmp_path / "streamed", 1.0)
    assert_equal(streamed, trained(Corpus.read(corpora[0]), samples[40:], tmp_path / "memory", 1.0))


def test_checkpoints_of_before_windows_go_on(
    samples: list[Sample], corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    corpus = Corpus.read(corpora[0])
    whole = trained(corpus, samples[40:], tmp_path / "whole", 1.0)
    trained(corpus, samples[40:], tmp_path / "old", 0.5)
    path = tmp_path / "old" / LAST
    with safe_open(path, framework="pt") as file:
        header = file.metadata()
    del header["sha256"]  # which files of before have not, either
    for part in ("progress", "recipe"):
        values = json.loads(header[part])
        del values["window"]
        header[part] = json.dumps(values)
    save_file(load_file(path), path, header)
    resumed = trained(corpus, samples[40:], tmp_path / "old", 1.0, resume=True)
    assert all(torch.equal(resumed.tensors[name], value) for name, value in whole.tensors.items())


def test_the_command_streams_and_learns_the_same_vocabulary(
    stored: StoredCorpus, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    assert stored.token_set() == {token for sample in Corpus.read(corpora[0]) for token in sample.tokens}
    settings = ("epochs=1", "batch_size=8", "patterns.recombine=0", f"window={GROUP}")
    run_training(
        TrainRequest(
            "onscan",
            (tmp_path / "train.parquet",),
            corpora[1],
            tmp_path / "run",
            preset="tiny",
            settings=settings,
        )
    )
    done = load_checkpoint(tmp_path / "run" / LAST)
    assert (done.progress.samples, done.recipe.window) == (40, GROUP)
