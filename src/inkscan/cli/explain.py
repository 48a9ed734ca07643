"""`inkscan explain`: where the attention lay at each decoding step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.answers import read_file
from inkscan.cli.options import BEAM, Beam, Model


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE", help="InkML, JSON or SCGINK; - is standard input.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT.html",
            dir_okay=False,
            help="The page to write; if not given, FILE's name with .html, in the current folder.",
        ),
    ] = None,
    model: Model = None,
    beam: Beam = BEAM,
) -> None:
    """Write a page that shows the answer, its symbols on the ink, and the attention at each step."""
    from inkscan.runtime.explain import explanation
    from inkscan.runtime.recognizer import load

    recognizer = load(*([model] if model else [])).with_search(beam=beam)
    answer = recognizer(read_file(file))
    title = "standard input" if file == "-" else Path(file).name
    out = out or Path("ink.html" if file == "-" else f"{Path(file).stem}.html")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(explanation(recognizer, answer, title=title), encoding="utf-8")
    typer.echo(f"{answer.latex}\nwritten to {out}")
