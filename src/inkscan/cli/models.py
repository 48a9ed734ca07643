"""`inkscan models`: the models at hand, and the systems that can be trained."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from inkscan.errors import BadRequest, MissingExtra


@dataclass(frozen=True)
class ClassifierRow:
    """The classifier of single symbols that comes with the installation."""

    name: str
    tokens: int
    megabytes: float
    licence: str
    language: bool  # whether a language model of formulas stands beside it


@dataclass(frozen=True)
class ModelRow:
    """A model that comes with the installation."""

    name: str
    system: str
    variant: str
    tokens: int
    megabytes: float
    calibrated: bool
    licence: str
    default: bool
    second: bool  # asked where the default is in doubt
    classifier: ClassifierRow | None  # the default's, which weighs its answers
    results: dict[str, float]


@dataclass(frozen=True)
class SystemRow:
    """A system and its trainable parameters, part by part."""

    name: str
    title: str
    views: tuple[str, ...]
    fusion: str
    encoder: int
    attention: int
    decoder: int

    @property
    def total(self) -> int:
        return self.encoder + self.attention + self.decoder


def models(
    systems: Annotated[
        bool,
        typer.Option("--systems", help="List the ten systems of the paper with their sizes (needs torch)."),
    ] = False,
    preset: Annotated[
        str | None, typer.Option(help="With --systems: paper (if not given), small or tiny sizes.")
    ] = None,
    symbols: Annotated[
        bool, typer.Option("--symbols", help="Print the symbols that a model knows, with spaces between.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="With --symbols: a bundled model's name, or a folder."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """List the bundled models, a model's symbols, or with --systems what can be trained."""
    if systems and symbols:
        raise BadRequest("--systems and --symbols are two questions: ask one at a time")
    if preset is not None and not systems:
        raise BadRequest("--preset needs --systems")
    if model is not None and not symbols:
        raise BadRequest("--model needs --symbols")
    if symbols:
        _print_symbols(model, as_json=as_json)
        return
    if not systems:
        bundled = bundled_rows()
        if as_json:
            typer.echo(json.dumps([asdict(row) for row in bundled]))
        else:
            _print_bundled(bundled)
        return
    preset = preset or "paper"
    rows = system_rows(preset)
    if as_json:
        typer.echo(json.dumps([asdict(row) | {"total": row.total} for row in rows]))
    else:
        _print_systems(rows, preset)


def _print_symbols(model: str | None, *, as_json: bool) -> None:
    from inkscan.runtime.models import find_model, read_info

    symbols = read_info(find_model(model)).vocabulary.symbols
    typer.echo(json.dumps(symbols) if as_json else " ".join(symbols))


def bundled_rows() -> list[ModelRow]:
    """The models that come with this installation."""
    from inkscan.runtime.models import DEFAULT, ENCODER, SECOND, STEP, bundled_models, read_info

    rows, classifier = [], bundled_classifier_row()
    for name, folder in bundled_models().items():
        info = read_info(folder)
        row = ModelRow(
            name=name,
            system=info.system,
            variant=info.variant,
            tokens=len(info.vocabulary.symbols),
            megabytes=sum((folder / file).stat().st_size for file in (ENCODER, STEP)) / 1e6,
            calibrated=info.calibration is not None,
            licence=info.licence,
            default=name == DEFAULT,
            second=name == SECOND,
            classifier=classifier if name == DEFAULT else None,
            results=dict(info.summary),
        )
        rows.append(row)
    return rows


def bundled_classifier_row() -> ClassifierRow | None:
    """The classifier that comes with this installation; its graph is not looked at, as those of models are not."""
    from inkscan.runtime.classifier import read_classifier_info
    from inkscan.runtime.models import CLASSIFIER_GRAPH, LANGUAGE_GRAPH, bundled_classifier

    if (folder := bundled_classifier()) is None:
        return None
    info = read_classifier_info(folder)
    graphs = [CLASSIFIER_GRAPH, *([LANGUAGE_GRAPH] if info.has_language else [])]
    return ClassifierRow(
        name=folder.name,
        tokens=len(info.vocabulary.symbols),
        megabytes=sum((folder / graph).stat().st_size for graph in graphs) / 1e6,
        licence=info.licence,
        language=info.has_language,
    )


def _print_bundled(rows: list[ModelRow]) -> None:
    if not rows:
        typer.echo("this installation comes without weights; --systems lists what can be trained")
        return
    for row in rows:
        mark = "*" if row.default else "?" if row.second else " "
        system = row.system + (f" with {row.variant}" if row.variant else "")
        calibrated = "calibrated" if row.calibrated else "not calibrated"
        typer.echo(
            f"{mark} {row.name:16} {system}, {row.tokens} tokens, {row.megabytes:.1f} MB, {calibrated}"
        )
        typer.echo(f"  {'':16} weights under {row.licence}")
        for what, value in row.results.items():
            typer.echo(f"  {'':16} {what} {value:.2f}")
    typer.echo("* is read by default and asks ? where it is in doubt; `--model NAME` takes one alone")
    for one in filter(None, (row.classifier for row in rows)):
        typer.echo(
            f"{one.name}, a classifier of single symbols{' and a language model' if one.language else ''}, "
            f"{'weigh' if one.language else 'weighs'} what they read: {one.tokens} tokens, "
            f"{one.megabytes:.1f} MB, weights under {one.licence}"
        )


def system_rows(preset_name: str) -> list[SystemRow]:
    """The ten systems at a preset's sizes, over CROHME's tokens."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "`--systems` counts parameters with torch: pip install 'inkscan[train]'"
        ) from error
    from inkscan.latex.vocabulary import CROHME
    from inkscan.models.scan import Scan
    from inkscan.models.systems import SYSTEMS, preset

    rows = []
    for system in SYSTEMS.values():
        with torch.device("meta"):  # shapes without memory
            model = Scan(preset(preset_name, system.name, len(CROHME)))
        total = sum(p.numel() for p in model.parameters())
        decoder = sum(p.numel() for p in model.decoder.parameters())
        attention = sum(p.numel() for p in model.decoder.attention.parameters())
        views = tuple(view.value for view in system.views)
        parts = {"encoder": total - decoder, "attention": attention, "decoder": decoder - attention}
        rows.append(SystemRow(system.name, system.title, views, system.fusion.value, **parts))
    return rows


def _print_systems(rows: list[SystemRow], preset_name: str) -> None:
    numbers = ("encoder", "attention", "decoder", "total")
    typer.echo(f"trainable parameters at the preset {preset_name}")
    typer.echo(f"{'system':12} {'views':23} {'fusion':12}" + "".join(f"{name:>12}" for name in numbers))
    for row in rows:
        counts = "".join(f"{getattr(row, name):>12,}" for name in numbers)
        typer.echo(f"{row.name:12} {', '.join(row.views):23} {row.fusion:12}{counts}")
