"""`inkscan recognize`: pen strokes in files to LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.entry import EXIT_SOME_FAILED
from inkscan.cli.printing import Form, Printed, print_answers
from inkscan.cli.shared_options import BEAM, INK_FILE, Beam, ClassifierName, Models
from inkscan.cli.written_files import refuse_inputs
from inkscan.errors import BadRequest, LatexError
from inkscan.files import whole_file

ONE_READING = (Form.MATHML, Form.INKML)  # have no place for several

Format = Annotated[
    Form | None,
    typer.Option(
        "--format",
        help="latex, mathml, json (an object for each file, one a line), or inkml "
        "(one file: the ink with the answer as its truth).",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "-o", "--out", metavar="OUT", dir_okay=False, help="Write to this file in place of the terminal."
    ),
]
NBest = Annotated[
    int | None,
    typer.Option(
        "--n-best",
        min=1,
        help="Show at most this many readings, the answer first; fewer if the search finds no other "
        "worth keeping; if not given 1, with --json 5.",
    ),
]
Allow = Annotated[
    str | None, typer.Option(metavar="SYMBOLS", help="Use only these, with spaces between: 'x y + 1 2'.")
]
Forbid = Annotated[
    str | None, typer.Option(metavar="SYMBOLS", help="Use none of these, with spaces between.")
]
Truth = Annotated[
    Path | None,
    typer.Option(
        metavar="TABLE",
        help="Say which answers are right: lines `file<TAB>LaTeX`, or a .csv of file, LaTeX, as `data prepare` takes.",
    ),
]


def recognize(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help=INK_FILE)],
    model: Models = None,
    classifier: ClassifierName = None,
    form: Format = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Out = None,
    n_best: NBest = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Print before each answer how likely it is to be right.")
    ] = False,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="The ink has several lines of mathematics: read each by itself.")
    ] = False,
    aligned: Annotated[
        bool, typer.Option("--aligned", help="As --sheet, as one formula aligned at the relation signs.")
    ] = False,
    truth: Truth = None,
    beam: Beam = BEAM,
    allow: Allow = None,
    forbid: Forbid = None,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads of the network.")] = 1,
) -> None:
    """Print the LaTeX of each file. A file that fails gives an error line and, at the end, the exit code 1."""
    from inkscan.runtime.recognizer import load

    form = _form(form, as_json)
    shows_one = form in ONE_READING or ((sheet or aligned) and form is not Form.JSON)
    if (n_best or 1) > 1 and shows_one:
        raise BadRequest("--n-best goes with --format latex or json, and of a sheet with json alone")
    if form is Form.INKML and (len(files) > 1 or sheet or aligned or confidence):
        raise BadRequest(
            "--format inkml is for one FILE, without --sheet and --confidence: the ink and its answer"
        )
    if aligned and (form is Form.MATHML or confidence):
        raise BadRequest("--aligned is one formula in LaTeX: without --format mathml and --confidence")
    if truth and (sheet or aligned or form is not Form.LATEX):
        raise BadRequest("--truth goes with --format latex, and not with --sheet")
    n_best = n_best or (5 if form is Form.JSON else 1)
    recognizer = load(*(model or ()), threads=threads, classifier=classifier).with_search(
        beam=beam,
        n_best=n_best,
        allow=allow,
        forbid=forbid or (),
    )
    printed = Printed(form, n_best, confidence, sheet or aligned, aligned, _truths(truth))
    refuse_inputs(out, truth, *files)
    failed = 0
    with suppress(_NothingRead), _destination(out):
        failed = print_answers(files, recognizer, printed)
        if failed == len(files):
            raise _NothingRead
    if failed:
        raise typer.Exit(EXIT_SOME_FAILED)


def _form(form: Form | None, as_json: bool) -> Form:
    if as_json and form not in (None, Form.JSON):
        raise BadRequest(f"--json and --format {form} ask for two things: give one of them")
    return Form.JSON if as_json else form or Form.LATEX


def _truths(table: Path | None) -> dict[str, tuple[str, ...]] | None:
    """The tokens of each file's truth."""
    from inkscan.data.labels import read_labels
    from inkscan.latex.tokens import canonical_tokens

    if table is None:
        return None
    truths = {}
    for file, latex in read_labels(table).items():
        try:
            truths[file] = canonical_tokens(latex)
        except LatexError as error:
            raise type(error)(f"{table}, the truth of {file}: {error}", error.position) from error
    return truths


class _NothingRead(Exception):
    """No file could be recognised, so that an older output stays."""


@contextmanager
def _destination(out: Path | None) -> Iterator[None]:
    """What is printed meanwhile goes to a file, if one is named; it appears when all is written."""
    if out is None:
        yield
        return
    with (
        whole_file(out) as partial,
        partial.open("w", encoding="utf-8", errors="surrogateescape") as file,  # names of files as they are
        redirect_stdout(file),
    ):
        yield
