"""The paper's tables, and what stands beside them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from research.__main__ import app
from research.brief import answers, paper_rates
from research.marks import MARKS
from research.paper import OUR_SYSTEMS, TABLES
from research.records import (
    BriefRow,
    MeasuredRow,
    TimeRow,
    read_brief,
    read_measured,
    read_times,
    record,
)
from research.tables import compared_tables
from tests.conftest import REPOSITORY
from typer.testing import CliRunner

from inkscan.errors import BadLabels, BadRequest
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
    model="mine",
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
        assert len(ours) == 2 * sum(
            line.origin == "paper" for line in table.lines if line.system in OUR_SYSTEMS
        )
        assert all(value is None for line in ours for value in line.values)


def test_a_measured_row_stands_in_its_place_only() -> None:
    filled = {
        (table.number, line.system, line.origin): line.values
        for table in compared_tables([ROW])
        for line in table.lines
        if line.origin != "paper" and any(value is not None for value in line.values)
    }
    assert filled == {
        (0, "OnSCAN", "token"): (None, 50.1, None, None, None, None),
        (1, "OnSCAN", "token"): (50.1, None, None, None),
        (7, "OnSCAN", "token"): (50.1, None, None),
    }


def test_the_first_table_has_all_ten_with_the_papers_values() -> None:
    ten = compared_tables([])[0]
    printed = {line.system: line.values for line in ten.lines if line.origin == "paper"}
    assert tuple(printed) == OUR_SYSTEMS
    assert printed["MMSCAN-E"] == (None, 57.20, 73.94, 53.97, 70.62, 1.32)
    assert printed["OnSCAN+TAP"] == (None, 52.64, 70.89, 47.17, 66.78, None)


def test_what_is_not_the_papers_has_a_line_of_its_own() -> None:
    extra = replace(ROW, exp_rate=60.0, marks="gx")
    lines = [line for line in compared_tables([ROW, extra])[1].lines if line.system == "OnSCAN"]
    assert [(line.origin, line.marks, line.values[0]) for line in lines] == [
        ("paper", "", 51.22),
        ("token", "", 50.1),
        ("token", "gx", 60.0),
    ]


def test_a_system_beyond_the_paper_stands_below_the_ten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, "gate", replace(SYSTEMS["mmscan-e"], name="gate", title="Gate"))
    ten, *papers = compared_tables([replace(ROW, system="gate")])
    assert (ten.lines[-1].system, ten.lines[-1].values[1]) == ("Gate", 50.1)
    assert all(line.system != "Gate" for table in papers for line in table.lines)


def test_seeds_of_one_system_give_their_mean() -> None:
    rows = [replace(ROW, seed=1, exp_rate=50.0), replace(ROW, seed=2, exp_rate=53.0)]
    (line,) = (
        line for line in compared_tables(rows)[1].lines if line.system == "OnSCAN" and line.origin == "token"
    )
    assert (line.values[0], line.seeds) == (51.5, 2)


def test_models_of_one_system_and_seed_are_no_two_seeds() -> None:
    rows = [replace(ROW, seed=1, exp_rate=50.0), replace(ROW, seed=1, exp_rate=53.0, model="larger")]
    found = [
        (line.model, line.values[0], line.seeds)
        for line in compared_tables(rows)[1].lines
        if line.system == "OnSCAN" and line.origin == "token"
    ]
    assert found == [("larger", 53.0, 1), ("mine", 50.0, 1)]
    (both,) = (
        line
        for line in compared_tables([rows[0], replace(rows[1], seed=2)])[1].lines
        if line.system == "OnSCAN" and line.origin == "token"
    )
    assert (both.model, both.values[0], both.seeds) == ("", 51.5, 2)


def test_times_of_trained_models_stand_in_table_7_and_come_before_those_of_random_weights() -> None:
    random, trained = (
        [
            TimeRow(s, beam, known, 10.0 * beam, cost + known, 20, "2026-01-01", "python -m research bench")
            for s, beam, cost in (("tap", 10, 1.0), ("mmscan-e", 10, 1.4), ("mmscan-e", 1, 1.6))
        ]
        for known in (False, True)
    )
    for times, cost in ((random, 1.4), ([*random, *trained], 2.4)):
        lines = {
            line.system: line.values for line in compared_tables([], times)[7].lines if line.origin == "token"
        }
        assert lines["MMSCAN-E"] == (None, None, cost)
        assert lines["WAP"] == (None, None, None)


def test_recording_replaces_only_the_same_measurement(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    better = replace(ROW, exp_rate=51.0)
    other, model = replace(ROW, system="tap"), replace(ROW, model="theirs")
    assert record([ROW], path) == []
    assert record([better, other, model], path) == [ROW]
    assert read_measured(path) == [better, model, other]


def test_the_kept_rows_can_be_read() -> None:
    assert all(row.command and row.fingerprint and row.date for row in read_measured())
    assert all(row.command and row.seconds > 0 for row in read_times())
    assert all(row.command and row.patterns > 0 for row in read_brief())


def test_brief_runs_answer_the_questions_that_they_can() -> None:
    rows = [
        BriefRow("tap", seed, rate, 50.0, 1.0, 100, 8, 20, 0.1, "2026-01-01", "python -m research brief-runs")
        for seed, rate in ((1, 40.0), (2, 50.0))
    ]
    online, offline, fusion = answers(rows)
    tap, onscan, both = online.lines
    assert (tap.exp_rate, tap.seeds, tap.paper) == (45.0, 2, 48.47)
    assert (onscan.exp_rate, onscan.seeds, onscan.paper) == (None, 0, 51.22)
    systems = [line.system for answer in (online, offline, fusion) for line in answer.lines]
    assert sorted(systems) == sorted(paper_rates())
    assert both.cross_entropy is None


def test_the_brief_table_has_rows_of_its_own() -> None:
    assert len(json.loads(printed("--brief", "--json"))) == 3
    assert "| TAP | 48.47 |" in printed("--brief", "--markdown")
    with pytest.raises(BadRequest, match="rows of its own"):
        printed("--brief", "-n", "1")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    path.write_text('[{"system": "tap"}]')
    with pytest.raises(BadLabels, match="JSON list"):
        read_measured(path)


def test_the_command_prints_text_markdown_and_json(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    record([ROW], path)
    kept = ("--measured", str(path))
    assert "50.10" in printed(*kept)
    assert "|  | token | 50.10 |  |  |  |" in printed(*kept, "--markdown")
    (table,) = json.loads(printed(*kept, "--json", "-n", "1"))
    assert table["lines"][0] == {
        "system": "TAP",
        "origin": "paper",
        "values": [48.47, 67.24, 44.81, 63.12],
        "marks": "",
        "seeds": 1,
        "model": "",
    }
    record([replace(ROW, model="larger", exp_rate=53.0)], path)
    assert "| larger | token | 53.00 |  |  |  |" in printed(*kept, "--markdown")
    assert "| mine | token | 50.10 |  |  |  |" in printed(*kept, "--markdown")


def test_every_system_can_be_told_from_the_others_at_80_columns(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    marks = "".join(MARKS)
    record(
        [
            replace(ROW, system=name.lower(), marks=marks, seed=seed)
            for name in OUR_SYSTEMS
            for seed in (1, 2)
        ],
        path,
    )
    text = printed("--measured", str(path))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for name in OUR_SYSTEMS:
        assert f" {name} " in text
    assert f"token x2 {marks}" in text


def test_the_letters_and_the_family_of_the_tolerances_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    record([replace(ROW, marks="gx")], path)
    told = " ".join(printed("--measured", str(path)).split())
    assert f"g: {MARKS['g']}; x: {MARKS['x']}." in told
    assert f"c: {MARKS['c']}" not in told
    assert "<=k columns compare with the lines symLG" in told
    assert "<=k columns" not in printed("-n", "1", "--measured", str(path))


def printed(*arguments: str) -> str:
    return CliRunner().invoke(app, ["tables", *arguments], catch_exceptions=False).stdout


@pytest.mark.parametrize("command", [[], ["tables"]])
def test_h_is_help(command: list[str]) -> None:
    short, long = (CliRunner().invoke(app, [*command, name]) for name in ("-h", "--help"))
    assert short.exit_code == 0
    assert short.stdout == long.stdout


def test_what_is_kept_is_what_the_reproduction_says() -> None:
    """One row for each system, family and set: an older model of another size must not be taken for another seed."""
    page = (REPOSITORY / "docs" / "reproduction.md").read_text("utf-8")
    said = {
        cells[0].lower(): [float(cell.strip("* ")) for cell in cells[3:6]]
        for line in page.split("## The systems")[1].split("\n\n")[1].splitlines()[2:]
        if (cells := [cell.strip() for cell in line.strip("|").split("|")])
    }
    kept = read_measured()
    assert len({(row.system, row.family, row.dataset) for row in kept}) == len(kept)
    rates = {(row.system, row.dataset): row.exp_rate for row in kept if row.family == "token"}
    years = ("2013", "2014", "2016")
    assert said == {system: [rates[system, f"CROHME {year}"] for year in years] for system in SYSTEMS}
