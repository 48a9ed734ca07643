"""Checkpoints: whole or not at all, and honest about damage."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError

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
