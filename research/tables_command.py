"""`python -m research tables`: the paper's tables beside what was measured here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from inkscan.errors import BadRequest, SourceNotFound
from research.brief import AnsweredQuestion, answers
from research.marks import MARKS
from research.paper import OUR_SYSTEMS
from research.records import MEASURED, read_brief, read_measured, read_times
from research.tables import ComparedTable, Line, compared_tables

WIDTH = 80
_TITLES = {
    "exp_rate": "Exp",
    "stru_rate": "Stru",
    "le1": "<=1",
    "le2": "<=2",
    "le3": "<=3",
    "time_cost": "Time",
}
_BRIEF_HEADINGS = ("System", "Paper\nExpRate 2014", "Brief\nExpRate", "Token\nerror rate", "Cross\nentropy")
_BRIEF_NOTE = (
    "Brief: small models after short runs of equal budget, read short expressions of CROHME 2013. Only the order "
    "compares with the paper's."
)
_NOTE = (
    "Exp: ExpRate, Stru: StruRate, in per cent; Time: CPU time, TAP = 1. Lines token and symLG were measured here, "
    "means where there are several seeds."
)
_TOLERANCE_NOTE = (
    "The paper's <=k columns compare with the lines symLG: with k they come to rest at its StruRate, as errors counted "
    "in label graphs do; token edits do not, so the lines token are higher."
)


def tables(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    number: Annotated[
        int | None,
        typer.Option(
            "-n", "--table", min=0, max=7, help="Only this table; 0 is the ten systems on all sets."
        ),
    ] = None,
    measured: Annotated[
        Path, typer.Option(metavar="FILE.json", help="Measured values; the project's own if not given.")
    ] = MEASURED,
    brief: Annotated[
        bool,
        typer.Option(
            "--brief", help="The ten systems after short runs of equal budget, in place of the tables."
        ),
    ] = False,
) -> None:
    """Lay measured values beside the paper's Tables 1 to 7; empty where nothing was measured."""
    if not measured.is_file():
        raise SourceNotFound(f"there is no file {measured}")
    if brief:
        if number is not None or measured != MEASURED:
            raise BadRequest("--brief has rows of its own: leave out --table and --measured")
        _print_brief(answers(read_brief()), as_json=as_json, markdown=markdown)
        return
    found = compared_tables(read_measured(measured), read_times())
    chosen = [table for table in found if number in (None, table.number)]
    if as_json:
        typer.echo(json.dumps([table.to_json() for table in chosen]))
        return
    console = Console(width=WIDTH)
    for table in chosen:
        if markdown:
            typer.echo(
                _markdown_table(_title(table), _headings(table), [_cells(line) for line in table.lines])
            )
        else:
            rows = [(_cells(line), "" if line.origin == "paper" else "green") for line in table.lines]
            console.print(_rich_rows(_title(table), _headings(table), rows))
    for note in _notes(chosen):
        typer.echo(note) if markdown else console.print(note, markup=False, highlight=False)


def _notes(chosen: Sequence[ComparedTable]) -> list[str]:
    tolerance = any(column.metric == "le1" for table in chosen for column in table.columns)
    used = sorted({letter for table in chosen for line in table.lines for letter in line.marks})
    meanings = "; ".join(f"{letter}: {MARKS[letter]}" for letter in used)
    marks = f"Letters name what is not the paper's. {meanings}." if used else ""
    return [note for note in (_NOTE, _TOLERANCE_NOTE if tolerance else "", marks) if note]


def _print_brief(found: Sequence[AnsweredQuestion], *, as_json: bool, markdown: bool) -> None:
    if as_json:
        typer.echo(json.dumps([answer.to_json() for answer in found]))
        return
    console = Console()
    for answer in found:
        rows = [
            [line.system, *_numbers((line.paper, line.exp_rate, line.token_error_rate, line.cross_entropy))]
            for line in answer.lines
        ]
        if markdown:
            typer.echo(_markdown_table(answer.title, _BRIEF_HEADINGS, rows))
        else:
            console.print(_rich_rows(answer.title, _BRIEF_HEADINGS, [(row, "") for row in rows]))
    typer.echo(_BRIEF_NOTE)


def _rich_rows(title: str, headings: Sequence[str], rows: Sequence[tuple[list[str], str]]) -> Table:
    """A table whose rows have styles."""
    shown = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", padding=0, pad_edge=False)
    for heading in headings:
        shown.add_column(heading, no_wrap=True)
    for cells, style in rows:
        shown.add_row(*cells, style=style)
    return shown


def _markdown_table(title: str, headings: Sequence[str], rows: Sequence[list[str]]) -> str:
    plain = [heading.replace("\n", " ").replace("<=", "≤") for heading in headings]
    body = "\n".join(f"| {' | '.join(row)} |" for row in (plain, ["---"] * len(headings), *rows))
    return f"### {title}\n\n{body}\n"


def _title(table: ComparedTable) -> str:
    return f"Table {table.number}. {table.title}" if table.number else table.title


def _headings(table: ComparedTable) -> list[str]:
    years = (column.dataset.removeprefix("CROHME ") for column in table.columns)
    rates = (_TITLES[column.metric] for column in table.columns)
    return ["System", "Values", *(f"{year}\n{rate}" for year, rate in zip(years, rates, strict=True))]


def _cells(line: Line) -> list[str]:
    if line.origin == "paper":
        return [line.system, line.origin, *_numbers(line.values)]
    seeds = f" x{line.seeds}" if line.seeds > 1 else ""
    origin = f"{line.origin}{seeds} {line.marks}".rstrip()
    name = line.model or ("" if line.system in OUR_SYSTEMS else line.system)
    return [name, origin, *_numbers(line.values)]


def _numbers(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value:.2f}" for value in values]
