from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

from inkscan import Ink, load
from inkscan.errors import DamagedModel, UnknownModel
from inkscan.export.card import model_card
from inkscan.export.model import ExportSettings, export_model
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime import models
from inkscan.runtime.models import ModelInfo, bundled_models, find_model, read_model
from inkscan.training.extra import Extra

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


def test_the_card_lists_the_collections_of_what_was_written_with(tmp_path: Path) -> None:
    stroke = [[0, 0], [1, 1]]
    rows = [("uji", "CC BY 4.0")] * 3 + [("detexify", "ODbL 1.0")] * 1200
    named, unnamed = tmp_path / "named.jsonl", tmp_path / "unnamed.jsonl"
    for path, is_named in ((named, True), (unnamed, False)):
        lines = (
            {"label": "x", "writer": "w", "strokes": [stroke]}
            | ({"source": source, "licence": licence} if is_named else {})
            for source, licence in rows
        )
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    records = Extra.read((named, unnamed), ()).records()["bank"]
    provenance = {
        "bank": records,
        "init_bank": [records[0], {"file": "old.jsonl", "sha256": "0", "licence": "unknown"}],
    }
    exported = export_model(tiny_scan("onscan"), CROHME, SETTINGS, ExportSettings("onscan"), provenance)
    said = [line.partition(" (licence")[0] for line in model_card(exported).splitlines()]
    assert [line for line in said if line.startswith("  * ") or "Extra" in line] == [
        "* Extra symbols: named.jsonl",
        "  * detexify: 1,200",
        "  * uji: 3",
        "* Extra symbols: unnamed.jsonl",
        "* Extra symbols of the weights it started from: named.jsonl",
        "* Extra symbols of the weights it started from: old.jsonl",
    ]
    assert "  * detexify: 1,200 (licence ODbL 1.0)\n" in model_card(exported)


def test_the_card_names_all_that_the_weights_come_from() -> None:
    ours = {"split": "train", "samples": 8, "licence": "A", "fingerprint": "1"}
    other = {"split": "slate", "samples": 9000, "licence": "B", "fingerprint": "2" * 64}
    taught = {"split": "chalk", "samples": 7, "licence": "C", "fingerprint": "3"}
    both = {"split": "train + slate", "licence": "A; B", "fingerprint": "4", "corpora": [ours, other]}
    first = {"file": "first", "licence": "A; B", "command": "train", "train": both}
    again = {"file": "first", "licence": "A; B", "command": "train"}  # as `without_repeats` leaves it
    pupil = {"file": "pupil", "licence": "A; C", "train": ours, "teachers": [{"file": "t", "train": taught}]}
    provenance = {
        "train": ours,
        "init": first,
        "more_inits": [pupil],
        "mean_of": [{"file": "run", "licence": "A", "train": ours}, again],
        "teachers": [{"file": "teacher", "licence": "C", "train": taught}],
    }
    exported = export_model(tiny_scan("onscan"), CROHME, SETTINGS, ExportSettings("onscan"), provenance)
    card = model_card(exported).splitlines()
    assert card[card.index("* Trained on: train (8 inks, fingerprint 1).") + 1 :][:7] == [
        "* Started from the weights first (trained on train + slate; licence A; B).",
        "* Started from the weights pupil (trained on train; licence A; C).",
        "* A mean, of the weights run (trained on train; licence A).",
        "* A mean, of the weights first (trained on train + slate; licence A; B).",
        "* Taught by the weights teacher (trained on chalk; licence C).",
        "* What it comes from has learnt from slate, too (9,000 inks, licence B, fingerprint 2222222222222222).",
        "* What it comes from has learnt from chalk, too (7 inks, licence C, fingerprint 3).",
    ]


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


def write_graph(folder: Path, name: str, content: bytes) -> None:
    """Put a graph into a folder, with its hash."""
    (folder / name).write_bytes(content)
    values = json.loads((folder / "model.json").read_text("utf-8"))
    values["sha256"][name] = hashlib.sha256(content).hexdigest()
    (folder / "model.json").write_text(json.dumps(values), "utf-8")


def changed_graph(folder: Path, name: str, change: Callable[[onnx.ModelProto], object]) -> None:
    model = onnx.load(folder / name)
    change(model)
    write_graph(folder, name, model.SerializeToString())


@pytest.mark.parametrize("content", [b"no graph", b"", b"\xff" * 100])
def test_files_that_are_no_graphs_are_refused(folder: Path, content: bytes) -> None:
    write_graph(folder, "step.onnx", content)
    with pytest.raises(DamagedModel, match="export the model again"):
        load(folder)


def test_graphs_that_onnxruntime_cannot_load_are_refused(folder: Path) -> None:
    changed_graph(folder, "step.onnx", lambda model: model.graph.node[0].input.__setitem__(0, "nowhere"))
    with pytest.raises(DamagedModel, match="onnxruntime cannot load"):
        load(folder)


def test_graphs_in_one_anothers_place_are_refused(folder: Path) -> None:
    encoder, step = ((folder / name).read_bytes() for name in ("encoder.onnx", "step.onnx"))
    write_graph(folder, "encoder.onnx", step)
    write_graph(folder, "step.onnx", encoder)
    with pytest.raises(DamagedModel, match="not the graphs of these names"):
        load(folder)


def add_loop(model: onnx.ModelProto) -> None:
    body = onnx.helper.make_graph([], "body", [], [])
    model.graph.node.append(onnx.helper.make_node("Loop", ["", "", ""], ["more"], body=body))


def hide_a_graph(model: onnx.ModelProto) -> None:
    body = onnx.helper.make_graph([], "body", [], [])
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("body", body))


def lend_weights(model: onnx.ModelProto) -> None:
    weights = model.graph.initializer[0]
    weights.ClearField("raw_data")
    weights.data_location = onnx.TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="elsewhere.bin")


def spoil_weights(model: onnx.ModelProto) -> None:
    weights = next(one for one in model.graph.initializer if one.data_type == onnx.TensorProto.FLOAT)
    values = onnx.numpy_helper.to_array(weights).copy()
    values.flat[-1] = np.nan
    weights.CopyFrom(onnx.numpy_helper.from_array(values, weights.name))


@pytest.mark.parametrize("name", ["encoder.onnx", "step.onnx"])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (add_loop, "'Loop'"),
        (hide_a_graph, "a graph within a graph"),
        (lend_weights, "weights from another file"),
        (spoil_weights, "NaN"),
        (lambda model: setattr(model.graph.node[0], "domain", "com.elsewhere"), "'com.elsewhere'"),
        (lambda model: model.functions.add(name="own", domain="here"), "functions of its own"),
    ],
)
def test_graphs_hold_only_what_export_writes(
    folder: Path, name: str, change: Callable[[onnx.ModelProto], object], said: str
) -> None:
    changed_graph(folder, name, change)
    with pytest.raises(DamagedModel, match=said):
        read_model(folder)


def test_answers_that_are_no_numbers_are_refused(folder: Path) -> None:
    """0/0 in the graph itself: no weight tells it."""

    def divide(model: onnx.ModelProto) -> None:
        last = next(node for node in model.graph.node if "log_probs" in node.output)
        last.output[0] = "sound"
        model.graph.node.append(onnx.helper.make_node("Sub", ["sound", "sound"], ["zero"]))
        model.graph.node.append(onnx.helper.make_node("Div", ["zero", "zero"], ["log_probs"]))

    changed_graph(folder, "step.onnx", divide)
    with pytest.raises(DamagedModel, match="NaN"):
        load(folder)(Ink.from_points([[[0, 0], [5, 5]]]))


def test_a_model_json_beyond_all_measure_is_not_read(folder: Path) -> None:
    with (folder / "model.json").open("r+b") as stream:
        stream.truncate(300_000_000)
    with pytest.raises(DamagedModel, match="the limit for such a file"):
        read_model(folder)


@pytest.mark.parametrize("vocabulary", [[1, 2, 3], ["<eos>", 1], ["<eos>", None], "<eos>", [["<eos>"], "x"]])
def test_a_vocabulary_of_other_things_than_texts_is_refused(folder: Path, vocabulary: object) -> None:
    values = json.loads((folder / "model.json").read_text("utf-8"))
    (folder / "model.json").write_text(json.dumps(values | {"vocabulary": vocabulary}), "utf-8")
    with pytest.raises(DamagedModel):
        read_model(folder)


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
