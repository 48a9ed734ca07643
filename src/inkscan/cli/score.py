"""`inkscan score`: predictions against truths, from files; and how a report is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from inkscan.cli.shared_options import LimitsConvention
from inkscan.cli.wording import warn_of_extra
from inkscan.cli.written_files import refuse_inputs
from inkscan.evaluation.convention import Convention

if TYPE_CHECKING:
    from inkscan.evaluation.bootstrap import Estimate
    from inkscan.evaluation.report import Report, ScoreGroup
    from inkscan.evaluation.score import Score

_RATES = (
    ("exp_rate", "ExpRate"),
    ("le1", "<=1"),
    ("le2", "<=2"),
    ("le3", "<=3"),
    ("stru_rate", "StruRate"),
    ("error_rate", "token error rate"),
)


def score(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH.tsv", help="Truths, lines `id<TAB>LaTeX`.")],
    prediction: Annotated[Path, typer.Argument(metavar="PRED.tsv", help="Predictions, in the same form.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    per_sample: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.tsv",
            dir_okay=False,
            help="Write each sample's error counts, for `inkscan compare`.",
        ),
    ] = None,
    convention: LimitsConvention = Convention.WRITTEN,
    draws: Annotated[int, typer.Option(min=100, help="Bootstrap draws for the intervals.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
) -> None:
    """Score predictions by tokens and by symbol label graphs; a missing prediction counts as wrong."""
    from inkscan.errors import BadLabels
    from inkscan.evaluation.bootstrap import Bootstrap
    from inkscan.evaluation.report import report
    from inkscan.evaluation.score_files import read_expressions, score_expressions, write_samples

    refuse_inputs(per_sample, truth, prediction)
    truths, predictions = read_expressions(truth, empty=False), read_expressions(prediction, empty=True)
    if not truths:
        raise BadLabels(f"{truth} holds no truths, so there is nothing to score")
    scored = score_expressions(truths, predictions, convention)
    if per_sample is not None:
        write_samples(scored.samples, per_sample, convention)
    done = report(scored.samples, Bootstrap(draws, seed), convention)
    warn_of_extra(scored.extra, prediction)
    if as_json:
        typer.echo(json.dumps({**done.to_json(), "extra_predictions": scored.extra}))
    else:
        print_report(done)


def print_report(report: Report) -> None:
    """The scores as tables, for people."""
    console = Console()
    console.print(f"[b]{report.count}[/b] expressions")
    for code, count in report.failures.most_common():
        fate = "read as far as it goes" if code.startswith("latex.") else "counted as wrong"
        console.print(f"  {count} without a readable prediction [{code}]: {fate}", markup=False)
    if report.unreadable_truths:
        console.print(f"  {report.unreadable_truths} truths that symLG cannot read: counted as wrong there")
    table = Table("per cent (95 % interval)", "token", "symLG")
    for name, title in _RATES:
        cells = (
            _cell(one.estimates[name]) if name in one.estimates else ""
            for one in (report.token, report.symlg)
        )
        table.add_row(title, *cells)
    console.print(table)
    if report.symbols:
        _print_symbols(console, report.symbols)
    for title, groups in (("tokens", report.by_length), ("source", report.by_source)):
        if len(groups) > 1:
            _print_groups(console, title, groups)
    if report.calibration:
        console.print(f"expected calibration error of the confidence: {report.calibration.error:.3f}")
    for part in (report.token, report.symlg, report.symbols):
        if part:
            console.print(part.signature, style="dim", markup=False, highlight=False, soft_wrap=True)


def _print_symbols(console: Console, symbols: Score) -> None:
    table = Table("symbols", "precision", "recall", "F1")
    for kind, title in (("segmentation", "strokes"), ("recognition", "strokes and label")):
        table.add_row(
            title, *(_cell(symbols.estimates[f"{kind}_{part}"]) for part in ("precision", "recall", "f1"))
        )
    console.print(table)


def _print_groups(console: Console, title: str, groups: tuple[ScoreGroup, ...]) -> None:
    table = Table(title, "count", "token ExpRate", "symLG ExpRate", "StruRate", "token error rate")
    for group in groups:
        token, symlg = group.token.estimates, group.symlg.estimates
        chosen = (token["exp_rate"], symlg["exp_rate"], symlg["stru_rate"], token["error_rate"])
        table.add_row(escape(group.name) or "-", str(group.count), *map(_cell, chosen))
    console.print(table)


def _cell(estimate: Estimate | None) -> str:
    return "-" if estimate is None else f"{estimate.value:.2f} ({estimate.low:.1f}-{estimate.high:.1f})"
