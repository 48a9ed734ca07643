"""report.html without a model: what it says of a run's metrics and of mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inkscan.data.sample import Sample
from inkscan.training.run_report import Mistake, write_report


@pytest.mark.parametrize(("hours", "said"), [(0.05, "3.0 CPU minutes"), (2.5, "2.50 CPU hours")])
def test_the_lead_says_how_good_and_how_dear(tmp_path: Path, hours: float, said: str) -> None:
    rows = [{"epochs": n, "exp_rate": 40.0 * n, "samples": 1000 * n, "cpu_hours": hours} for n in (1, 2)]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_report(tmp_path / "report.html", tmp_path / "metrics.jsonl", [], "title")
    page = (tmp_path / "report.html").read_text()
    assert "Best validation ExpRate 80.00 % at epoch 2; 2,000 samples" in page
    assert said in page
    assert "None among the inks" in page


def test_a_mistake_shows_truth_and_prediction(tmp_path: Path, samples: list[Sample]) -> None:
    mistake = Mistake(samples[0], ("<", "\\frac"), (0, -1))  # does not parse: shown as it is
    write_report(tmp_path / "report.html", tmp_path / "none.jsonl", [mistake], "title")
    page = (tmp_path / "report.html").read_text()
    assert "Not validated yet." in page
    assert "<math" in page
    assert "<code>&lt; \\frac</code>" in page
    assert "None among the inks" not in page
