"""A classifier's folder is checked when it is read, and its graph when it is first asked."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from tests.runtime.tiny_classifier import exported_classifier

from inkscan import Ink, Recognizer, load
from inkscan.errors import DamagedModel, UnknownModel
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.features.symbol_pictures import StrokeGroup
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.runtime import models
from inkscan.runtime.classifier import Classifier, ClassifierInfo, ExportedClassifier, read_classifier
from inkscan.runtime.network import Float32

EXPORTED = exported_classifier()
GROUPS: list[StrokeGroup] = [(0,), (1,), (0, 1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_classifier(EXPORTED, tmp_path / "shapes", classifier_card(EXPORTED))
    return tmp_path / "shapes"


@pytest.fixture
def members(recognizer: Recognizer) -> Sequence[Any]:
    """A tiny model of CROHME's symbols."""
    return recognizer.members


def change(folder: Path, **values: object) -> None:
    path = folder / "classifier.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")


def write_graph(folder: Path, content: bytes) -> None:
    """Put a graph into the folder, with its hash."""
    (folder / "classifier.onnx").write_bytes(content)
    change(folder, sha256={"classifier.onnx": sha256(content).hexdigest()})


# ---- its folder


def test_a_folder_comes_back_as_it_was_written(folder: Path) -> None:
    found = read_classifier(folder)
    assert found.graph == EXPORTED.graph
    assert found.info == replace(EXPORTED.info, sha256=found.info.sha256)
    assert found.info.sha256.items() > EXPORTED.info.sha256.items()
    assert set(found.info.sha256) == {"classifier.onnx", "card.md"}
    assert ClassifierInfo.from_json(found.info.to_json()) == found.info


def test_a_folder_without_its_description_is_no_classifier(folder: Path, tmp_path: Path) -> None:
    (folder / "classifier.json").unlink()
    for empty in (folder, tmp_path / "none"):
        with pytest.raises(UnknownModel, match="inkscan classifier"):
            read_classifier(empty)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", "3", "[" * 100_000, '{"format": "other"}', "\xff"),
        *('{"format": "inkscan-model-1"}', '{"format": "inkscan-classifier-1"}'),
    ],
)
def test_a_broken_description_is_refused(folder: Path, text: str) -> None:
    (folder / "classifier.json").write_text(text, encoding="latin-1")
    with pytest.raises(DamagedModel, match=r"classifier\.json"):
        read_classifier(folder)


@pytest.mark.parametrize(
    "values",
    [
        {"format": "inkscan-classifier-2"}, {"name": None}, {"licence": 3}, {"provenance": []},
        {"sha256": []}, {"vocabulary": []}, {"vocabulary": None}, {"vocabulary": "<eos>"},
        {"vocabulary": ["x", "<eos>"]}, {"vocabulary": ["<eos>", 1]}, {"vocabulary": ["<eos>", "x", "x"]},
        {"vocabulary": [["<eos>"], "x"]}, {"more": 1},
    ],
)  # fmt: skip
def test_a_description_of_other_things_is_refused(folder: Path, values: dict[str, object]) -> None:
    change(folder, **values)
    with pytest.raises(DamagedModel):
        read_classifier(folder)


@pytest.mark.parametrize("name", ["name", "vocabulary", "licence", "provenance", "sha256"])
def test_a_description_that_lacks_something_is_refused(folder: Path, name: str) -> None:
    values = json.loads((folder / "classifier.json").read_text("utf-8"))
    del values[name]
    (folder / "classifier.json").write_text(json.dumps(values), "utf-8")
    with pytest.raises(DamagedModel, match="damaged or of another version"):
        read_classifier(folder)


def test_a_description_beyond_all_measure_is_not_read(folder: Path) -> None:
    with (folder / "classifier.json").open("r+b") as stream:
        stream.truncate(300_000_000)
    with pytest.raises(DamagedModel, match="the limit for such a file"):
        read_classifier(folder)


@pytest.mark.parametrize("damage", ["flip", "cut", "missing", "foreign", "no hash"])
def test_a_graph_that_is_not_the_one_described_is_refused(folder: Path, damage: str) -> None:
    path = folder / "classifier.onnx"
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(content[:-100])
    elif damage == "foreign":
        path.write_bytes(exported_classifier(seed=1).graph)
    elif damage == "no hash":
        change(folder, sha256={})
    else:
        path.unlink()
    with pytest.raises(DamagedModel, match="again"):
        read_classifier(folder)


@pytest.mark.parametrize("content", [b"no graph", b"\xff" * 100])
def test_a_file_that_is_no_graph_is_refused(folder: Path, content: bytes) -> None:
    write_graph(folder, content)
    with pytest.raises(DamagedModel, match=r"classifier\.onnx"):
        read_classifier(folder)


def test_a_graph_with_what_export_never_writes_is_refused(folder: Path) -> None:
    graph = onnx.load(folder / "classifier.onnx")
    graph.graph.node[0].op_type = "Loop"
    write_graph(folder, graph.SerializeToString())
    with pytest.raises(DamagedModel, match="'Loop'"):
        read_classifier(folder)


# ---- its graph


def test_it_is_made_ready_when_it_is_first_asked(inks: list[Ink]) -> None:
    classifier = Classifier(EXPORTED)
    assert "session" not in vars(classifier)
    scores = classifier.scores(inks[0], GROUPS)
    assert scores.shape == (3, len(CROHME) + 1) and scores.dtype == np.float32
    assert "session" in vars(classifier)


def test_it_travels_to_other_processes(inks: list[Ink]) -> None:
    classifier = Classifier(EXPORTED, threads=2)
    before = classifier.scores(inks[0], GROUPS)
    copy = pickle.loads(pickle.dumps(classifier))
    assert copy.threads == 2 and "session" not in vars(copy)
    np.testing.assert_array_equal(copy.scores(inks[0], GROUPS), before)


def test_a_graph_of_another_contract_is_refused_when_it_is_asked(
    folder: Path, model_folder: Callable[..., Path], inks: list[Ink]
) -> None:
    step = (model_folder("onscan") / "step.onnx").read_bytes()
    fewer = replace(EXPORTED.info, vocabulary=Vocabulary(CROHME.tokens[:-1]))
    for info, graph in ((EXPORTED.info, step), (fewer, EXPORTED.graph)):
        classifier = Classifier(ExportedClassifier(info, graph))
        with pytest.raises(DamagedModel, match=r"classifier\.onnx differs in"):
            classifier.scores(inks[0], GROUPS)
    write_graph(folder, step)
    with pytest.raises(DamagedModel, match="differs in pictures, measures"):
        _ = Classifier(read_classifier(folder)).session


# ---- in a recogniser


def test_it_needs_the_vocabulary_of_the_first_model(members: Sequence[Any]) -> None:
    others = (Vocabulary(("<eos>", "x")), Vocabulary((CROHME.tokens[0], *CROHME.tokens[:0:-1])))
    for other in others:
        info = replace(EXPORTED.info, vocabulary=other)
        with pytest.raises(DamagedModel, match="a classifier needs the vocabulary of the first model"):
            Recognizer(members, classifier=Classifier(replace(EXPORTED, info=info)))


def test_a_damaged_one_can_be_refused_before_it_is_asked(members: Sequence[Any], inks: list[Ink]) -> None:
    damaged = Recognizer(members, classifier=Classifier(replace(EXPORTED, graph=b"not a graph")))
    with pytest.raises(DamagedModel, match=r"cannot load classifier\.onnx"):
        damaged.open_all()
    assert damaged(inks[0], shapes=0).tokens == Recognizer(members)(inks[0]).tokens
    sound = Recognizer(members, classifier=Classifier(EXPORTED))
    sound.open_all()
    assert sound.classifier is not None and "session" in vars(sound.classifier)


def test_a_model_that_is_named_has_none(
    folder: Path, model_folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(model_folder("onscan"), weights / models.DEFAULT)
    monkeypatch.setattr(models, "WEIGHTS", weights)
    assert load().classifier is None  # none is installed
    shutil.copytree(folder, weights / models.CLASSIFIER)
    usual = load()
    assert usual.classifier is not None and usual.classifier.info.name == "shapes"
    assert load(models.DEFAULT).classifier is None
    assert load(weights / models.DEFAULT).classifier is None
    assert models.CLASSIFIER not in models.bundled_models()
    (weights / models.CLASSIFIER / "classifier.onnx").write_bytes(b"")
    with pytest.raises(DamagedModel, match="again"):
        load()


class Telling:
    """A classifier that is sure of one token, whatever it is shown, and keeps what it is asked."""

    info = EXPORTED.info
    language = None

    def __init__(self, token: str) -> None:
        self.number = CROHME.index[token]
        self.asked: list[StrokeGroup] = []

    def scores(self, ink: Ink, groups: Sequence[StrokeGroup]) -> Float32:
        self.asked += groups
        scores = np.zeros((len(groups), len(CROHME) + 1), np.float32)
        scores[:, self.number] = 20.0
        return scores


def test_what_symbols_look_like_can_change_the_answer(members: Sequence[Any], inks: list[Ink]) -> None:
    changed = 0
    for ink in inks[:6]:
        alone = Recognizer(members)(ink, max_tokens=8)
        for other in alone.alternatives[1:]:
            (token, *_) = sorted(set(other.tokens) - set(alone.tokens)) or [""]
            if not token:
                continue
            telling = Telling(token)
            weighed = Recognizer(members, classifier=cast(Any, telling))
            assert weighed(ink, max_tokens=8, shapes=0).tokens == alone.tokens and not telling.asked
            answer = weighed(ink, max_tokens=8, shapes=10)
            changed += token in answer.tokens
            assert all(0 <= stroke < len(ink) for group in telling.asked for stroke in group)
    assert changed


def test_a_recogniser_says_who_weighs_and_keeps_it(members: Sequence[Any]) -> None:
    weighed = Recognizer(members, classifier=Classifier(EXPORTED))
    copies = (weighed, weighed.with_search(beam=3), pickle.loads(pickle.dumps(weighed)))
    for one in copies:
        assert one.classifier is not None and one.classifier.info == EXPORTED.info
        assert "weighed by shapes" in repr(one)
    assert "weighed" not in repr(Recognizer(members))
