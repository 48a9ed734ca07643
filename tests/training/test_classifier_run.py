"""A classifier's training: it learns, and goes on exactly as if it had never stopped."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch.utils.data import DataLoader

from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint, TrainingError
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.training import checkpoint, classifier_run
from inkscan.training.checkpoint import content_hash
from inkscan.training.classifier_run import (
    ClassifierProgress,
    ClassifierRun,
    load_classifier_checkpoint,
    train_classifier,
)
from inkscan.training.patterns import Material
from inkscan.training.recipes import NO_PATTERNS, ClassifierRecipe, Patterns, Recipe, to_plain

TINY = ClassifierRecipe(batch_size=32, epochs=2.0, warmup_steps=2, ema=0.9)
Tensors = dict[str, torch.Tensor]


@pytest.fixture(autouse=True)
def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An epoch of three chunks, the last of which is smaller."""
    monkeypatch.setattr(classifier_run, "PATTERNS_AT_ONCE", 15)


def run_of(
    samples: list[Sample], out: Path, recipe: ClassifierRecipe = TINY, **changes: Any
) -> ClassifierRun:
    run = ClassifierRun(
        vocabulary=CROHME,
        recipe=recipe,
        train=samples[:40],
        valid=samples[40:],
        extra=Material(),
        out=out,
        provenance={},
    )
    return replace(run, **changes)


class Interrupted(Exception):
    """Stands for what ends a run after an epoch."""


def stop(progress: ClassifierProgress) -> None:
    raise Interrupted


def stored(path: Path) -> tuple[dict[str, str], Tensors]:
    with safe_open(path, framework="pt") as file:
        return dict(file.metadata()), {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118


def progress_of(path: Path) -> dict[str, Any]:
    progress: dict[str, Any] = json.loads(stored(path)[0]["progress"])
    del progress["cpu_hours"]
    return progress


def assert_same(found: Tensors, wanted: Tensors) -> None:
    assert found.keys() == wanted.keys()
    assert all(torch.equal(value, wanted[name]) for name, value in found.items())


@pytest.fixture(scope="module")
def whole(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SymbolClassifier]:
    """The checkpoint and the network of an undisturbed run."""
    out = tmp_path_factory.mktemp("whole") / "last.safetensors"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classifier_run, "PATTERNS_AT_ONCE", 15)
        return out, train_classifier(run_of(samples, out))[0]


# ---- learning


def test_it_learns(samples: list[Sample], tmp_path: Path) -> None:
    recipe = replace(TINY, epochs=8.0, batch_size=16, patterns=NO_PATTERNS, cooldown=0.5)
    told: list[ClassifierProgress] = []
    model, done = train_classifier(
        run_of(samples, tmp_path / "last", recipe, valid=samples[:40]), told.append
    )
    assert done == told[-1]
    assert [one.epoch for one in told] == list(range(1, 9))
    first, last = told[0], told[-1]
    assert last.cross_entropy < 0.7 * first.cross_entropy
    assert last.accuracy > first.accuracy + 20
    assert last.symbols == 8 * first.symbols > 100  # of patterns that are the samples themselves
    assert last.step * recipe.batch_size >= last.symbols  # none is left out
    assert 0 < first.cpu_hours < last.cpu_hours
    assert not model.training


def test_what_a_run_gives_is_the_average_of_its_networks(
    whole: tuple[Path, SymbolClassifier], samples: list[Sample], tmp_path: Path
) -> None:
    out, model = whole
    _, tensors = stored(out)
    for name, value in model.state_dict().items():
        assert torch.equal(value, tensors[f"ema.{name}"])
    assert not torch.equal(tensors["ema.head.1.weight"], tensors["model.head.1.weight"])
    train_classifier(run_of(samples, tmp_path / "last", replace(TINY, epochs=1.0, ema=0.0)))
    _, tensors = stored(tmp_path / "last")
    assert torch.equal(tensors["ema.head.1.weight"], tensors["model.head.1.weight"])


def test_symbols_of_which_no_strokes_are_known_tell_nothing(samples: list[Sample], tmp_path: Path) -> None:
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples[40:]]
    with pytest.raises(TrainingError, match="no symbol of the validation corpus"):
        train_classifier(run_of(samples, tmp_path / "last", valid=bare))
    assert not (tmp_path / "last").exists()


# ---- going on


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    whole: tuple[Path, SymbolClassifier], samples: list[Sample], tmp_path: Path
) -> None:
    out = tmp_path / "last.safetensors"
    with pytest.raises(Interrupted):
        train_classifier(run_of(samples, out), stop)
    assert progress_of(out)["epoch"] == 1
    told: list[ClassifierProgress] = []
    model, done = train_classifier(run_of(samples, out), told.append)
    assert done == told[-1]
    assert [one.epoch for one in told] == [2]
    assert progress_of(out) == progress_of(whole[0])
    assert_same(stored(out)[1], stored(whole[0])[1])
    assert_same(model.state_dict(), whole[1].state_dict())


def test_pictures_made_ahead_give_the_same_weights(
    whole: tuple[Path, SymbolClassifier], samples: list[Sample], tmp_path: Path
) -> None:
    out = tmp_path / "last.safetensors"
    train_classifier(run_of(samples, out, ahead=True))
    assert_same(stored(out)[1], stored(whole[0])[1])
    assert not multiprocessing.active_children()


class Broken:
    """Stands for a loader whose process is killed, or fails, while it sends the second chunk."""

    def __init__(self, error: Exception, chunks: Any, **options: Any) -> None:
        self.error, self.loader = error, DataLoader(chunks, batch_size=None)

    def __iter__(self) -> Iterator[Any]:
        yield next(iter(self.loader))
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError(104, "Connection reset by peer"),
        EOFError(),
        RuntimeError("DataLoader worker (pid 7) is killed by signal: Killed."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_the_end_of_the_process_ahead_says_how_to_go_on(
    samples: list[Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(classifier_run, "DataLoader", partial(Broken, error))
    with pytest.raises(TrainingError, match=r"has ended .*; the same command goes on"):
        train_classifier(run_of(samples, tmp_path / "last", ahead=True))


@pytest.mark.parametrize("ahead", [True, False])
def test_other_faults_of_what_makes_pictures_are_told_as_they_are(
    samples: list[Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: bool
) -> None:
    error = OSError("Caught OSError in DataLoader worker process 0." if ahead else "a file is gone")
    monkeypatch.setattr(classifier_run, "DataLoader", partial(Broken, error))
    with pytest.raises(OSError, match=str(error)):
        train_classifier(run_of(samples, tmp_path / "last", ahead=ahead))


def test_another_seed_gives_other_weights(
    whole: tuple[Path, SymbolClassifier], samples: list[Sample], tmp_path: Path
) -> None:
    out = tmp_path / "last.safetensors"
    with pytest.raises(Interrupted):
        train_classifier(run_of(samples, out, replace(TINY, seed=2)), stop)
    other = stored(out)[1]["model.head.1.weight"]
    assert not torch.equal(other, stored(whole[0])[1]["model.head.1.weight"])


@pytest.fixture
def begun(whole: tuple[Path, SymbolClassifier], tmp_path: Path) -> Path:
    """A copy of the run's checkpoint, to be damaged or gone on with."""
    return Path(shutil.copy(whole[0], tmp_path / "last.safetensors"))


def test_a_finished_run_goes_on_to_nothing(
    whole: tuple[Path, SymbolClassifier], begun: Path, samples: list[Sample]
) -> None:
    told: list[ClassifierProgress] = []
    model, done = train_classifier(run_of(samples, begun), told.append)
    assert (done.epoch, done.symbols) == (2, progress_of(begun)["symbols"])
    assert not told and begun.read_bytes() == whole[0].read_bytes()
    assert_same(model.state_dict(), whole[1].state_dict())


def test_a_run_may_become_longer(begun: Path, samples: list[Sample]) -> None:
    told: list[ClassifierProgress] = []
    train_classifier(run_of(samples, begun, replace(TINY, epochs=3.0, cooldown=0.1)), told.append)
    assert [one.epoch for one in told] == [3]


@pytest.mark.parametrize(
    "changes",
    [
        {"batch_size": 31},
        {"seed": 2},
        {"ema": 0.5},
        {"learning_rate": 1e-3},
        {"patterns": Patterns(lone=0.1)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_run_goes_on_with_its_own_settings_alone(
    begun: Path, samples: list[Sample], changes: dict[str, Any]
) -> None:
    before = begun.read_bytes()
    with pytest.raises(BadCheckpoint, match="other settings"):
        train_classifier(run_of(samples, begun, replace(TINY, epochs=9.0, **changes)))
    assert begun.read_bytes() == before


def test_a_run_goes_on_with_its_own_symbols_alone(begun: Path, samples: list[Sample]) -> None:
    turned = Vocabulary((CROHME.tokens[0], *CROHME.tokens[:0:-1]))
    for other in (turned, Vocabulary((*CROHME.tokens, "new"))):
        with pytest.raises(BadCheckpoint, match="other symbols"):
            train_classifier(run_of(samples, begun, vocabulary=other))


def rewritten(path: Path, tensors: Tensors | None = None, texts: Mapping[str, str] | None = None) -> None:
    """Another content, with the hash that belongs to it."""
    header, held = stored(path)
    header, held = {**header, **(texts or {})}, held if tensors is None else tensors
    header["sha256"] = content_hash(header, held)
    save_file(held, path, header)


def test_a_file_that_also_holds_settings_without_a_use_goes_on(begun: Path, samples: list[Sample]) -> None:
    """As those were written that had the recipe of the ten systems."""
    older = to_plain(replace(Recipe(), **vars(TINY)))
    rewritten(begun, texts={"recipe": json.dumps(older)})
    assert train_classifier(run_of(samples, begun))[1].epoch == 2
    rewritten(begun, texts={"recipe": json.dumps(older | {"ema": 0.5})})
    with pytest.raises(BadCheckpoint, match="other settings"):
        train_classifier(run_of(samples, begun))


# ---- damage


def test_a_flipped_bit_anywhere_is_noticed(begun: Path, samples: list[Sample]) -> None:
    content = begun.read_bytes()
    header = int.from_bytes(content[:8], "little")
    rng = np.random.default_rng(0)
    places = [*rng.integers(8, 8 + header, 20).tolist(), *rng.integers(8 + header, len(content), 10).tolist()]
    for place in (0, *places, len(content) - 1):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        begun.write_bytes(damaged)
        with pytest.raises(BadCheckpoint, match=r"last\.safetensors"):
            train_classifier(run_of(samples, begun))


@pytest.mark.parametrize("content", [b"", b"no checkpoint", b"\0" * 100])
def test_what_is_no_checkpoint_is_refused(begun: Path, samples: list[Sample], content: bytes) -> None:
    begun.write_bytes(content)
    with pytest.raises(BadCheckpoint, match="damaged"):
        train_classifier(run_of(samples, begun))


def test_a_checkpoint_that_is_cut_or_of_another_kind_is_refused(begun: Path, samples: list[Sample]) -> None:
    header, tensors = stored(begun)
    begun.write_bytes(begun.read_bytes()[:-1])
    with pytest.raises(BadCheckpoint, match="damaged"):
        train_classifier(run_of(samples, begun))
    save_file(tensors, begun, {name: text for name, text in header.items() if name != "sha256"})
    with pytest.raises(BadCheckpoint, match="damaged"):  # there were never any without a hash
        train_classifier(run_of(samples, begun))
    header["format"] = "inkscan-checkpoint-1"
    header["sha256"] = content_hash(header, tensors)
    for metadata in (header, {}):
        save_file(tensors, begun, metadata)
        with pytest.raises(BadCheckpoint, match="not an inkscan checkpoint of format inkscan-classifier"):
            train_classifier(run_of(samples, begun))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *product(("recipe", "progress", "provenance", "vocabulary"), ("{", "3", "[]", "null")),
        ("progress", '{"unknown": 1}'),
    ],
)
def test_texts_of_another_shape_are_refused(begun: Path, name: str, text: str) -> None:
    rewritten(begun, texts={name: text})
    with pytest.raises(BadCheckpoint, match=r"last\.safetensors is damaged"):
        load_classifier_checkpoint(begun)


def test_a_text_that_no_classifier_has_is_refused(begun: Path) -> None:
    rewritten(begun, texts={"model": "{}"})
    with pytest.raises(BadCheckpoint, match="a key 'model'"):
        load_classifier_checkpoint(begun)


@pytest.mark.parametrize(
    "name", ["model.head.1.weight", "ema.head.4.bias", "optimizer.exp_avg.head.1.weight"]
)
def test_tensors_that_are_missing_or_of_another_shape_are_refused(
    begun: Path, samples: list[Sample], name: str
) -> None:
    _, tensors = stored(begun)
    without = {key: value for key, value in tensors.items() if key != name}
    for others in (
        without,
        tensors | {name: tensors[name][:-1].clone()},
        tensors | {f"{name}s": tensors[name].clone()},
    ):
        rewritten(begun, others)
        with pytest.raises(BadCheckpoint, match=f"damaged or of another version: {name}"):
            train_classifier(run_of(samples, begun))


@pytest.mark.parametrize("name", ["model.head.1.weight", "optimizer.exp_avg.head.1.weight"])
def test_values_that_are_not_finite_are_refused(begun: Path, samples: list[Sample], name: str) -> None:
    _, tensors = stored(begun)
    rewritten(begun, tensors | {name: torch.full_like(tensors[name], float("nan"))})
    with pytest.raises(BadCheckpoint, match=f"not finite, in {name}"):
        train_classifier(run_of(samples, begun))


def test_a_run_that_runs_away_leaves_the_last_sound_checkpoint(begun: Path, samples: list[Sample]) -> None:
    wild = replace(TINY, learning_rate=1e30, epochs=3.0)
    rewritten(begun, texts={"recipe": json.dumps(to_plain(wild))})
    before = begun.read_bytes()
    with pytest.raises(TrainingError, match="not finite after epoch 3; lower learning_rate"):
        train_classifier(run_of(samples, begun, wild))
    assert begun.read_bytes() == before


# ---- writing


def test_others_may_read_it_and_what_a_killed_run_left_goes(samples: list[Sample], tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    (tmp_path / "last.safetensors.1.partial").write_bytes(b"half")
    out = tmp_path / "last.safetensors"
    with pytest.raises(Interrupted):
        train_classifier(run_of(samples, out), stop)
    assert out.stat().st_mode == (tmp_path / "any").stat().st_mode
    assert {path.name for path in tmp_path.iterdir()} == {"any", "last.safetensors"}


def test_a_full_disk_leaves_the_old_checkpoint(
    begun: Path, samples: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise SafetensorError("I/O error: No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full_disk)
    before = begun.read_bytes()
    with pytest.raises(BadCheckpoint, match="disk full"):
        train_classifier(run_of(samples, begun, replace(TINY, epochs=3.0)))
    assert begun.read_bytes() == before
    assert list(begun.parent.iterdir()) == [begun]
