"""`inkscan export`: a checkpoint as a model that the runtime loads."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.errors import BadCheckpoint, BadRequest, SourceNotFound

if TYPE_CHECKING:
    from inkscan.ink import Ink
    from inkscan.runtime.calibration import Calibration
    from inkscan.runtime.models import ExportedModel


class Bits(StrEnum):
    FULL = "32"
    HALF = "16"
    QUARTER = "8"


ConfidencesOf = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Take the confidences of this model, such as one that had not yet learnt from the validation corpus.",
    ),
]
Figures = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A measured result that `inkscan models` is to say; as often as you like.",
    ),
]


def export(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="A run's best.safetensors.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write the model to.")],
    name: Annotated[str, typer.Option(help="The model's name; the folder's if not given.")] = "",
    bits: Annotated[
        Bits, typer.Option(help="Store weights in so many bits each; they are computed with in 32.")
    ] = Bits.FULL,
    quantize: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS",
            help="Convolve images in eight bits, with the ranges that inks of this training corpus need: faster.",
        ),
    ] = None,
    calibrate: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Fit confidences on this validation corpus.")
    ] = None,
    confidences_of: ConfidencesOf = None,
    length_power: Annotated[
        float,
        typer.Option(min=0.0, max=2.0, help="Divide scores by length to this power: answers get longer."),
    ] = 0.0,
    reading_order: Annotated[
        bool,
        typer.Option(
            "--reading-order",
            help="Read each ink in reading order, too; for models trained on it (patterns.orders.reading).",
        ),
    ] = False,
    card: Annotated[
        Path | None, typer.Option(metavar="F", help="The model card, in place of the short one made here.")
    ] = None,
    figure: Figures = None,
) -> None:
    """Make a model of a checkpoint: a folder with encoder.onnx, step.onnx, model.json and card.md."""
    from inkscan.export.model import ExportSettings, export_checkpoint, write_model

    if checkpoint.is_dir():
        raise BadCheckpoint(f"{checkpoint} is a folder; of a run, give {checkpoint / 'best.safetensors'}")
    if calibrate is not None and confidences_of is not None:
        raise BadRequest(
            "confidences are fitted, --calibrate, or another model's, --confidences-of: not both"
        )
    text = None if card is None else _card(card)
    calibration = None if confidences_of is None else _calibration_of(confidences_of)
    settings = ExportSettings(
        name or out.resolve().name,
        bits=int(bits),
        length_power=length_power,
        reading_order=reading_order,
        quantize_on=None if quantize is None else _some_inks(quantize),
        figures=dict(_figure(one) for one in figure or ()),
    )
    exported = export_checkpoint(checkpoint, settings)
    if calibrate is not None:
        exported = _calibrated(exported, calibrate)
    elif calibration is not None:
        exported = replace(exported, info=replace(exported.info, calibration=calibration))
    write_model(exported, out, text)
    _tell(exported, out)


def _tell(exported: ExportedModel, out: Path) -> None:
    from inkscan.training.recipes import recipe_from_plain

    size = (len(exported.encoder) + len(exported.step)) / 1e6
    typer.echo(
        f"{exported.info.system} written to {out}: {size:.1f} MB, licence of the weights: {exported.info.licence}"
    )
    own_patterns = recipe_from_plain(exported.info.provenance["recipe"]).patterns
    if exported.info.reading_order and not own_patterns.in_reading_order:
        typer.echo(
            "warning: its last run saw no ink in reading order, and whether the weights that it began from did is "
            "not recorded; `inkscan eval --order` measures it",
            err=True,
        )
    if exported.info.calibration is not None:
        calibration = exported.info.calibration
        typer.echo(
            f"calibrated on {calibration.samples} answers, expected calibration error {calibration.error:.3f}"
        )


def _some_inks(path: Path) -> list[Ink]:
    """Inks from all over a corpus."""
    from inkscan.data.corpus import Corpus, refuse_test_set
    from inkscan.export.quantize import INKS

    refuse_test_set(path)
    corpus = Corpus.read(path)
    return [corpus[i].ink for i in range(0, len(corpus), max(1, len(corpus) // INKS))]


def _calibrated(exported: ExportedModel, path: Path) -> ExportedModel:
    """The model with confidences fitted to a corpus, with a bar on the way."""
    from rich.progress import Progress

    from inkscan.data.corpus import Corpus
    from inkscan.export.calibrate import calibrated

    corpus = Corpus.read(path)
    with Progress(transient=True) as bar:
        task = bar.add_task("calibrating", total=len(corpus))
        return calibrated(exported, corpus, lambda count: bar.advance(task, count))


def _calibration_of(model: str) -> Calibration:
    from inkscan.runtime.models import find_model, read_info

    calibration = read_info(find_model(model)).calibration
    if calibration is None:
        raise BadRequest(f"{model} was never calibrated, so it has no confidences to take")
    return calibration


def _figure(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = nan
    if not name.strip() or not isfinite(number):
        raise BadRequest(
            f"--figure {text!r} is not NAME=VALUE with a number, as in 'CROHME 2014 ExpRate=60.65'"
        )
    return name.strip(), number


def _card(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceNotFound(f"the card {path} cannot be read as text: {error}") from error
