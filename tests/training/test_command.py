"""`inkscan train` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.training.conftest import QUICK

from inkscan.data.corpus import CorpusMetadata
from inkscan.errors import BadCheckpoint, TestSplitSelection
from inkscan.training.command import TrainRequest, check_selection, run_training
from inkscan.training.listener import REPORT
from inkscan.training.loop import METRICS


def request(corpora: tuple[Path, Path], out: Path, **options: object) -> TrainRequest:
    return TrainRequest("onscan", *corpora, out, preset="tiny", settings=QUICK, **options)  # type: ignore[arg-type]


def test_a_run_leaves_config_metrics_and_report(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    run_training(request(corpora, tmp_path / "run"))
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["recipe"]["epochs"] == 1.0
    assert config["provenance"]["train"]["samples"] == 40
    rows = [json.loads(line) for line in (tmp_path / "run" / METRICS).read_text().splitlines()]
    assert rows[-1]["exp_rate"] >= 0
    page = (tmp_path / "run" / REPORT).read_text()
    assert "Validation mistakes" in page
    assert "<svg" in page
    with pytest.raises(BadCheckpoint, match="--resume"):
        run_training(request(corpora, tmp_path / "run"))
    run_training(request(corpora, tmp_path / "run", resume=True))


def test_selecting_on_a_test_split_is_refused() -> None:
    check_selection(CorpusMetadata("test2013"), allowed=False)
    check_selection(CorpusMetadata("test2014"), allowed=True)
    for split in ("test2014", "crohme-test2014"):
        with pytest.raises(TestSplitSelection, match="test2014"):
            check_selection(CorpusMetadata(split), allowed=False)
