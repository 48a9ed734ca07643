"""Checkpoints: whole or not at all, and honest about damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from inkscan.errors import BadCheckpoint
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.training import checkpoint as module
from inkscan.training.checkpoint import Checkpoint, Progress, load_checkpoint, save_checkpoint
from inkscan.training.recipes import Recipe


@pytest.fixture
def checkpoint() -> Checkpoint:
    config = preset("tiny", "onscan", len(CROHME))
    tensors = {f"model.{key}": value for key, value in Scan(config).state_dict().items()}
    return Checkpoint(config, CROHME, Recipe(), Progress(step=3, best=12.5), {"command": "test"}, tensors)


def test_round_trip(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "run" / "last.safetensors"
    save_checkpoint(checkpoint, path)
    loaded = load_checkpoint(path)
    assert (loaded.config, loaded.recipe, loaded.progress) == (
        checkpoint.config, checkpoint.recipe, checkpoint.progress,
    )  # fmt: skip
    assert loaded.vocabulary == CROHME
    assert loaded.tensors.keys() == checkpoint.tensors.keys()
    assert all(torch.equal(loaded.tensors[k], v) for k, v in checkpoint.tensors.items())


def test_damage_is_reported(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    save_checkpoint(checkpoint, path)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BadCheckpoint, match="damaged"):
        load_checkpoint(path)
    with pytest.raises(BadCheckpoint, match="no checkpoint"):
        load_checkpoint(tmp_path / "nothing")


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), SafetensorError("I/O error: No space left on device")]
)
def test_a_full_disk_leaves_the_old_checkpoint(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    path = tmp_path / "last.safetensors"
    save_checkpoint(checkpoint, path)
    before = path.read_bytes()

    def full_disk(*_: object) -> None:
        raise error

    monkeypatch.setattr(module, "save_file", full_disk)
    with pytest.raises(BadCheckpoint, match="disk full"):
        save_checkpoint(checkpoint, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_run_left_goes_with_the_next_checkpoint(checkpoint: Checkpoint, tmp_path: Path) -> None:
    (tmp_path / "last.safetensors.1.partial").write_bytes(b"half")
    save_checkpoint(checkpoint, tmp_path / "last.safetensors")
    assert [path.name for path in tmp_path.iterdir()] == ["last.safetensors"]


def test_a_flipped_bit_anywhere_is_noticed(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path, spoilt = tmp_path / "last.safetensors", tmp_path / "spoilt.safetensors"
    save_checkpoint(checkpoint, path)
    content = path.read_bytes()
    rng = random.Random(5)
    for place in (
        *(rng.randrange(len(content)) for _ in range(100)),
        *(rng.randrange(8, 4000) for _ in range(100)),
    ):
        flipped = bytearray(content)
        flipped[place] ^= 1 << rng.randrange(8)
        spoilt.write_bytes(flipped)
        with pytest.raises(BadCheckpoint):
            load_checkpoint(spoilt)


def test_a_flipped_bit_in_the_name_of_the_hash_is_noticed(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    save_checkpoint(checkpoint, path)
    content = path.read_bytes()
    assert content.count(b'"sha256"') == 1
    path.write_bytes(content.replace(b'"sha256"', b'"sha257"'))
    with pytest.raises(BadCheckpoint, match="sha257"):
        load_checkpoint(path)


def rewritten(path: Path, changes: dict[str, str]) -> None:
    """The file with another header, and without a hash, as files of before have none."""
    with safe_open(path, framework="pt") as file:
        header = {**file.metadata(), **changes}
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a dict
    header.pop("sha256", None)
    save_file(tensors, path, header)


def test_a_file_from_before_there_was_a_hash_is_read(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    save_checkpoint(checkpoint, path)
    rewritten(path, {})
    assert load_checkpoint(path).progress == checkpoint.progress


@pytest.mark.parametrize("name", ["model", "recipe", "progress", "provenance", "vocabulary"])
@pytest.mark.parametrize("text", ["[" * 100_000, "{", "3", "[]", "null"])
def test_texts_of_another_shape_are_refused(
    checkpoint: Checkpoint, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / "last.safetensors"
    save_checkpoint(checkpoint, path)
    rewritten(path, {name: text})
    with pytest.raises(BadCheckpoint):
        load_checkpoint(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(
    checkpoint: Checkpoint, tmp_path: Path, value: float
) -> None:
    path = tmp_path / "last.safetensors"
    name = next(key for key, tensor in checkpoint.tensors.items() if tensor.is_floating_point())
    checkpoint.tensors[name] = torch.full_like(checkpoint.tensors[name], value)
    save_checkpoint(checkpoint, path)
    with pytest.raises(BadCheckpoint, match="not finite"):
        load_checkpoint(path)


def test_others_may_read_a_checkpoint_as_they_may_any_file(checkpoint: Checkpoint, tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    save_checkpoint(checkpoint, tmp_path / "last.safetensors")
    assert (tmp_path / "last.safetensors").stat().st_mode == (tmp_path / "any").stat().st_mode
