"""`inkscan recognize`: pen strokes in files to LaTeX."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.cli.main import EXIT_SOME_FAILED
from inkscan.cli.options import BEAM, Beam, Models
from inkscan.errors import InkscanError, SourceNotFound

if TYPE_CHECKING:
    from inkscan.ink import Ink
    from inkscan.runtime.recognition import Recognition
    from inkscan.runtime.recognizer import Recognizer

CHUNK = 64  # files read and recognised together


def recognize(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="InkML, JSON or SCGINK; - is standard input.")
    ],
    model: Models = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each file, one a line.")
    ] = False,
    n_best: Annotated[
        int | None,
        typer.Option(
            "--n-best",
            min=1,
            help="Show at most this many readings, the answer first; fewer if the search finds no other "
            "worth keeping; if not given 1, with --json 5.",
        ),
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Print before each answer how likely it is to be right.")
    ] = False,
    beam: Beam = BEAM,
    allow: Annotated[
        str | None, typer.Option(metavar="SYMBOLS", help="Use only these, with spaces between: 'x y + 1 2'.")
    ] = None,
    forbid: Annotated[
        str | None, typer.Option(metavar="SYMBOLS", help="Use none of these, with spaces between.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads of the network.")] = 1,
) -> None:
    """Print the LaTeX of each file. A file that fails gives an error line and, at the end, the exit code 1."""
    from inkscan.runtime.recognizer import load

    n_best = n_best or (5 if as_json else 1)
    recognizer = load(*(model or ()), threads=threads).with_search(
        beam=beam,
        n_best=n_best,
        allow=allow,
        forbid=forbid or (),
    )
    failed = 0
    for start in range(0, len(files), CHUNK):
        names = files[start : start + CHUNK]
        for name, answer in zip(names, _answers(recognizer, names), strict=True):
            if isinstance(answer, Exception):
                failed += 1
                _print_error(name, answer, as_json=as_json)
            else:
                _print_answer(
                    name, answer, as_json=as_json, named=len(files) > 1, n_best=n_best, sure=confidence
                )
    if failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _answers(recognizer: Recognizer, names: list[str]) -> list[Recognition | InkscanError | OSError]:
    """The answer to each file, or why there is none."""
    read = [_ink_or_error(name) for name in names]
    answers = iter(recognizer.answers([ink for ink in read if not isinstance(ink, Exception)]))
    return [ink if isinstance(ink, Exception) else next(answers) for ink in read]


def _ink_or_error(name: str) -> Ink | InkscanError | OSError:
    try:
        return read_file(name)
    except (InkscanError, OSError) as error:
        return error


def read_file(name: str) -> Ink:
    """The ink of a file, or of standard input for a dash."""
    from inkscan.ink import Ink

    if Path(name).is_dir():
        raise SourceNotFound(f"{name} is a folder; name the files in it, or give it to `inkscan bulk`")
    return Ink.read(sys.stdin.buffer if name == "-" else name)


def _print_answer(
    name: str, answer: Recognition, *, as_json: bool, named: bool, n_best: int, sure: bool
) -> None:
    if as_json:
        typer.echo(json.dumps({"file": name, **answer.to_json()}))
        return
    prefix = f"{name}\t" if named else ""
    if n_best == 1:
        typer.echo(prefix + (f"{answer.confidence:.0%}\t" if sure else "") + answer.latex)
        return
    for alternative in answer.alternatives:
        typer.echo(f"{prefix}{alternative.probability:.4f}\t{alternative.latex}")


def _print_error(name: str, error: InkscanError | OSError, *, as_json: bool) -> None:
    code, message = (error.code, str(error)) if isinstance(error, InkscanError) else ("io", error.strerror)
    if as_json:
        typer.echo(json.dumps({"file": name, "error": {"code": code, "message": message}}))
    about = "" if isinstance(error, SourceNotFound) else f"{name}: "  # that error names the file itself
    typer.echo(f"error [{code}]: {about}{message}", err=True)
