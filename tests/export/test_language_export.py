"""An exported language model computes what torch computes, whatever its weights are stored in."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tests.runtime.tiny_classifier import exported_classifier
from tests.runtime.tiny_language import classifier_with_language, tiny_language
from tests.test_faults import each_fault

from inkscan.errors import ModelError
from inkscan.export import language_export
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.export.language_export import language_graph, with_language
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.classifier import read_classifier
from inkscan.runtime.graph_file import OPERATORS, check_graph
from inkscan.runtime.language import LanguageModel

ANSWERS = [CROHME.encode(tokens.split()) for tokens in ("x ^ { 2 } + 1", "y", "\\frac { a } { b }")]


def test_its_operators_are_let_through_and_known() -> None:
    graph = language_graph(tiny_language(), bits=8)
    assert {node.op_type for node in graph.graph.node} <= OPERATORS
    names = check_graph(graph.SerializeToString(), "language.onnx")
    assert (names.inputs, names.outputs) == (["answers"], ["log_probs"])


def test_eight_bits_are_smaller_and_say_nearly_the_same() -> None:
    whole, short = (
        with_language(exported_classifier(), tiny_language(), "CC0-1.0", {}, bits).language or b""
        for bits in (32, 8)
    )
    assert len(short) < 0.3 * len(whole)
    said, nearly = (LanguageModel(graph, CROHME).fluency(ANSWERS) for graph in (whole, short))
    assert nearly == pytest.approx(said, abs=0.5) and nearly != said


@pytest.mark.parametrize("wrong", ["gru", "start", "nan"])
def test_a_graph_that_answers_otherwise_is_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_language()
    other = tiny_language(seed=1)
    if wrong == "gru":
        other.load_state_dict(model.state_dict())
        other.get_parameter("grus.1.weight_hh_l0").data.mul_(0.8)
    elif wrong == "start":
        other.load_state_dict(model.state_dict())
        other.embedding.weight.data[-1] = 0
    else:
        other.bias.data[3] = torch.nan
    written = language_graph(other)
    monkeypatch.setattr(language_export, "language_graph", lambda model, *, bits: written)
    with pytest.raises(ModelError, match="otherwise than torch"):
        with_language(exported_classifier(), model, "CC0-1.0", {}, 32)


def test_weights_that_are_no_numbers_are_refused() -> None:
    model = tiny_language()
    model.get_parameter("out.weight").data[0] = torch.nan
    with pytest.raises(ModelError, match="otherwise than torch"):
        with_language(exported_classifier(), model, "CC0-1.0", {}, 32)


def test_if_anything_fails_the_old_folder_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, beside = exported_classifier(), classifier_with_language()
    failed = 0
    for faults in each_fault(monkeypatch):
        folder = tmp_path / f"fault-{faults.at}"
        with faults.held():
            write_classifier(alone, folder, classifier_card(alone))
        written = True
        try:
            write_classifier(beside, folder, "beside\n")
        except OSError:
            written = False
        failed += not written
        assert read_classifier(folder).language == (beside.language if written else None)
        assert (folder / "language.onnx").exists() == written
    assert failed > 8
