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
    from inkscan.export.classifier_export import write_classifier
    from inkscan.export.language_export import card_with_language, with_language
    from inkscan.runtime.classifier import read_card, read_classifier
    from inkscan.runtime.models import find_classifier
    from inkscan.training.language_command import LanguageRequest, run_language

    folder = find_classifier(classifier)
    beside = read_classifier(folder)
    card = read_card(folder, beside.info)
    request = LanguageRequest(tuple(train), valid, tuple(formulas), folder, precision, tuple(settings or ()))
    trained = run_language(request, beside.info.vocabulary, _tell)
    exported = with_language(beside, trained.model, trained.licence, trained.provenance)
    write_classifier(exported, out, card_with_language(card, exported))
    info, megabytes = exported.info, len(exported.language or b"") / 1e6
    typer.echo(
        f"{info.name} written to {out} with a language model: {megabytes:.1f} MB, licence: {info.licence}"
    )


def _tell(progress: LanguageProgress) -> None:
    typer.echo(
        f"epoch {progress.epoch}: {progress.formulas:,} formulas, {progress.cpu_hours:.2f} CPU hours; "
        f"cross entropy {progress.cross_entropy:.3f} nats a token"
    )
