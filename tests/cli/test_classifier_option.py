"""`--classifier`: who else weighs the answers of `recognize`, `serve`, `bulk` and `eval`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient
from tests.runtime.tiny_classifier import exported_classifier
from typer.testing import CliRunner

from inkscan import Recognizer
from inkscan.cli import recognize as recognize_command
from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.errors import UnknownModel
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.synthesis.generate import Generator
from inkscan.web import logs, server


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("model") / "tiny"
    scan = Scan(preset("tiny", "onscan", len(CROHME))).eval()
    write_model(export_model(scan, CROHME, FeatureSettings(trace="even"), ExportSettings("tiny")), folder)
    return str(folder)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder, exported = tmp_path_factory.mktemp("classifier"), exported_classifier()
    write_classifier(exported, folder, classifier_card(exported))
    return str(folder)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("corpus") / "made.parquet"
    write_corpus(list(Generator(max_symbols=3).samples(2, seed=1)), path, CorpusMetadata("made"))
    return str(path)


def invoke(*words: str) -> str:
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_files_are_read_with_it(model: str, classifier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Recognizer] = []

    def print_answers(files: list[str], recognizer: Recognizer, printed: object) -> int:
        used.append(recognizer)
        return 0

    monkeypatch.setattr(recognize_command, "print_answers", print_answers)
    invoke("recognize", "a.inkml", "--model", model, "--classifier", classifier)
    invoke("recognize", "a.inkml", "--model", model)
    weighed, alone = used
    assert weighed.classifier is not None and weighed.classifier.info.name == "shapes"
    assert alone.classifier is None


def test_a_server_answers_with_it_and_opens_it_before_anybody_waits(
    model: str, classifier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(server, "serve", lambda app, *_: served.append(app))
    monkeypatch.setattr(logs, "log_to_stderr", lambda: None)
    opened: list[Recognizer] = []
    monkeypatch.setattr(Recognizer, "open_all", lambda self: opened.append(self))
    invoke("serve", "--model", model, "--classifier", classifier)
    with TestClient(served[0], base_url="http://localhost") as client:
        assert client.get("/v1/model").json()["classifier"] == "shapes"
    assert [one.classifier and one.classifier.info.name for one in opened] == ["shapes"]


def test_a_report_says_who_weighed(model: str, classifier: str, corpus: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    words = ("eval", model, "--data", corpus, "--json", str(out))
    for options, name in (((), None), (("--classifier", classifier), "shapes")):
        printed = invoke(*words, *options)
        made = json.loads(out.read_text("utf-8"))
        assert (made["model"], made["second"], made["classifier"]) == ("tiny", None, name)
        assert ("tiny, weighed by shapes, beam" in printed) == (name is not None)


@pytest.mark.parametrize("command", ["recognize", "serve", "bulk", "eval"])
def test_a_name_that_nothing_has_is_refused(
    command: str, model: str, corpus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "serve", lambda *_: None)
    given = {
        "recognize": ("a.inkml", "--model", model),
        "serve": ("--model", model),
        "bulk": (str(tmp_path), "-o", str(tmp_path / "out.parquet"), "--model", model),
        "eval": (model, "--data", corpus),
    }
    with pytest.raises(UnknownModel, match="no classifier 'no-such'") as refused:
        invoke(command, *given[command], "--classifier", "no-such")
    assert refused.value.code == "model.unknown"
