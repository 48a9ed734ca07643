"""`python -m research eval`: a trained system on the paper's test sets, kept for the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.eval import LengthPower, evaluated, keep, recognizer_of
from inkscan.cli.score import print_report
from inkscan.errors import BadRequest
from research.command_line import command_line
from research.measure import measured_rows
from research.records import MEASURED, MeasuredRow, read_measured
from research.records import record as record_rows

PAPER_BEAM = 10


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A name in checkpoints/, a checkpoint or a model's folder.")
    ],
    data: Annotated[
        list[Path],
        typer.Option(metavar="DATA", help="A corpus, or a raw folder or archive; may be repeated."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Write MODEL-SPLIT.json and .tsv here, for `inkscan compare`."
        ),
    ] = None,
    beam: Annotated[
        int, typer.Option(min=1, help="Hypotheses kept; the paper's tables have 10.")
    ] = PAPER_BEAM,
    length_power: LengthPower = None,
    record: Annotated[
        bool, typer.Option("--record", help="Keep the figures for `python -m research tables`.")
    ] = False,
    extra_data: Annotated[
        bool, typer.Option("--extra-data", help="Trained on more than the paper's training set.")
    ] = False,
) -> None:
    """Evaluate one system on one or several sets, as `inkscan eval` does, and keep the figures.

    Integrals, crosses, dots, roots, and letters and digits that an answer says again (`runtime.voting`), are as the
    network reads them: so all rows of the tables were measured.
    """
    if record and beam != PAPER_BEAM:
        raise BadRequest(f"the tables are of beam {PAPER_BEAM}: leave out --record, or --beam")
    recognizer = recognizer_of([model], beam, length_power).with_search(
        integral_limits=0.0, bare_times=0.0, standing=0.0, repeats=0.0
    )
    command = command_line()
    for path in data:
        done = evaluated(recognizer, path)
        if out is not None:
            stem = f"{recognizer.name}-{done.dataset.metadata.split}"
            keep(done, recognizer, out / f"{stem}.json", out / f"{stem}.tsv")
        print_report(done.report)
        if record:
            rows = measured_rows(done, recognizer, command, extra_data=extra_data)
            replaced = record_rows(rows, MEASURED)
            typer.echo(f"recorded, marks: {rows[0].marks or 'none'}")
            _tell_of_others(rows[0], replaced)


def _tell_of_others(row: MeasuredRow, replaced: Sequence[MeasuredRow]) -> None:
    """Say which rows a new one has replaced, and which of the same system stand beside it."""
    for old in replaced:
        if old.key == row.key:
            typer.echo(
                f"in place of those of {old.model} of {old.date} (ExpRate {old.exp_rate:.2f}, now {row.exp_rate:.2f})"
            )
    beside = sorted(
        {
            other.model
            for other in read_measured(MEASURED)
            if (other.system, other.dataset) == (row.system, row.dataset) and other.model != row.model
        }
    )
    if beside:
        typer.echo(f"beside those of {', '.join(beside)}, of the same system, which stay in {MEASURED.name}")
