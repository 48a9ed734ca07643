from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inkscan import load
from inkscan.errors import DamagedModel, UnknownModel
from inkscan.export.card import model_card
from inkscan.export.model import ExportSettings, export_model
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime import models
from inkscan.runtime.models import ModelInfo, bundled_models, find_model, read_model

from .conftest import SETTINGS, tiny_scan


@pytest.fixture
def folder(model_folder: Callable[..., Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder("onscan"), tmp_path / "copy"))


def test_model_json_comes_back_as_it_was(folder: Path) -> None:
    info = read_model(folder).info
    assert ModelInfo.from_json(info.to_json()) == info
    assert info.system == "onscan"
    assert info.views == ("on-strokes",)
    assert set(info.sha256) == {"encoder.onnx", "step.onnx", "card.md"}


def test_a_model_brings_its_length_power(folder: Path) -> None:
    info = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(info | {"length_power": 0.7}))
    assert load(folder).settings.length_power == 0.7


def test_the_variant_says_what_goes_beyond_the_paper(folder: Path) -> None:
    info = read_model(folder).info
    bank = {"bank": {"file": "b.tar", "sha256": "0", "licence": "unknown"}}
    assert info.variant == ""
    assert replace(info, provenance=bank).variant == "extra symbols"
    both = replace(info, provenance=bank, sizes={**info.sizes, "context_layers": 2})
    assert both.variant == "stroke context, extra symbols"
    small = replace(info.features, image_height=16)
    assert replace(info, offline=True, features=small).variant == "smaller image branch"
    assert replace(info, features=small).variant == ""


@pytest.mark.parametrize(("stated", "said"), [("", "not stated"), ("CC BY 4.0", "CC BY 4.0")])
def test_the_card_has_the_licence_of_the_training_data(stated: str, said: str) -> None:
    provenance = {"train": {"licence": stated}}
    exported = export_model(tiny_scan("onscan"), CROHME, SETTINGS, ExportSettings("onscan"), provenance)
    assert exported.info.licence == said
    assert f"and so of the weights: {said}.\n" in model_card(exported)


@pytest.mark.parametrize("name", ["encoder.onnx", "step.onnx"])
@pytest.mark.parametrize("damage", ["flip", "cut", "missing", "foreign"])
def test_a_damaged_file_is_refused(
    folder: Path, model_folder: Callable[..., Path], name: str, damage: str
) -> None:
    path = folder / name
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(content[:-100])
    elif damage == "foreign":
        shutil.copy(model_folder("onscan", seed=1) / name, path)
    else:
        path.unlink()
    with pytest.raises(DamagedModel, match=r"again") as raised:
        load(folder)
    assert raised.value.code == "model.damaged"
    assert name in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "other"}', '{"format": "inkscan-model-1"}', "\xff"],
)
def test_a_broken_model_json_is_refused(folder: Path, text: str) -> None:
    (folder / "model.json").write_text(text, encoding="latin-1")
    with pytest.raises(DamagedModel):
        load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"name": None}, {"views": ["elsewhere"]}, {"views": ["on-strokes", "pixels"]}, {"online": False},
        {"sha256": []}, {"vocabulary": []}, {"vocabulary": list(CROHME.tokens[:-1])},
        {"vocabulary": [*CROHME.tokens, "new"]},
        {"length_power": None}, {"length_power": 9},
        {"calibration": {"expression": [1, 2], "without_lead": [0] * 5, "symbol": [0, 1]}},
        {"calibration": {"expression": [0] * 6, "without_lead": [0] * 5, "symbol": ["a", "b"]}},
        {"features": {"pen": 0}}, {"sizes": 3},
    ],
)  # fmt: skip
def test_a_model_json_that_does_not_fit_is_refused(folder: Path, change: dict[str, object]) -> None:
    values = json.loads((folder / "model.json").read_text("utf-8"))
    (folder / "model.json").write_text(json.dumps(values | change), "utf-8")
    with pytest.raises(DamagedModel, match=r"damaged or of another version|export it again"):
        load(folder)


def test_graphs_that_onnxruntime_cannot_load_are_refused(folder: Path) -> None:
    import hashlib

    (folder / "step.onnx").write_bytes(b"no graph")
    values = json.loads((folder / "model.json").read_text("utf-8"))
    values["sha256"]["step.onnx"] = hashlib.sha256(b"no graph").hexdigest()
    (folder / "model.json").write_text(json.dumps(values), "utf-8")
    with pytest.raises(DamagedModel, match="onnxruntime cannot load"):
        load(folder)


def test_an_unknown_name_says_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownModel, match="inkscan export"):
        find_model("no-such-model")
    monkeypatch.setattr(models, "WEIGHTS", tmp_path / "none")
    with pytest.raises(UnknownModel, match="comes without weights"):
        load()
    with pytest.raises(UnknownModel, match=r"holds no model\.json"):
        load(tmp_path)


def test_bundled_weights_are_found_by_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "weights"
    for name in ("another", models.DEFAULT):
        shutil.copytree(folder, weights / name)
    (weights / "notes").mkdir()
    monkeypatch.setattr(models, "WEIGHTS", weights)
    assert list(bundled_models()) == ["another", models.DEFAULT]
    assert find_model() == find_model(models.DEFAULT) == weights / models.DEFAULT
    assert find_model("another") == weights / "another"
