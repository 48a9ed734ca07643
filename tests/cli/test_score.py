"""How a report is printed."""

from __future__ import annotations

import pytest

from inkscan.cli.score import print_report
from inkscan.evaluation.counts import count_sample
from inkscan.evaluation.report import report


def test_brackets_in_the_names_of_sources_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(
        report([count_sample("1", "x", "x", source="a[/b]"), count_sample("2", "x", "x", source="c")])
    )
    assert "a[/b]" in capsys.readouterr().out
