"""What a run prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lightning_fabric import Fabric

from inkscan.data.sample import Sample
from inkscan.latex.vocabulary import CROHME
from inkscan.models.systems import preset
from inkscan.training.listener import Listener, keep_until
from inkscan.training.loop import Run, train
from inkscan.training.recipes import Recipe
from inkscan.training.run_folder import REPORT


def test_without_a_terminal_each_validation_is_a_line_and_there_are_no_others(
    samples: list[Sample], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(
        config=replace(preset("tiny", "onscan", len(CROHME)), dropout=0.0),
        vocabulary=CROHME,
        recipe=Recipe(batch_size=8, epochs=2.0),
        train=samples[:16],
        valid=samples[40:],
        out=tmp_path,
        provenance={"selected_on_test": True},
    )
    with Listener(run, active=True) as listener:
        train(run, Fabric(accelerator="cpu", devices=1), listener)
    lines = capsys.readouterr().out.splitlines()
    assert "selected on a test split" in (tmp_path / REPORT).read_text()
    assert lines
    assert all(line.startswith("epoch") and "validation ExpRate" in line for line in lines), lines


def test_what_was_logged_after_the_checkpoint_is_taken_back(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics.jsonl"
    metrics.write_text('{"step": 50}\n{"step": 100}\n{"step": 150}\n{"step": 2')
    keep_until(metrics, 100)
    assert metrics.read_text() == '{"step": 50}\n{"step": 100}\n'
