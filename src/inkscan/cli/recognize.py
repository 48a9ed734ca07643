"""`inkscan recognize`: pen strokes in files to LaTeX."""

from __future__ import annotations

from typing import Annotated

import typer

from inkscan.cli.answers import Printed, print_answers
from inkscan.cli.options import BEAM, Beam, Models
from inkscan.cli.start import EXIT_SOME_FAILED
from inkscan.errors import BadRequest


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
    sheet: Annotated[
        bool, typer.Option("--sheet", help="The ink has several lines of mathematics: read each by itself.")
    ] = False,
    aligned: Annotated[
        bool, typer.Option("--aligned", help="As --sheet, as one formula aligned at the relation signs.")
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

    if (sheet or aligned) and (n_best or 1) > 1:
        raise BadRequest("--sheet shows one reading of each line; leave --n-best out")
    n_best = n_best or (5 if as_json else 1)
    recognizer = load(*(model or ()), threads=threads).with_search(
        beam=beam,
        n_best=n_best,
        allow=allow,
        forbid=forbid or (),
    )
    printed = Printed(as_json, n_best, confidence, sheet or aligned, aligned)
    if print_answers(files, recognizer, printed):
        raise typer.Exit(EXIT_SOME_FAILED)
