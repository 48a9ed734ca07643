"""A language model beside a classifier: its file is checked, and what it says is that of its network."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.runtime.tiny_classifier import exported_classifier
from tests.runtime.tiny_language import classifier_with_language, tiny_language

from inkscan import Ink, Recognizer
from inkscan.errors import DamagedModel
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.latex.vocabulary import CROHME, WIDE
from inkscan.runtime.classifier import Classifier, read_classifier
from inkscan.runtime.language import A_TOKEN, Fluency, LanguageModel
from inkscan.runtime.network import run_graph

WITH = classifier_with_language()
ANSWERS = [CROHME.encode(tokens.split()) for tokens in ("x ^ { 2 }", "x", "x ^ { 2 } + 1", "")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_classifier(WITH, tmp_path / "shapes", classifier_card(WITH))
    return tmp_path / "shapes"


@pytest.fixture
def model() -> LanguageModel:
    found = Classifier(WITH).language
    assert found is not None
    return found


# ---- its file


def test_a_folder_has_it_or_not(folder: Path, tmp_path: Path) -> None:
    assert read_classifier(folder).language == WITH.language is not None
    alone = exported_classifier()
    write_classifier(alone, tmp_path / "alone", classifier_card(alone))
    assert read_classifier(tmp_path / "alone").language is None
    assert Classifier(alone).language is None


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_a_damaged_file_is_refused(folder: Path, damage: str) -> None:
    path = folder / "language.onnx"
    content = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(content[:-9] if damage == "cut" else b"x" + content[1:])
    with pytest.raises(DamagedModel, match=r"language\.onnx"):
        read_classifier(folder)


def test_a_graph_of_other_symbols_is_refused_when_it_is_opened(members: Sequence[Any]) -> None:
    other = LanguageModel(WITH.language or b"", replace(CROHME, tokens=CROHME.tokens[:-1]))
    with pytest.raises(DamagedModel, match=r"language\.onnx"):
        _ = other.session
    swapped = Classifier(replace(WITH, language=WITH.graph))
    with pytest.raises(DamagedModel, match=r"language\.onnx"):
        Recognizer(members, classifier=swapped).open_all()


def fails(rows: int, places: int) -> Any:
    raise RuntimeError("indices element out of data bounds")


@pytest.mark.parametrize(
    "broken",
    [
        lambda rows, places: np.full((rows, places, len(CROHME)), np.nan, np.float32),
        lambda rows, places: np.zeros((rows, 1, len(CROHME)), np.float32),
        lambda rows, places: np.zeros((rows, 0, len(CROHME)), np.float32),
        fails,
    ],
    ids=["nan", "one place", "no place", "fails"],
)
def test_what_is_no_log_probability_is_refused(
    broken: Callable[[int, int], Any], model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def run(self, outputs: None, feeds: dict[str, Any]) -> list[Any]:
            return [broken(*feeds["answers"].shape)]

    monkeypatch.setitem(vars(model), "session", Broken())
    with pytest.raises(DamagedModel, match=r"language\.onnx"):
        model.fluency(ANSWERS)


# ---- what it says


def test_an_answer_is_as_likely_as_torch_says(model: LanguageModel) -> None:
    network = tiny_language()
    for answer, found in zip(ANSWERS, model.fluency(ANSWERS), strict=True):
        tokens = torch.tensor([*answer, CROHME.end])
        with torch.no_grad():
            said = network(tokens[None])[0].gather(1, tokens[:, None]).sum()
        assert found == pytest.approx(float(said) + A_TOKEN * len(answer), abs=1e-3)


def test_answers_together_are_as_likely_as_alone(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [model.fluency([answer])[0] for answer in ANSWERS]
    assert model.fluency(ANSWERS) == pytest.approx(alone, abs=1e-4)
    seen: list[int] = []

    def watched(session: Any, name: str, results: None, feeds: dict[str, Any]) -> Any:
        seen.append(len(feeds["answers"]))
        return run_graph(session, name, results, feeds)

    monkeypatch.setattr("inkscan.runtime.language.run_graph", watched)
    monkeypatch.setattr("inkscan.runtime.language.TOKENS_AT_ONCE", 17)
    assert model.fluency(ANSWERS) == pytest.approx(alone, abs=1e-4)
    assert seen == [2, 2]


@pytest.mark.parametrize(
    ("said", "judged"),
    [
        ("\\hat { x }", "x"),
        ("x ^ { \\hat { x } }", "x ^ { x }"),
        ("\\vec { x ^ { \\hat { 2 } } } ^ { x }", "x ^ { 2 } ^ { x }"),
        ("\\frac { \\overline { a } } { b }", "\\frac { a } { b }"),
        ("\\hat", ""),
        ("\\hat } {", "} {"),
    ],
)  # fmt: skip
def test_accents_are_not_judged_their_letters_are(said: str, judged: str) -> None:
    wide = classifier_with_language(WIDE)
    model = Classifier(wide).language
    assert model is not None
    found, wanted = model.fluency([WIDE.encode(text.split()) for text in (said, judged)])
    assert found == pytest.approx(wanted, abs=1e-4)


def test_each_answer_is_looked_at_once(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []
    fluency = LanguageModel.fluency

    def watched(self: LanguageModel, answers: Sequence[tuple[int, ...]]) -> list[float]:
        asked.extend(answers)
        return fluency(self, answers)

    monkeypatch.setattr(LanguageModel, "fluency", watched)
    one = Fluency(model)
    first = one.of(ANSWERS[:2])
    assert one.of([*ANSWERS[:2], ANSWERS[1]]) == [*first, first[1]]
    assert sorted(asked) == sorted(ANSWERS[:2])


def test_it_can_change_the_answer(members: Sequence[Any], inks: list[Ink]) -> None:
    alone = Recognizer(members, classifier=Classifier(exported_classifier()))
    beside = Recognizer(members, classifier=Classifier(WITH))
    for weighed in (beside, pickle.loads(pickle.dumps(beside))):
        assert [weighed(ink, max_tokens=8, fluency=0) for ink in inks] == [
            alone(ink, max_tokens=8) for ink in inks
        ]
        assert any(
            weighed(ink, max_tokens=8, fluency=10).tokens != alone(ink, max_tokens=8).tokens for ink in inks
        )


@pytest.fixture
def members(recognizer: Recognizer) -> Sequence[Any]:
    """A tiny model of CROHME's symbols."""
    return recognizer.members
