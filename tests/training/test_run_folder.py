"""One run at a time has a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.errors import BadCheckpoint
from inkscan.training.command import run_training
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import hold_run


def test_a_folder_is_held_by_one_run(tmp_path: Path) -> None:
    out = tmp_path / "new" / "run"
    with hold_run(out):
        with pytest.raises(BadCheckpoint, match="another process is training"), hold_run(out):
            pass
        (out / "kept").touch()
    assert [path.name for path in out.iterdir()] == ["kept"]


def test_a_run_that_does_not_begin_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"), hold_run(tmp_path / "run"):
        raise ValueError("stop")
    assert not (tmp_path / "run").exists()


def test_training_asks_for_the_folder(tmp_path: Path) -> None:
    request = TrainRequest("onscan", (tmp_path / "a.parquet",), tmp_path / "b.parquet", tmp_path / "run")
    with hold_run(request.out), pytest.raises(BadCheckpoint, match="another process is training"):
        run_training(request)
