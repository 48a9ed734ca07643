"""`python -m research`, from the top of the project: tables, eval, bench and brief runs."""

from __future__ import annotations

import typer

from inkscan.cli.entry import run
from research.bench_command import bench
from research.brief_runs import brief_runs
from research.eval_command import evaluate
from research.tables_command import tables

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help=__doc__,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("tables")(tables)
app.command("eval")(evaluate)
app.command("bench")(bench)
app.command("brief-runs")(brief_runs)

if __name__ == "__main__":
    run(app)
