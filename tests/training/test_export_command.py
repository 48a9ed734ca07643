"""`inkscan export` on a finished run."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.errors import BadRequest
from inkscan.runtime.models import read_model
from inkscan.training.run_folder import LAST


def test_measured_figures_are_kept_for_lists_of_models(finished: Path, tmp_path: Path) -> None:
    figures = ["--figure", "CROHME 2014 ExpRate = 60.65", "--figure", "p=0.05 or less=7"]
    arguments = ["export", str(finished / LAST), "-o", str(tmp_path / "model"), *figures]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert read_model(tmp_path / "model").info.summary == {
        "CROHME 2014 ExpRate": 60.65,
        "p=0.05 or less": 7.0,
    }


@pytest.mark.parametrize("text", ["60.65", "=60.65", "rate=", "rate=high", "rate=nan"])
def test_a_figure_without_name_or_number_is_refused(text: str, finished: Path, tmp_path: Path) -> None:
    arguments = ["export", str(finished / LAST), "-o", str(tmp_path / "model"), "--figure", text]
    with pytest.raises(BadRequest, match="NAME=VALUE"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert not (tmp_path / "model").exists()
