"""`inkscan explain`: where the attention lay at each decoding step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.model_names import model_folder
from inkscan.cli.printing import read_file
from inkscan.cli.shared_options import BEAM, INK_FILE, Beam
from inkscan.cli.written_files import refuse_inputs, write_text


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE", help=INK_FILE)],
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
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="A name of `inkscan models`, a folder or a checkpoint; repeated, one after another.",
        ),
    ] = None,
    truth: Annotated[
        str | None, typer.Option(metavar="LATEX", help="What the ink says; tokens that are wrong get marked.")
    ] = None,
    beam: Beam = BEAM,
) -> None:
    """Write a page that shows what models answer, their symbols on the ink, and the attention at each step."""
    from inkscan.latex.tokens import canonical_tokens
    from inkscan.runtime.explain import ExplainedAnswer, explanation
    from inkscan.runtime.recognizer import load

    wanted = None if truth is None else canonical_tokens(truth)
    ink = read_file(file)
    readings = []
    for recognizer in [load(model_folder(name)) for name in model] if model else [load()]:
        answer = recognizer.with_search(beam=beam)(ink)
        infos = [member.info for member in recognizer.members] + [
            one.info for one in [recognizer.second] if one
        ]
        answered = next((info for info in infos if info.name == answer.model), infos[0])
        readings.append(ExplainedAnswer(answered, answer))
    title = "standard input" if file == "-" else Path(file).name
    out = out or Path("ink.html" if file == "-" else f"{Path(file).stem}.html")
    refuse_inputs(out, file)
    write_text(out, explanation(readings, title, wanted))
    for reading in readings:
        typer.echo(f"{reading.answer.model}\t{reading.answer}" if len(readings) > 1 else reading.answer.latex)
    typer.echo(f"written to {out}")
