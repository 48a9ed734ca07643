"""`inkscan eval`: run a model on data and say how good it is."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from inkscan.cli.score import print_report
from inkscan.errors import BadRequest

if TYPE_CHECKING:
    from inkscan.evaluation.dataset import Dataset
    from inkscan.evaluation.evaluate import Evaluation
    from inkscan.evaluation.predict import Recognizer


def evaluate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The name of a model, or its folder.")],
    data: Annotated[
        Path,
        typer.Option(
            metavar="F", help="A corpus (Parquet), or a raw folder or archive of InkML with truths."
        ),
    ],
    json_out: Annotated[
        Path | None,
        typer.Option("--json", metavar="OUT.json", help="Write the report, sample by sample too."),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(metavar="OUT.tsv", help="Write `id<TAB>tokens`, for `inkscan score`.")
    ] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, help="Hypotheses kept; the model's own if not given.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many expressions.")] = None,
    record: Annotated[bool, typer.Option("--record", help="Keep the figures for `inkscan tables`.")] = False,
    system: Annotated[
        str, typer.Option(help="With --record: the model's system, if it does not say so.")
    ] = "",
    extra_data: Annotated[
        bool,
        typer.Option("--extra-data", help="With --record: trained on more than the paper's training set."),
    ] = False,
) -> None:
    """Evaluate MODEL: rates with intervals, symbols, calibration. Ink that cannot be read counts as wrong."""
    from inkscan.evaluation.evaluate import Provenance, measured_rows
    from inkscan.evaluation.measured import MEASURED
    from inkscan.evaluation.measured import record as record_rows
    from inkscan.metrics.files import write_expressions

    if record and limit:
        raise BadRequest("--record needs the whole set: leave out --limit")
    done = _run(_recognizer(model, beam), data, limit)
    if json_out is not None:
        facts = {"model": model, "beam": beam, "limit": limit}
        json_out.write_text(json.dumps({**facts, **done.to_json()}, indent=1) + "\n", encoding="utf-8")
    if predictions is not None:
        write_expressions(done.expressions(), predictions)
    print_report(done.report)
    typer.echo(f"{len(done.predictions) / max(done.seconds, 1e-9):.1f} inks per second")
    if record:
        command = shlex.join(["inkscan", *sys.argv[1:]])
        record_rows(measured_rows(done, Provenance(system, model, command, extra_data)))
        typer.echo(f"recorded in {MEASURED}")


def _recognizer(model: str, beam: int | None) -> Recognizer:
    import inkscan

    return inkscan.load(model)


def _run(recognizer: Recognizer, data: Path, limit: int | None) -> Evaluation:
    from inkscan.evaluation.dataset import read_dataset
    from inkscan.evaluation.evaluate import evaluate

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        reading = bar.add_task(f"reading {data.name}", total=None)
        dataset = read_dataset(data)
        dataset = dataset.first(limit) if limit else dataset
        bar.remove_task(reading)
        _announce(dataset)
        task = bar.add_task("recognising", total=len(dataset.samples))
        return evaluate(recognizer, dataset, on_done=lambda count: bar.advance(task, count))


def _announce(dataset: Dataset) -> None:
    metadata = dataset.metadata
    kind = "a test set: report on it, never select or tune on it" if dataset.is_test else "not a test set"
    typer.echo(f"data: {metadata.split or '-'}, {kind}; fingerprint {metadata.fingerprint[:16]}")
    if dataset.rejected:
        typer.echo(f"{len(dataset.rejected)} ink files could not be read; they count as wrong")
