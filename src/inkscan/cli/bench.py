"""`inkscan bench`: how fast recognition is on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.cli.command_line import command_line
from inkscan.cli.options import BEAM, Beam, Model
from inkscan.errors import BadCorpus, BadRequest, MissingExtra

if TYPE_CHECKING:
    from inkscan.data.sample import Sample
    from inkscan.training.speed_table import SystemSpeed


def bench(
    model: Model = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Inks of this corpus (Parquet); generated ink if not given."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Inks to time.")] = 50,
    beam: Beam = BEAM,
    systems: Annotated[
        bool, typer.Option("--systems", help="The paper's Table 7: ten systems with random weights.")
    ] = False,
    preset: Annotated[
        str | None, typer.Option(help="With --systems: paper (if not given), small or tiny sizes.")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="With --systems: keep the times for `inkscan tables`.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print the CPU time for one ink on one thread: encoder, steps and search, one by one and batched."""
    if not systems and (preset is not None or record):
        raise BadRequest("--preset and --record need --systems")
    samples = _samples(data, limit)
    if systems:
        preset = preset or "paper"
        rows = _system_speeds(samples, preset)
        _print_speeds(rows, len(samples), preset, as_json=as_json)
        if record:
            _record(rows, len(samples))
        return
    from inkscan.runtime.bench import measure
    from inkscan.runtime.recognizer import load

    speed = measure(load(*([model] if model else [])), [sample.ink for sample in samples], beam=beam)
    if as_json:
        typer.echo(json.dumps(asdict(speed)))
        return
    typer.echo(f"{speed.inks} inks, beam {beam}, one thread, CPU milliseconds an ink")
    typer.echo(f"  median {speed.median_ms:.1f}, mean {speed.mean_ms:.1f}; batched {speed.many_ms:.1f}")
    for name, value in (("encoder", speed.encoder_ms), ("step", speed.step_ms), ("search", speed.search_ms)):
        typer.echo(f"  {name:8} {value:6.1f}  {value / speed.mean_ms:5.0%}")
    typer.echo(f"  {speed.steps:.1f} steps, {speed.hypotheses:.0f} hypotheses over all steps")


def _samples(data: Path | None, limit: int) -> list[Sample]:
    if data is None:
        from inkscan.synthesis.generate import Generator

        return list(Generator().samples(limit))
    from inkscan.data.corpus import Corpus

    corpus = Corpus.read(data)
    if not len(corpus):
        raise BadCorpus(f"{data} holds no inks to time")
    stride = max(len(corpus) // limit, 1)
    return [corpus[i] for i in range(0, len(corpus), stride)][:limit]


def _system_speeds(samples: list[Sample], preset: str) -> list[SystemSpeed]:
    from rich.console import Console
    from rich.progress import Progress

    try:
        from inkscan.training.speed_table import speed_table
    except ModuleNotFoundError as error:
        raise MissingExtra("`--systems` builds models with torch: pip install 'inkscan[train]'") from error
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("timing", total=10)
        return speed_table(samples, preset, lambda name: bar.advance(task))


def _print_speeds(rows: list[SystemSpeed], inks: int, preset: str, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows]))
        return
    tap = next(row for row in rows if row.system == "tap").milliseconds
    typer.echo(f"{inks} inks, {preset} sizes, answers as long as the truth; CPU ms a median ink (TAP = 1)")
    typer.echo(f"{'system':12}" + "".join(f"{f'beam {beam}':>20}" for beam in tap))
    for row in rows:
        cells = (f"{ms:9.1f} ({ms / tap[beam]:5.2f})" for beam, ms in row.milliseconds.items())
        typer.echo(f"{row.title:12}" + "".join(f"{cell:>20}" for cell in cells))


def _record(rows: list[SystemSpeed], inks: int) -> None:
    from inkscan.evaluation.measured import TIMES, TimeRow, record

    tap = next(row for row in rows if row.system == "tap").milliseconds
    today, command = date.today().isoformat(), command_line()
    times = [
        TimeRow(row.system, beam, round(ms, 2), round(ms / tap[beam], 2), inks, today, command)
        for row in rows
        for beam, ms in row.milliseconds.items()
    ]
    record(times, TIMES)
    typer.echo(f"recorded in {TIMES}", err=True)  # --json has standard output to itself
