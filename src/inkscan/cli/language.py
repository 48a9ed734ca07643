"""`inkscan language`: train the language model of formulas that weighs answers beside a classifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.cli.train import PrecisionName, TrainCorpora

if TYPE_CHECKING:
    from inkscan.training.language_run import LanguageProgress


def language(
    train: TrainCorpora,
    valid: Annotated[
        Path,
        typer.Option("--valid", metavar="CORPUS", help="Corpus on whose truths each epoch is measured."),
    ],
    formulas: Annotated[
        list[Path], typer.Option("--formulas", metavar="FILE", help="Table of real formulas; repeatable.")
    ],
    classifier: Annotated[
        str,
        typer.Option(
            "--classifier",
            metavar="CLASSIFIER",
            help="The classifier that it is put beside: symbols-wide, or a folder that `inkscan classifier` made.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FOLDER", help="Where the classifier is written with its language model."
        ),
    ],
    precision: PrecisionName = "auto",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting, repeatable: epochs=2."),
    ] = None,
) -> None:
    """Train a language model of formulas, which weighs what the models read by what formulas usually say."""
    from inkscan.data.corpus import joined_licences
    from inkscan.export.classifier_export import write_classifier
    from inkscan.export.language_export import language_lines, with_language
    from inkscan.runtime.classifier import read_classifier
    from inkscan.runtime.models import CARD, find_classifier
    from inkscan.training.language_command import LanguageRequest, run_language

    folder = find_classifier(classifier)
    beside = read_classifier(folder)
    request = LanguageRequest(tuple(train), valid, tuple(formulas), folder, precision, tuple(settings or ()))
    trained = run_language(request, beside.info.vocabulary, _tell)
    licence = joined_licences((beside.info.licence, trained.licence))
    exported = with_language(beside, trained.model, licence, trained.provenance)
    assert exported.language is not None
    megabytes = len(exported.language) / 1e6
    lines = language_lines(trained.provenance, beside.info.vocabulary, megabytes)
    card = (folder / CARD).read_text("utf-8").partition(lines[1])[0].rstrip("\n")
    write_classifier(exported, out, "\n".join((card, *lines)) + "\n")
    typer.echo(
        f"{beside.info.name} written to {out} with a language model: {megabytes:.1f} MB, licence: {licence}"
    )


def _tell(progress: LanguageProgress) -> None:
    typer.echo(
        f"epoch {progress.epoch}: {progress.formulas:,} formulas, {progress.cpu_hours:.2f} CPU hours; "
        f"cross entropy {progress.cross_entropy:.3f} nats a token"
    )
