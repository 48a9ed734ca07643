"""`inkscan models`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.errors import BadRequest


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
