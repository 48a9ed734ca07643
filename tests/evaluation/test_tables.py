"""The paper's tables, and what stands beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.errors import BadLabels
from inkscan.evaluation.brief import answers, paper_rates
from inkscan.evaluation.measured import (
    BriefRow,
    MeasuredRow,
    TimeRow,
    read_brief,
    read_measured,
    read_times,
    record,
)
from inkscan.evaluation.paper import OUR_SYSTEMS, TABLES
from inkscan.evaluation.tables import compared_tables
from inkscan.models.systems import SYSTEMS

ROW = MeasuredRow(
    system="onscan",
    dataset="CROHME 2014",
    family="token",
    count=986,
    exp_rate=50.1,
    le1=60.0,
    le2=65.0,
    le3=70.0,
    stru_rate=None,
    date="2026-01-01",
    command="inkscan eval",
    fingerprint="f",
)


def test_the_printed_values_are_the_papers(shared_data: Path) -> None:
    """Every number of a table row in the paper's source, in order."""
    (source,) = (shared_data.parent / "paper").glob("*.txt")
    bodies = re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", source.read_text("utf-8"), re.DOTALL)
    assert len(bodies) == len(TABLES) == 7
    for body, table in zip(bodies, TABLES, strict=True):
        printed = []
        for line in body.split("\\\\"):
            line = re.sub(
                r"\\multirow\{\d\}\{\*\}|\\cite\{\w+\}|\\(mid|bottom)rule|\\textbf|[{}%]|\\", "", line
            )
            cells = [cell.strip() for cell in line.strip().split("&")]
            numbers = [cell for cell in cells if re.fullmatch(r"[\d.]+|-", cell)]
            if numbers:
                name = next(cell for cell in cells if cell in {row.system for row in table.rows})
                printed.append((name, tuple(None if cell == "-" else float(cell) for cell in numbers)))
        assert printed == [(row.system, row.values) for row in table.rows]


def test_rows_fit_their_columns() -> None:
    assert [table.number for table in TABLES] == [1, 2, 3, 4, 5, 6, 7]
    for table in TABLES:
        assert all(len(row.values) == len(table.columns) for row in table.rows)


def test_the_ten_systems_have_the_names_by_which_they_are_trained() -> None:
    assert {system.title: name for name, system in SYSTEMS.items()} == {
        title: title.lower() for title in OUR_SYSTEMS
    }


def test_nothing_measured_leaves_empty_places() -> None:
    for table in compared_tables([]):
        ours = [line for line in table.lines if line.origin != "paper"]
        assert len(ours) == 2 * sum(row.system in OUR_SYSTEMS for row in TABLES[table.number - 1].rows)
        assert all(value is None for line in ours for value in line.values)


def test_a_measured_row_stands_in_its_place_only() -> None:
    filled = {
        (table.number, line.system, line.origin): line.values
        for table in compared_tables([ROW])
        for line in table.lines
        if line.origin != "paper" and any(value is not None for value in line.values)
    }
    assert filled == {
        (1, "OnSCAN", "token"): (50.1, None, None, None),
        (7, "OnSCAN", "token"): (50.1, None, None),
    }


def test_extra_data_has_a_line_of_its_own() -> None:
    extra = MeasuredRow(**{**vars(ROW), "exp_rate": 60.0, "extra_data": True})
    lines = [line for line in compared_tables([ROW, extra])[0].lines if line.system == "OnSCAN"]
    assert [(line.origin, line.values[0]) for line in lines] == [
        ("paper", 51.22),
        ("token", 50.1),
        ("symLG", None),
        ("token, extra data", 60.0),
    ]


def test_what_goes_beyond_the_paper_has_a_line_of_its_own() -> None:
    beyond = MeasuredRow(**{**vars(ROW), "exp_rate": 58.0, "variant": "stroke context"})
    lines = [line for line in compared_tables([ROW, beyond])[0].lines if line.system == "OnSCAN"]
    assert [(line.origin, line.values[0]) for line in lines if line.origin.startswith("token")] == [
        ("token", 50.1),
        ("token, stroke context", 58.0),
    ]


def test_times_stand_in_table_7_with_or_without_rates() -> None:
    times = [TimeRow(s, beam, 10.0 * beam, cost, 20, "2026-01-01", "inkscan bench --systems --record")
             for s, beam, cost in (("tap", 10, 1.0), ("mmscan-e", 10, 1.4), ("mmscan-e", 1, 1.6))]  # fmt: skip
    lines = {
        line.system: line.values for line in compared_tables([], times)[6].lines if line.origin == "token"
    }
    assert lines["MMSCAN-E"] == (None, None, 1.4)
    assert lines["TAP"] == (None, None, 1.0)
    assert lines["WAP"] == (None, None, None)


def test_recording_replaces_only_the_same_measurement(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    better = MeasuredRow(**{**vars(ROW), "exp_rate": 51.0})
    other = MeasuredRow(**{**vars(ROW), "system": "tap"})
    record([ROW], path)
    record([better, other], path)
    assert read_measured(path) == [better, other]


def test_the_kept_rows_can_be_read() -> None:
    assert all(row.command and row.fingerprint and row.date for row in read_measured())
    assert all(row.command and row.milliseconds > 0 for row in read_times())
    assert all(row.command and row.patterns > 0 for row in read_brief())


def test_brief_runs_answer_the_questions_that_they_can() -> None:
    rows = [
        BriefRow("tap", seed, rate, 50.0, 1.0, 100, 8, 20, 0.1, "2026-01-01", "python benchmarks/systems.py")
        for seed, rate in ((1, 40.0), (2, 50.0))
    ]
    online, offline, fusion = answers(rows)
    tap, onscan, both = online.lines
    assert (tap.exp_rate, tap.seeds, tap.paper) == (45.0, 2, 48.47)
    assert (onscan.exp_rate, onscan.seeds, onscan.paper) == (None, 0, 51.22)
    systems = [line.system for answer in (online, offline, fusion) for line in answer.lines]
    assert sorted(systems) == sorted(paper_rates())
    assert both.cross_entropy is None


def test_the_brief_table_has_rows_of_its_own(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["tables", "--brief", "--json"], catch_exceptions=False)
    assert len(json.loads(run.stdout)) == 3
    markdown = CliRunner().invoke(app, ["tables", "--brief", "--markdown"], catch_exceptions=False).stdout
    assert "| TAP | 48.47 |" in markdown
    refused = CliRunner().invoke(app, ["tables", "--brief", "-n", "1"])
    assert refused.exit_code != 0


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    path.write_text('[{"system": "tap"}]')
    with pytest.raises(BadLabels, match="JSON list"):
        read_measured(path)


def test_the_command_prints_text_markdown_and_json(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    record([ROW], path)
    run = [["tables", "--measured", str(path), *more] for more in ([], ["--markdown"], ["--json", "-n", "1"])]
    text, markdown, machine = (
        CliRunner().invoke(app, arguments, catch_exceptions=False) for arguments in run
    )
    assert "50.10" in text.stdout
    assert "|  | token | 50.10 |  |  |  |" in markdown.stdout
    (table,) = json.loads(machine.stdout)
    assert table["lines"][0] == {"system": "TAP", "origin": "paper", "values": [48.47, 67.24, 44.81, 63.12]}
