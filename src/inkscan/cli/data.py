"""`inkscan data`: prepare, check and look at corpora."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from typer.core import TyperGroup

from inkscan.cli.entry import EXIT_SOME_FAILED
from inkscan.cli.generate import generate
from inkscan.cli.shared_options import parquet_to_write
from inkscan.cli.wording import counted
from inkscan.cli.written_files import refuse_inputs, write_text
from inkscan.data.rejection import rejection_path
from inkscan.errors import BadCorpus, SourceNotFound

if TYPE_CHECKING:
    from inkscan.data import source
    from inkscan.data.preparation import Preparation
    from inkscan.data.rejection import Rejection
    from inkscan.data.stats import Stats

_ORDER = ("prepare", "check", "stats", "show", "generate", "crohme", "mathwriting", "folder")


class _Group(TyperGroup):
    """Lists its commands as they are used one after another, and names them to who asks for another."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(self.commands, key=_ORDER.index)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        known = args[0] in self.commands or args[0].startswith("-")
        if not known and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}; there are {', '.join(self.list_commands(ctx))}.")
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=_Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)
prepare = typer.Typer(cls=_Group, add_completion=False, rich_markup_mode=None, no_args_is_help=True)
app.add_typer(prepare, name="prepare", help="Turn a published or own collection of inks into a corpus.")
app.command("generate")(generate)

SOURCE = typer.Argument(..., metavar="SRC", help="A folder, or a .zip or .tar.* archive, read in place.")
CORPUS = typer.Argument(..., metavar="FILE", help="A corpus (Parquet).")
OUT = typer.Option(
    ...,
    "-o",
    "--out",
    metavar="OUT.parquet",
    dir_okay=False,
    callback=parquet_to_write,
    help="The corpus to write.",
)
SPLIT = typer.Option("", "--split", help="Name of the part, such as train; the file's name if not given.")
SHOWN_REJECTIONS = 20
SHOWN_NAMES = 3
FOREIGN_LATEX = "arrays or commands that inkscan does not know"


@app.callback()
def _data() -> None:
    """Prepare, check and look at corpora."""


@prepare.command("crohme")
def crohme(src: Path = SOURCE, out: Path = OUT, split: str = SPLIT) -> None:
    """CROHME: LaTeX and MathML truth, strokes of symbols."""
    from inkscan.data.prepare_crohme import prepare_crohme

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_crohme(src, out, split or out.stem, on_progress)
    _report(done, src, out)


@prepare.command("mathwriting")
def mathwriting(src: Path = SOURCE, out: Path = OUT, split: str = SPLIT) -> None:
    """MathWriting: normalised LaTeX, no strokes of symbols."""
    from inkscan.data.prepare_mathwriting import prepare_mathwriting

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_mathwriting(src, out, split or out.stem, on_progress)
    _report(done, src, out)


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

    for written in (out, rejection_path(out)):
        refuse_inputs(written, src, labels)
    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_folder(src, labels, out, split or out.stem, licence, on_progress)
    unused = len(done.unused_labels)
    if unused:
        lines = f"{counted(unused, 'line')} of {labels} {'names' if unused == 1 else 'name'} no ink"
        typer.echo(f"{lines}: {_first(done.unused_labels)}", err=True)
    _report(done, src, out)


@app.command("check")
def check(file: Path = CORPUS) -> None:
    """Verify that a corpus is whole and well formed."""
    from inkscan.data.check import check_corpus

    with _progress(f"checking {file.name}") as on_progress:
        done = check_corpus(file, on_progress)
    for finding in done.findings[:SHOWN_REJECTIONS]:
        typer.echo(f"{finding.id or file.name} [{finding.code}]: {finding.reason}")
    foreign = f"; {done.foreign} with {FOREIGN_LATEX}" if done.foreign else ""
    typer.echo(f"{file}: {counted(done.samples, 'sample')}, {counted(len(done.findings), 'fault')}{foreign}")
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
        found = corpus_stats(file, on_progress)
    if picture is not None:
        refuse_inputs(picture, file)
        write_text(picture, stats_svg(found))
    if as_json:
        typer.echo(json.dumps(found.to_json()))
    else:
        _print_stats(found)


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
    refuse_inputs(out, file)
    write_text(out, page)
    typer.echo(f"{out}: open it in a browser")


@contextmanager
def _progress(title: str) -> Iterator[source.OnProgress]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _report(done: Preparation, src: Path, out: Path) -> None:
    from inkscan.data.rejection import NOT_INK, rejection_path

    others = [rejection for rejection in done.rejections if rejection.code == NOT_INK]
    total = done.kept + len(done.failed)
    typer.echo(f"{out}: {done.kept} of {counted(total, 'ink')} kept")
    if others:
        names = _first([rejection.name for rejection in others])
        typer.echo(f"  {counted(len(others), 'other file')} left aside, as {others[0].reason}: {names}")
    if done.foreign:
        typer.echo(f"  {len(done.foreign)} kept with {FOREIGN_LATEX}: {_first(done.foreign)}")
    for rejection in done.failed[:SHOWN_REJECTIONS]:
        typer.echo(f"  left out {rejection.name} [{rejection.code}]: {rejection.reason}")
    if len(done.failed) > SHOWN_REJECTIONS:
        typer.echo(f"  and {len(done.failed) - SHOWN_REJECTIONS} more")
    if done.kept:
        typer.echo(f"report: {rejection_path(out)}; fingerprint {done.metadata.fingerprint[:16]}")
    elif not out.exists():
        typer.echo(f"report: {rejection_path(out)}")
    stays = f"; {out} stays as it was" if out.exists() else ""
    if not total:
        raise SourceNotFound(f"{src} holds no ink, so no corpus was written{stays}{_hint(others, src)}")
    if not done.kept:
        raise BadCorpus(f"no ink of {src} could be kept, so no corpus was written{stays}")
    if done.failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _hint(others: Sequence[Rejection], src: Path) -> str:
    """What to do with inks that a published collection does not have."""
    from inkscan.ink.formats import ink_suffixes

    if any(PurePath(rejection.name).suffix.lower() in ink_suffixes() for rejection in others):
        return f"; for inks of your own: `inkscan data prepare folder {src} --labels TABLE -o OUT.parquet`"
    return ""


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN_NAMES]) + (", ..." if len(names) > SHOWN_NAMES else "")


def _print_stats(found: Stats) -> None:
    console = Console()
    metadata = found.metadata
    console.print(
        f"{counted(found.samples, 'expression')}, split {metadata.split or '-'}, {metadata.licence or '-'}",
        markup=False,
    )
    console.print(f"fingerprint {metadata.fingerprint}", highlight=False)
    table = Table("per expression", "mean", "least", "5 %", "median", "95 %", "most")
    for spread in found.spreads:
        mean, *others = spread.summary
        table.add_row(spread.name, f"{mean:.1f}", *(f"{value:.0f}" for value in others))
    console.print(table)
    folders = ", ".join(f"{name or '-'} {count}" for name, count in found.sources.most_common(20))
    console.print(f"folders: {folders}", markup=False, highlight=False)
    console.print(
        f"{len(found.tokens)} token types; strokes for every symbol in {found.aligned} expressions "
        f"({found.aligned / max(found.samples, 1):.2%}), of which {found.uncovered} have strokes of no "
        f"symbol; {found.flat} with arrays or other LaTeX that has no layout",
        highlight=False,
    )
