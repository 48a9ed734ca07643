"""`inkscan eval`: run a model on data and say how good it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from inkscan.cli.model_names import model_folder
from inkscan.cli.score import print_report
from inkscan.cli.shared_options import BEAM, Beam, ClassifierName, LimitsConvention
from inkscan.cli.wording import counted
from inkscan.cli.written_files import refuse_inputs, refuse_same, write_text
from inkscan.data.rejection import rejection_path
from inkscan.evaluation.convention import Convention

if TYPE_CHECKING:
    from inkscan.evaluation.dataset import Dataset
    from inkscan.evaluation.evaluate import Evaluation
    from inkscan.runtime.recognizer import Recognizer
    from inkscan.runtime.search import SearchSettings

LengthPower = Annotated[
    float | None,
    typer.Option(min=0.0, max=2.0, help="Divide scores by length to this power; the model's if not given."),
]


def evaluate(
    data: Annotated[
        Path,
        typer.Option(
            metavar="DATA", help="A corpus (Parquet), or a raw folder or archive of InkML with truths."
        ),
    ],
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MODEL",
            help="Names of `inkscan models`, folders or checkpoints; several decide each token together. Without "
            "any the default, which asks its second model in doubt and has a classifier.",
        ),
    ] = None,
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
    length_power: LengthPower = None,
    classifier: ClassifierName = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N expressions.")] = None,
    convention: LimitsConvention = Convention.WRITTEN,
    allow: Annotated[
        str | None,
        typer.Option(
            metavar="SYMBOLS",
            help="The only symbols of an answer, with spaces between, or `crohme`: those of CROHME's systems.",
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            help="Strokes in another order than they were written: late-symbol, late-stroke, leftmost-last, "
            "left-to-right, shuffled and others."
        ),
    ] = None,
    pen: Annotated[
        str | None,
        typer.Option(help="Another pen: lifted, joined, backward, sparse, clipped, hasty or coarse."),
    ] = None,
) -> None:
    """Say how good a model is, with intervals; ink that cannot be read or recognised counts as wrong."""
    recognizer = allowing(recognizer_of(models or (), beam, length_power, classifier), allow)
    refuse_inputs(json_out, data)
    refuse_inputs(predictions, data, rejection_path(data) if data.suffix == ".parquet" else None)
    refuse_same(json_out, predictions)
    done = evaluated(recognizer, data, limit, order, pen, convention)
    if allow:
        done = under(done, f"allow:{allow.replace(' ', ',')}")
    keep(done, recognizer, json_out, predictions, limit=limit)
    print_report(done.report)
    typer.echo(f"{_described(recognizer)}, {len(done.predictions) / done.seconds:.1f} inks per second")


def _described(recognizer: Recognizer) -> str:
    return f"{recognizer.name}{recognizer.advised}, beam {recognizer.settings.beam}"


def allowing(recognizer: Recognizer, allow: str | None) -> Recognizer:
    """The recogniser with no other symbols in its answers; a wide alphabet is held to a set's own by that."""
    if not allow:
        return recognizer
    from inkscan.latex.vocabulary import CROHME

    return recognizer.with_search(allow=CROHME.symbols if allow == "crohme" else allow.split())


def recognizer_of(
    models: Sequence[str], beam: int | None, length_power: float | None, classifier: str | None = None
) -> Recognizer:
    """The models together, with what the command says of the search."""
    import inkscan

    changes = {"beam": beam, "length_power": length_power}
    given = {name: value for name, value in changes.items() if value is not None}
    return inkscan.load(*map(model_folder, models), classifier=classifier).with_search(**given)  # type: ignore[arg-type]


def keep(
    done: Evaluation, recognizer: Recognizer, report: Path | None, predictions: Path | None, **facts: object
) -> None:
    """Write the report and the predictions where they are wanted."""
    from inkscan.evaluation.score_files import write_expressions

    if report is not None:
        settings, second, classifier = recognizer.settings, recognizer.second, recognizer.classifier
        made = {
            "model": recognizer.name,
            "second": second.info.name if second else None,
            "classifier": classifier.info.name if classifier else None,
            "language": bool(classifier and classifier.info.has_language),
            "beam": settings.beam,
            "search": asdict(settings),
        }
        write_text(report, json.dumps({**made, **facts, **done.to_json()}) + "\n")
    if predictions is not None:
        write_expressions(done.expressions(), predictions)


def evaluated(
    recognizer: Recognizer,
    data: Path,
    limit: int | None = None,
    order: str | None = None,
    pen: str | None = None,
    convention: Convention = Convention.WRITTEN,
) -> Evaluation:
    """The evaluation, with a bar on the way."""
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
        dataset = dataset.with_pen(pen) if pen else dataset
        dataset = dataset.reordered(order) if order else dataset
        bar.remove_task(reading)
        _announce(dataset)
        if has_learnt_from(recognizer, dataset):
            typer.echo("the model has learnt from this set: what it scores here says nothing about other ink")
            dataset = dataset.seen()
        task = bar.add_task("recognising", total=len(dataset.samples))
        done = evaluate(
            recognizer,
            dataset,
            convention=convention,
            on_done=lambda count: bar.advance(task, count),
        )
    return under(done, _searched(recognizer.settings))


def under(done: Evaluation, condition: str) -> Evaluation:
    """The evaluation, with a condition of the measurement in its signatures."""
    return replace(done, report=done.report.under(condition))


def _searched(settings: SearchSettings) -> str:
    """How answers were searched for, as a signature says it: the same model scores otherwise by another search."""
    judged = ("both_cases", "integral_limits", "bare_times", "standing", "repeats", "shapes", "fluency")
    usual = type(settings)()
    values = {
        name: getattr(settings, name) for name in judged if getattr(settings, name) != getattr(usual, name)
    }
    changed = "".join(f"|{name.replace('_', '-')}:{value:g}" for name, value in values.items())
    return f"beam:{settings.beam}|length-power:{settings.length_power:g}{changed}"


def has_learnt_from(recognizer: Recognizer, dataset: Dataset) -> bool:
    """Whether one of the models was trained on these very samples."""
    from inkscan.data.ancestry import learnt_from

    models = (*recognizer.members, recognizer.second, recognizer.classifier)
    histories = [model.info.provenance for model in models if model]
    return any(dataset.metadata.fingerprint in learnt_from(history) for history in histories)


def _announce(dataset: Dataset) -> None:
    metadata = dataset.metadata
    kind = ""
    if dataset.metadata.is_test:
        kind = ", a test set: report on it, never select or tune on it"
    elif dataset.metadata.is_validation:
        kind = ", the field's validation set"
    typer.echo(f"data: {metadata.split or '-'}{kind}; fingerprint {metadata.fingerprint[:16]}")
    if dataset.rejected:
        typer.echo(f"{counted(len(dataset.rejected), 'ink file')} could not be read and counted as wrong")
