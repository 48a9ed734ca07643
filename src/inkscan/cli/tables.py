"""`inkscan tables`: the paper's tables beside what was measured here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from inkscan.evaluation.brief import Answer
    from inkscan.evaluation.tables import ComparedTable, Line

_TITLES = {
    "exp_rate": "ExpRate",
    "stru_rate": "StruRate",
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
    brief: Annotated[
        bool,
        typer.Option(
            "--brief", help="The ten systems after short runs of equal budget, in place of the tables."
        ),
    ] = False,
) -> None:
    """Lay measured values beside the paper's Tables 1 to 7; empty where nothing was measured."""
    from inkscan.errors import BadRequest, SourceNotFound
    from inkscan.evaluation.brief import answers
    from inkscan.evaluation.measured import MEASURED, read_brief, read_measured, read_times
    from inkscan.evaluation.tables import compared_tables

    if measured is not None and not measured.is_file():
        raise SourceNotFound(f"there is no file {measured}")
    if brief:
        if number is not None or measured is not None:
            raise BadRequest("--brief has rows of its own: leave out --table and --measured")
        _print_brief(answers(read_brief()), as_json=as_json, markdown=markdown)
        return
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


def _print_brief(found: Sequence[Answer], *, as_json: bool, markdown: bool) -> None:
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


def _rich_table(table: ComparedTable) -> Table:
    rows = [(_cells(line), "" if line.origin == "paper" else "green") for line in table.lines]
    return _rich_rows(_title(table), _headings(table), rows)


def _rich_rows(title: str, headings: Sequence[str], rows: Sequence[tuple[list[str], str]]) -> Table:
    """A table whose rows have styles."""
    shown = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for heading in headings:
        shown.add_column(heading, no_wrap=True)
    for cells, style in rows:
        shown.add_row(*cells, style=style)
    return shown


def _markdown(table: ComparedTable) -> str:
    return _markdown_table(_title(table), _headings(table), [_cells(line) for line in table.lines])


def _markdown_table(title: str, headings: Sequence[str], rows: Sequence[list[str]]) -> str:
    plain = [heading.replace("\n", " ").replace("<=", "≤") for heading in headings]
    body = "\n".join(f"| {' | '.join(row)} |" for row in (plain, ["---"] * len(headings), *rows))
    return f"### {title}\n\n{body}\n"


def _title(table: ComparedTable) -> str:
    return f"Table {table.number}. {table.title} (per cent; lines token and symLG were measured here)"


def _headings(table: ComparedTable) -> list[str]:
    years = (column.dataset.removeprefix("CROHME ") for column in table.columns)
    rates = (_TITLES[column.metric] for column in table.columns)
    return ["System", "Values", *(f"{year}\n{rate}" for year, rate in zip(years, rates, strict=True))]


def _cells(line: Line) -> list[str]:
    name = line.system if line.origin == "paper" else ""
    return [name, line.origin, *_numbers(line.values)]


def _numbers(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value:.2f}" for value in values]
