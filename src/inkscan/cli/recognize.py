"""`inkscan recognize`: pen strokes in files to LaTeX."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inkscan.errors import InkscanError, SourceNotFound

if TYPE_CHECKING:
    from inkscan.ink import Ink
    from inkscan.runtime.recognition import Recognition

EXIT_SOME_FAILED = 1
CHUNK = 64  # files read and recognised together


def recognize(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="InkML, JSON or SCGINK; - is standard input.")
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL", help="A name of `inkscan models`, or a folder; repeated, several vote."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each file, one a line.")
    ] = False,
    n_best: Annotated[
        int | None,
        typer.Option(
            "--n-best",
            min=1,
            help="Alternatives to show, the answer included; if not given 1, with --json 5.",
        ),
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Print before each answer how likely it is to be right.")
    ] = False,
    beam: Annotated[
        int, typer.Option(min=1, max=100, help="Hypotheses kept in the search; 1 is greedy.")
    ] = 10,
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
        allow=allow.split() if allow is not None else None,
        forbid=forbid.split() if forbid else (),
    )
    failed = 0
    for names in _chunks(files):
        inks: dict[str, Ink] = {}
        errors: dict[str, InkscanError] = {}
        for name in names:
            try:
                inks[name] = read_file(name)
            except InkscanError as error:
                errors[name] = error
        answers = dict(zip(inks, recognizer.answers(list(inks.values())), strict=True))
        for name in names:
            answer = errors.get(name) or answers[name]
            if isinstance(answer, InkscanError):
                failed += 1
                _print_error(name, answer, as_json=as_json)
            else:
                _print_answer(
                    name, answer, as_json=as_json, named=len(files) > 1, n_best=n_best, sure=confidence
                )
    if failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _chunks(files: list[str]) -> list[list[str]]:
    unique = list(dict.fromkeys(files))
    return [unique[i : i + CHUNK] for i in range(0, len(unique), CHUNK)]


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
        typer.echo(json.dumps({"file": name, **answer.to_json()}, ensure_ascii=False))
        return
    prefix = f"{name}\t" if named else ""
    if n_best == 1:
        typer.echo(prefix + (f"{answer.confidence:.0%}\t" if sure else "") + answer.latex)
        return
    for alternative in answer.alternatives:
        typer.echo(f"{prefix}{alternative.probability:.4f}\t{alternative.latex}")


def _print_error(name: str, error: InkscanError, *, as_json: bool) -> None:
    if as_json:
        typer.echo(
            json.dumps(
                {"file": name, "error": {"code": error.code, "message": str(error)}}, ensure_ascii=False
            )
        )
    about = "" if isinstance(error, SourceNotFound) else f"{name}: "  # that error names the file itself
    typer.echo(f"error [{error.code}]: {about}{error}", err=True)
