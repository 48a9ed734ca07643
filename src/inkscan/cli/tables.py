"""`inkscan tables`: the paper's tables beside what was measured here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from inkscan.evaluation.tables import ComparedTable, Line

_TITLES = {
    "exp_rate": "ExpRate",
    "stru_rate": "StruRate",
    "le1": "<=1",
    "le2": "<=2",
    "le3": "<=3",
    "time_cost": "Time",
}


def tables(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    number: Annotated[
        int | None, typer.Option("-n", "--table", min=1, max=7, help="Only this table.")
    ] = None,
    measured: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Measured values; those kept with inkscan if not given."),
    ] = None,
) -> None:
    """Lay measured values beside the paper's Tables 1 to 7; empty where nothing was measured."""
    from inkscan.errors import SourceNotFound
    from inkscan.evaluation.measured import MEASURED, read_measured, read_times
    from inkscan.evaluation.tables import compared_tables

    if measured is not None and not measured.is_file():
        raise SourceNotFound(f"there is no file {measured}")
    chosen = [
        t
        for t in compared_tables(read_measured(measured or MEASURED), read_times())
        if number in (None, t.number)
    ]
    if as_json:
        typer.echo(json.dumps([table.to_json() for table in chosen]))
        return
    console = Console()
    for table in chosen:
        if markdown:
            typer.echo(_markdown(table))
        else:
            console.print(_rich_table(table))


def _rich_table(table: ComparedTable) -> Table:
    shown = Table(title=_title(table), box=box.SIMPLE_HEAD, title_justify="left")
    for heading in _headings(table):
        shown.add_column(heading, no_wrap=True)
    for line in table.lines:
        shown.add_row(*_cells(line), style="" if line.origin == "paper" else "green")
    return shown


def _markdown(table: ComparedTable) -> str:
    headings = [heading.replace("\n", " ").replace("<=", "≤") for heading in _headings(table)]
    rows = [headings, ["---"] * len(headings), *(_cells(line) for line in table.lines)]
    body = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"### {_title(table)}\n\n{body}\n"


def _title(table: ComparedTable) -> str:
    return f"Table {table.number}. {table.title} (per cent; lines token and symLG were measured here)"


def _headings(table: ComparedTable) -> list[str]:
    years = (column.dataset.removeprefix("CROHME ") for column in table.columns)
    rates = (_TITLES[column.metric] for column in table.columns)
    return ["System", "Values", *(f"{year}\n{rate}" for year, rate in zip(years, rates, strict=True))]


def _cells(line: Line) -> list[str]:
    name = line.system if line.origin == "paper" else ""
    return [name, line.origin, *("" if value is None else f"{value:.2f}" for value in line.values)]
