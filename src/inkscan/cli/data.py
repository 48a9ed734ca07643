"""`inkscan data`: prepare, check and look at corpora."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from inkscan.cli.main import EXIT_SOME_FAILED
from inkscan.data import source
from inkscan.data.preparation import Preparation
from inkscan.data.rejection import NOT_INK, rejection_path

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
prepare = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
app.add_typer(prepare, name="prepare", help="Turn a published or own collection of inks into a corpus.")

SOURCE = typer.Argument(..., metavar="SRC", help="A folder, or a .zip or .tar.* archive.")
OUT = typer.Option(..., "-o", "--out", metavar="OUT.parquet", help="The corpus to write.")
SPLIT = typer.Option("", "--split", help="The corpus's part, such as train or test2014; the file's name if not given.")


@app.callback()
def _data() -> None:
    """Prepare, check and look at corpora."""


@prepare.command("crohme")
def crohme(src: Path = SOURCE, out: Path = OUT, split: str = SPLIT) -> None:
    """CROHME's InkML with MathML truth and stroke alignment."""
    from inkscan.data.prepare_crohme import prepare_crohme

    with _progress(f"reading {src.name}") as on_progress:
        done = prepare_crohme(src, out, split or out.stem, on_progress)
    _report(done, out)


@contextmanager
def _progress(title: str) -> Iterator[source.Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _report(done: Preparation, out: Path) -> None:
    others = len(done.rejections) - len(done.failed)
    typer.echo(f"{out}: {done.kept} of {done.kept + len(done.failed)} inks kept, {others} other files left aside")
    for rejection in done.failed[:20]:
        typer.echo(f"  left out {rejection.name} [{rejection.code}]: {rejection.reason}")
    typer.echo(f"report: {rejection_path(out)}; fingerprint {done.metadata.fingerprint[:16]}")
    if done.failed:
        raise typer.Exit(EXIT_SOME_FAILED)
