"""`python -m research bench`: the paper's Table 7, what the systems take for the same inks."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from inkscan.cli.bench import bench_samples
from inkscan.cli.eval import recognizer_of
from inkscan.errors import BadRequest, UnknownModel
from inkscan.models.systems import SYSTEMS
from research.command_line import command_line
from research.marks import marks_of
from research.records import TIMES, TimeRow
from research.records import record as record_rows
from research.speed import Timer, random_timers, summed_seconds, trained_timer

BASE = "tap"  # whose time is one


def bench(
    data: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Inks of this corpus (Parquet); generated ink if not given."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Inks to time, spread over the corpus; all if not given.")
    ] = None,
    beam: Annotated[int, typer.Option(min=1, max=100, help="Hypotheses kept in the search.")] = 10,
    random: Annotated[
        bool, typer.Option("--random", help="Random weights, answers as long as the truth.")
    ] = False,
    preset: Annotated[str, typer.Option(help="With --random: paper, small or tiny sizes.")] = "paper",
    record: Annotated[
        bool, typer.Option("--record", help="Keep the times for `python -m research tables`.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Sum the CPU time of the trained systems over a set of inks, one ink at a time on one thread."""
    if record and (limit or data is None):
        raise BadRequest(
            "times of a part of a set, or of generated ink, are not kept: leave --limit or --record out"
        )
    samples = bench_samples(data, limit)
    timers, marks = (random_timers(preset, beam), {}) if random else _trained(beam)
    if BASE not in timers:
        raise BadRequest(f"times are relative to {BASE}, of which there is no trained model; try --random")
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("timing", total=len(samples))
        sums = summed_seconds(timers, samples, lambda: bar.advance(task))
    rows = [
        TimeRow(
            system=system,
            beam=beam,
            trained=not random,
            seconds=round(seconds, 3),
            time_cost=round(seconds / sums[BASE], 2),
            inks=len(samples),
            date=date.today().isoformat(),
            command=command_line(),
            marks=marks.get(system, ""),
        )
        for system, seconds in sums.items()
    ]
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows]))
    else:
        typer.echo(f"{len(samples)} inks, beam {beam}; CPU seconds for all of them (TAP = 1)")
        for row in rows:
            typer.echo(
                f"{SYSTEMS[row.system].title:12}{row.seconds:10.2f} ({row.time_cost:5.2f}) {row.marks}"
            )
    if record:
        record_rows(rows, TIMES)
        typer.echo(f"recorded in {TIMES.name}", err=True)  # --json has standard output to itself


def _trained(beam: int) -> tuple[dict[str, Timer], dict[str, str]]:
    """The systems of which there is a model by that name, and their marks."""
    timers, marks = {}, {}
    for system in SYSTEMS:
        try:
            recognizer = recognizer_of([system], None, None)
        except UnknownModel:
            typer.echo(f"{system}: no trained model of that name, left out", err=True)
            continue
        info = recognizer.members[0].info
        timers[system] = trained_timer(recognizer, beam)
        marks[system] = marks_of(info, recognizer.settings)
    return timers, marks
