"""`inkscan bulk`: recognise a folder, archive or corpus of any size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from inkscan.cli.entry import EXIT_SOME_FAILED
from inkscan.cli.shared_options import BEAM, Beam, ClassifierName, Models
from inkscan.errors import BadRequest
from inkscan.runtime.engine import cores

if TYPE_CHECKING:
    from inkscan.bulk.outputs import Summary
    from inkscan.bulk.run import Advance
    from inkscan.bulk.workers import Engine


class EngineName(StrEnum):
    LOCAL = "local"
    RAY = "ray"


def bulk(
    source: Annotated[
        Path, typer.Argument(metavar="SRC", help="A folder, a .zip or .tar.* archive, or a corpus (Parquet).")
    ],
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="OUT", help="The rows to write: .parquet, .jsonl or .csv."),
    ],
    engine: Annotated[
        EngineName, typer.Option(help="Processes of this machine, or Ray Data.")
    ] = EngineName.LOCAL,
    workers: Annotated[
        int, typer.Option(min=0, help="Recognisers at work, of one thread each; 0 is one for each core.")
    ] = 0,
    address: Annotated[
        str | None, typer.Option(help="With --engine ray: a cluster's address, or auto; else one is started.")
    ] = None,
    model: Models = None,
    classifier: ClassifierName = None,
    beam: Beam = BEAM,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Write one row for each input: its LaTeX, or its error's code. The same command resumes an interrupted job."""
    from inkscan.bulk.run import BulkRequest, run_bulk

    request = BulkRequest(source, out, tuple(model or ()), beam, classifier=classifier)
    chosen = _engine(engine, workers or cores(), address)
    with _progress(f"recognising {source.name}") as on_advance:
        summary = run_bulk(request, chosen, on_advance)
    _print(summary, out, as_json=as_json)
    if summary.failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _engine(name: EngineName, workers: int, address: str | None) -> Engine:
    if name is EngineName.RAY:
        from inkscan.bulk.cluster import RayEngine

        return RayEngine(workers, address)
    if address is not None:
        raise BadRequest("--address needs --engine ray")
    from inkscan.bulk.local import LocalEngine

    return LocalEngine(workers)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[Advance], None]]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[inputs]} inputs, {task.fields[failed]} without answer, left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0, inputs=0, failed=0)

        def on_advance(advance: Advance) -> None:
            fields = bar.tasks[0].fields
            inputs, failed = fields["inputs"] + advance.inputs, fields["failed"] + advance.failed
            bar.update(task, advance=advance.share, inputs=inputs, failed=failed)

        yield on_advance


def _print(summary: Summary, out: Path, *, as_json: bool) -> None:
    if as_json:
        values = {"inputs": summary.inputs, "recognized": summary.recognized, "failed": summary.failed}
        typer.echo(json.dumps({"out": str(out), **values, "codes": dict(summary.codes)}))
        return
    typer.echo(f"{out}: {summary.recognized} of {summary.inputs - summary.others} inks recognised")
    for code, count in summary.codes.items():
        typer.echo(f"  {count} [{code}]")
