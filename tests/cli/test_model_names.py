"""Names of models on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inkscan.cli.model_names import model_folder
from inkscan.errors import MissingExtra, UnknownModel
from inkscan.runtime.models import bundled_models


def test_a_bundled_name_comes_before_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name, folder = next(iter(bundled_models().items()))
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / f"{name}.safetensors").write_bytes(b"")
    assert model_folder(name) == folder


def test_an_unknown_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownModel, match="no model 'tap'"):
        model_folder("tap")


def test_a_checkpoint_by_name_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("inkscan.export.on_demand.exported_folder", found.append)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "tap.safetensors").write_bytes(b"")
    model_folder("tap")
    assert found == [Path("checkpoints/tap.safetensors")]


def test_without_torch_a_checkpoint_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tap.safetensors"
    path.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "inkscan.export.on_demand", None)
    with pytest.raises(MissingExtra, match=r"inkscan\[train\]"):
        model_folder(str(path))
