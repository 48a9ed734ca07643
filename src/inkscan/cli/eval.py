"""`inkscan eval`: run a model on data and say how good it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from inkscan.cli.command_line import command_line
from inkscan.cli.options import BEAM, Beam, LimitsConvention
from inkscan.cli.score import print_report
from inkscan.errors import BadRequest
from inkscan.metrics.convention import Convention

if TYPE_CHECKING:
    from inkscan.evaluation.dataset import Dataset
    from inkscan.evaluation.evaluate import Evaluation
    from inkscan.runtime.recognizer import Recognizer


def evaluate(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL", help="Names of `inkscan models`, or folders; several decide each token together."
        ),
    ],
    data: Annotated[
        Path,
        typer.Option(
            metavar="DATA", help="A corpus (Parquet), or a raw folder or archive of InkML with truths."
        ),
    ],
    json_out: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="OUT.json", dir_okay=False, help="Write the report and every sample's counts."
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(metavar="OUT.tsv", dir_okay=False, help="Write `id<TAB>tokens`, for `inkscan score`."),
    ] = None,
    beam: Beam = BEAM,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N expressions.")] = None,
    convention: LimitsConvention = Convention.WRITTEN,
    record: Annotated[bool, typer.Option("--record", help="Keep the figures for `inkscan tables`.")] = False,
    extra_data: Annotated[
        bool,
        typer.Option("--extra-data", help="With --record: trained on more than the paper's training set."),
    ] = False,
) -> None:
    """Say how good a model is, with intervals; ink that cannot be read or recognised counts as wrong."""
    from inkscan.evaluation.evaluate import Provenance, measured_rows
    from inkscan.evaluation.measured import MEASURED
    from inkscan.evaluation.measured import record as record_rows
    from inkscan.metrics.files import write_expressions

    if record and convention != Convention.WRITTEN:
        raise BadRequest("--record keeps figures by the convention `written`, as all recorded ones are")
    if record and (limit or len(models) > 1):
        raise BadRequest("--record needs one model and the whole set: leave out --limit")
    recognizer = _recognizer(models, beam)
    done = _run(recognizer, data, limit, convention)
    if json_out is not None:
        facts = {"model": recognizer.name, "beam": recognizer.settings.beam, "limit": limit}
        json_out.parent.mkdir(parents=True, exist_ok=True)
        json_out.write_text(json.dumps({**facts, **done.to_json()}) + "\n", encoding="utf-8")
    if predictions is not None:
        write_expressions(done.expressions(), predictions)
    print_report(done.report)
    typer.echo(f"beam {recognizer.settings.beam}, {len(done.predictions) / done.seconds:.1f} inks per second")
    if record:
        info = recognizer.members[0].info
        provenance = Provenance(
            system=info.system,
            model=info.name,
            command=command_line(),
            extra_data=extra_data,
            selected_on_test=bool(info.provenance.get("selected_on_test")),
            variant=info.variant,
        )
        record_rows(measured_rows(done, provenance), MEASURED)
        typer.echo(f"recorded in {MEASURED}")


def _recognizer(models: Sequence[str], beam: int) -> Recognizer:
    import inkscan

    return inkscan.load(*models).with_search(beam=beam)


def _run(recognizer: Recognizer, data: Path, limit: int | None, convention: Convention) -> Evaluation:
    from inkscan.evaluation.dataset import read_dataset
    from inkscan.evaluation.evaluate import evaluate

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        reading = bar.add_task(f"reading {data.name}", total=None)
        dataset = read_dataset(data)
        dataset = dataset.first(limit) if limit else dataset
        bar.remove_task(reading)
        _announce(dataset)
        task = bar.add_task("recognising", total=len(dataset.samples))
        return evaluate(
            recognizer,
            dataset,
            convention=convention,
            on_done=lambda count: bar.advance(task, count),
        )


def _announce(dataset: Dataset) -> None:
    metadata = dataset.metadata
    kind = ""
    if dataset.metadata.is_test:
        kind = ", a test set: report on it, never select or tune on it"
    elif dataset.metadata.is_validation:
        kind = ", the field's validation set"
    typer.echo(f"data: {metadata.split or '-'}{kind}; fingerprint {metadata.fingerprint[:16]}")
    if dataset.rejected:
        typer.echo(f"{len(dataset.rejected)} ink files could not be read; they count as wrong")
