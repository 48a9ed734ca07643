"""`inkscan models`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runtime.tiny_classifier import exported_classifier
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.errors import BadRequest, DamagedModel
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.runtime import models


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with one tiny model and a classifier of its symbols."""
    scan = Scan(preset("tiny", "onscan", len(CROHME))).eval()
    model = export_model(scan, CROHME, FeatureSettings(trace="even"), ExportSettings("tiny"))
    write_model(model, tmp_path / models.DEFAULT)
    classifier = exported_classifier()
    write_classifier(classifier, tmp_path / models.CLASSIFIER, classifier_card(classifier))
    monkeypatch.setattr(models, "WEIGHTS", tmp_path)
    return tmp_path


def test_systems_are_listed_with_parameters_that_add_up() -> None:
    result = CliRunner().invoke(app, ["models", "--systems", "--preset", "tiny", "--json"])
    assert result.exit_code == 0
    rows = json.loads(result.stdout)
    assert len(rows) == 10
    assert all(row["encoder"] + row["attention"] + row["decoder"] == row["total"] for row in rows)
    text = CliRunner().invoke(app, ["models", "--systems"]).stdout
    assert "4,574,548" in text  # OnSCAN at paper size
    assert len(text.splitlines()) == 12


def test_options_of_systems_are_refused_without_them() -> None:
    with pytest.raises(BadRequest, match=r"need.* --systems"):
        CliRunner().invoke(app, ["models", "--preset", "foo"], catch_exceptions=False)


def test_torch_is_imported_for_systems_only() -> None:
    code = "import sys; from inkscan.cli.models import models; models(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_bundled_models_are_listed_with_what_they_reach() -> None:
    rows = json.loads(CliRunner().invoke(app, ["models", "--json"]).stdout)
    assert [row["default"] for row in rows].count(True) == 1
    text = CliRunner().invoke(app, ["models"]).stdout
    for row in rows:
        assert row["name"] in text and row["licence"] in text
        assert all(f"{value:.2f}" in text for value in row["results"].values())


def test_the_classifier_stands_beside_its_default(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = json.loads(CliRunner().invoke(app, ["models", "--json"]).stdout)
    assert row["name"] == models.DEFAULT  # rows are models alone, whose names `--model` takes
    named = row["classifier"]
    assert (named["name"], named["tokens"], named["licence"]) == (models.CLASSIFIER, 110, "CC0-1.0")
    line = CliRunner().invoke(app, ["models"]).stdout.splitlines()[-1]
    assert line.startswith(f"{models.CLASSIFIER}, a classifier") and "110 tokens" in line
    monkeypatch.setattr(models, "DEFAULT", "another")
    (row,) = json.loads(CliRunner().invoke(app, ["models", "--json"]).stdout)
    assert row["classifier"] is None


def test_graphs_are_described_and_not_looked_at(weights: Path) -> None:
    (weights / models.CLASSIFIER / models.CLASSIFIER_GRAPH).write_bytes(b"damaged")
    done = CliRunner().invoke(app, ["models"], catch_exceptions=False)
    assert done.exit_code == 0 and f"{models.CLASSIFIER}, a classifier" in done.stdout


def test_a_damaged_description_is_refused(weights: Path) -> None:
    for content in (b"{}", b"\xff"):
        (weights / models.CLASSIFIER / models.CLASSIFIER_JSON).write_bytes(content)
        with pytest.raises(DamagedModel, match=r"classifier\.json"):
            CliRunner().invoke(app, ["models"], catch_exceptions=False)


def test_the_symbols_of_a_model_are_printed() -> None:
    runner = CliRunner()
    line = runner.invoke(app, ["models", "--symbols"]).stdout
    assert line.count("\n") == 1
    names = [row["name"] for row in json.loads(runner.invoke(app, ["models", "--json"]).stdout)]
    for name in names:
        symbols = json.loads(runner.invoke(app, ["models", "--symbols", "--model", name, "--json"]).stdout)
        assert {"x", "\\frac", "\\sqrt"} <= set(symbols)
    for wrong in (["--systems", "--symbols"], ["--model", names[0]]):
        with pytest.raises(BadRequest, match="--symbols"):
            runner.invoke(app, ["models", *wrong], catch_exceptions=False)
