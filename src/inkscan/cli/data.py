"""`inkscan data`: prepare, check and look at corpora."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from inkscan.cli.generate import generate
from inkscan.cli.main import EXIT_SOME_FAILED
from inkscan.errors import SourceNotFound

if TYPE_CHECKING:
    from inkscan.data import source
    from inkscan.data.preparation import Preparation
    from inkscan.data.stats import Stats

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
prepare = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
app.add_typer(prepare, name="prepare", help="Turn a published or own collection of inks into a corpus.")
app.command("generate")(generate)

SOURCE = typer.Argument(..., metavar="SRC", help="A folder, or a .zip or .tar.* archive, read in place.")
CORPUS = typer.Argument(..., metavar="FILE", help="A corpus (Parquet).")
OUT = typer.Option(..., "-o", "--out", metavar="OUT.parquet", dir_okay=False, help="The corpus to write.")
SPLIT = typer.Option("", "--split", help="Name of the part, such as train; the file's name if not given.")
SHOWN_REJECTIONS = 20
SHOWN_OTHERS = 3


@app.callback()
def _data() -> None:
    """Prepare, check and look at corpora."""


@prepare.command("crohme")
def crohme(src: Path = SOURCE, out: Path = OUT, split: str = SPLIT) -> None:
    """CROHME: LaTeX and MathML truth, strokes of symbols."""
    from inkscan.data.prepare_crohme import prepare_crohme

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_crohme(src, out, split or out.stem, on_progress)
    _report(done, out)


@prepare.command("mathwriting")
def mathwriting(src: Path = SOURCE, out: Path = OUT, split: str = SPLIT) -> None:
    """MathWriting: normalised LaTeX, no strokes of symbols."""
    from inkscan.data.prepare_mathwriting import prepare_mathwriting

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_mathwriting(src, out, split or out.stem, on_progress)
    _report(done, out)


@prepare.command("folder")
def folder(
    src: Path = SOURCE,
    out: Path = OUT,
    labels: Path = typer.Option(
        ..., "--labels", metavar="TABLE", help="Lines `file<TAB>LaTeX`, or a .csv of file, LaTeX."
    ),
    split: str = SPLIT,
    licence: str = typer.Option("", "--licence", help="The licence of the inks, kept in the corpus."),
) -> None:
    """Own inks in any known format, with a table of labels."""
    from inkscan.data.prepare_folder import prepare_folder

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_folder(src, labels, out, split or out.stem, licence, on_progress)
    _report(done, out)


@app.command("check")
def check(file: Path = CORPUS) -> None:
    """Verify that a corpus is whole and well formed."""
    from inkscan.data.check import check_corpus

    with _progress(f"checking {file.name}") as on_progress:
        done = check_corpus(file, on_progress)
    for finding in done.findings[:SHOWN_REJECTIONS]:
        typer.echo(f"{finding.id or file.name} [{finding.code}]: {finding.reason}")
    typer.echo(
        f"{file}: {done.samples} samples, {len(done.findings)} faults, {done.flat} outside the layout tree"
    )
    if done.findings:
        raise typer.Exit(EXIT_SOME_FAILED)


@app.command("stats")
def stats(
    file: Path = CORPUS,
    picture: Path | None = typer.Option(
        None, "-o", "--picture", metavar="OUT.svg", dir_okay=False, help="Also draw the histograms."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON for machines."),
) -> None:
    """Count expressions, strokes, points, tokens and alignment."""
    from inkscan.data.chart import stats_svg
    from inkscan.data.stats import corpus_stats

    with _progress(f"counting {file.name}") as on_progress:
        counted = corpus_stats(file, on_progress)
    if picture is not None:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(stats_svg(counted), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(counted.to_json()))
    else:
        _print_stats(counted)


@app.command("show")
def show(
    file: Path = CORPUS,
    out: Path = typer.Option(
        ..., "-o", "--out", metavar="PAGE.html", dir_okay=False, help="The page to write."
    ),
    count: int = typer.Option(60, "-n", "--count", min=1, help="How many expressions."),
    seed: int = typer.Option(0, help="Another seed gives other expressions."),
    token: str = typer.Option("", "--token", help="Only expressions with this token, such as \\sqrt."),
) -> None:
    """Write a page of inks with their truth, coloured by symbol."""
    from inkscan.data.corpus import Corpus
    from inkscan.data.show import choose, corpus_page

    corpus = Corpus.read(file)
    page = corpus_page(choose(corpus, count, seed, token), corpus.metadata, len(corpus))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, encoding="utf-8")
    typer.echo(f"{out}: open it in a browser")


@contextmanager
def _progress(title: str) -> Iterator[source.Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _report(done: Preparation, out: Path) -> None:
    from inkscan.data.rejection import NOT_INK, rejection_path

    others = [rejection for rejection in done.rejections if rejection.code == NOT_INK]
    total = done.kept + len(done.failed)
    typer.echo(f"{out}: {done.kept} of {total} inks kept")
    if others:
        names = ", ".join(rejection.name for rejection in others[:SHOWN_OTHERS])
        more = ", ..." if len(others) > SHOWN_OTHERS else ""
        typer.echo(f"  {len(others)} other files left aside, as {others[0].reason}: {names}{more}")
    for rejection in done.failed[:SHOWN_REJECTIONS]:
        typer.echo(f"  left out {rejection.name} [{rejection.code}]: {rejection.reason}")
    if len(done.failed) > SHOWN_REJECTIONS:
        typer.echo(f"  and {len(done.failed) - SHOWN_REJECTIONS} more")
    typer.echo(f"report: {rejection_path(out)}; fingerprint {done.metadata.fingerprint[:16]}")
    if not total:
        raise SourceNotFound("the source holds no ink, so the corpus is empty")
    if done.failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _print_stats(counted: Stats) -> None:
    console = Console()
    metadata = counted.metadata
    console.print(
        f"[b]{counted.samples}[/b] expressions, split {metadata.split or '-'}, {metadata.licence or '-'}"
    )
    console.print(f"fingerprint {metadata.fingerprint}", highlight=False)
    table = Table("per expression", "mean", "least", "5 %", "median", "95 %", "most")
    for spread in counted.spreads:
        mean, *others = spread.summary
        table.add_row(spread.name, f"{mean:.1f}", *(f"{value:.0f}" for value in others))
    console.print(table)
    folders = ", ".join(f"{name or '-'} {count}" for name, count in counted.sources.most_common(20))
    console.print(f"folders: {folders}", highlight=False)
    console.print(
        f"{len(counted.tokens)} token types; strokes for every symbol in {counted.aligned} expressions "
        f"({counted.aligned / max(counted.samples, 1):.2%}), of which {counted.uncovered} have strokes of no "
        f"symbol; {counted.flat} outside the layout tree",
        highlight=False,
    )
