"""`inkscan compare`: whether two sets of predictions for the same truths differ by more than chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from inkscan.cli.wording import warn_of_extra
from inkscan.errors import BadRequest

_FILE = "A report of `eval --json`, counts of `score --per-sample`, or predictions (with --truth)."


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help=_FILE)],
    b: Annotated[Path, typer.Argument(metavar="B", help="The same, of the other system.")],
    truth: Annotated[
        Path | None, typer.Option(metavar="TRUTH.tsv", help="Truths, if A or B is a file of predictions.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    draws: Annotated[int, typer.Option(min=100, help="Bootstrap draws for the intervals.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
) -> None:
    """Compare two systems sample by sample: paired bootstrap interval and McNemar's exact test."""
    from inkscan.evaluation.bootstrap import Bootstrap
    from inkscan.evaluation.score_files import read_expressions, read_scored
    from inkscan.evaluation.significance import compare_samples

    truths = read_expressions(truth, empty=False) if truth else None
    of_a, of_b = (read_scored(path, truths) for path in (a, b))
    for path, scored in ((a, of_a), (b, of_b)):
        warn_of_extra(scored.extra, path)
    conventions = {one.limits for one in (of_a, of_b) if one.limits}
    if len(conventions) > 1:
        raise BadRequest(
            f"A and B count other \\limits ({' and '.join(sorted(conventions))}): measure both alike"
        )
    rows = compare_samples(of_a.samples, of_b.samples, Bootstrap(draws, seed))
    if as_json:
        typer.echo(json.dumps([row.to_json() for row in rows]))
        return
    table = Table("per cent", "A", "B", "B - A (95 %)", "only A", "only B", "p")
    for row in rows:
        gain = f"{row.difference:+.2f} ({row.low:+.1f}, {row.high:+.1f})"
        counts = (str(row.only_a), str(row.only_b), f"{row.p_value:.2g}")
        table.add_row(row.metric, f"{row.a:.2f}", f"{row.b:.2f}", gain, *counts)
    Console().print(table)
    typer.echo(f"paired bootstrap, {draws} draws, seed {seed}; p: McNemar's exact test, two-sided")
