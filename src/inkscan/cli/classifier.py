"""`inkscan classifier`: train the classifier of single symbols that weighs answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.cli.train import AlphabetName, Banks, FormulaTables, PrecisionName, TrainCorpora

if TYPE_CHECKING:
    from inkscan.latex.vocabulary import Vocabulary
    from inkscan.training.classifier_run import ClassifierProgress

MODEL = "model"  # the folder in that of the run


def classifier(
    train: TrainCorpora,
    valid: Annotated[
        Path,
        typer.Option("--valid", metavar="CORPUS", help="Corpus on whose symbols each epoch is measured."),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder of the run, which is gone on with if it is there."
        ),
    ],
    bank: Banks = None,
    formulas: FormulaTables = None,
    alphabet: AlphabetName = "corpus",
    symbols_of: Annotated[
        str | None,
        typer.Option(
            "--symbols-of",
            metavar="MODEL",
            help="Learn the symbols of this model, which the classifier is to weigh: a name of `inkscan models`, or "
            "a folder.",
        ),
    ] = None,
    precision: PrecisionName = "auto",
    ahead: Annotated[
        bool,
        typer.Option("--ahead", help="Let a process of its own make the pictures ahead of the training."),
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a setting, repeatable: epochs=12, batch_size=64."
        ),
    ] = None,
) -> None:
    """Train a classifier of single symbols, which weighs what the models read by what it looks like."""
    from inkscan.export.classifier_export import classifier_card, export_classifier, write_classifier
    from inkscan.training.classifier_command import ClassifierRequest, run_classifier

    request = ClassifierRequest(
        train=tuple(train),
        valid=valid,
        out=out,
        bank=tuple(bank or ()),
        formulas=tuple(formulas or ()),
        alphabet=alphabet,
        symbols_of=symbols_of,
        vocabulary=_vocabulary_of(symbols_of) if symbols_of else None,
        precision=precision,
        ahead=ahead,
        settings=tuple(settings or ()),
    )
    trained = run_classifier(request, _tell, say=typer.echo)
    name = out.resolve().name
    exported = export_classifier(trained.model, trained.vocabulary, name, trained.licence, trained.provenance)
    write_classifier(exported, out / MODEL, classifier_card(exported))
    typer.echo(
        f"{name} written to {out / MODEL}: {len(exported.graph) / 1e6:.1f} MB, licence: {trained.licence}"
    )


def _vocabulary_of(model: str) -> Vocabulary:
    from inkscan.runtime.models import find_model, read_info

    return read_info(find_model(model)).vocabulary


def _tell(progress: ClassifierProgress) -> None:
    typer.echo(
        f"epoch {progress.epoch}: {progress.symbols:,} symbols, {progress.cpu_hours:.2f} CPU hours; "
        f"of the validation set's {progress.accuracy:.2f} % are known, cross entropy {progress.cross_entropy:.3f}"
    )
