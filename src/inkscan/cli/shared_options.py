"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inkscan.evaluation.convention import Convention
from inkscan.ink.formats import format_names
from inkscan.runtime.search import MAX_BEAM, SearchSettings

Model = Annotated[
    str | None, typer.Option("--model", metavar="MODEL", help="A name of `inkscan models`, or a folder.")
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="A name of `inkscan models`, or a folder; if repeated, the models decide each token together.",
    ),
]
ClassifierName = Annotated[
    str | None,
    typer.Option(
        "--classifier",
        metavar="CLASSIFIER",
        help="Have the answers weighed by this classifier of single symbols: symbols-wide, or a folder that "
        "`inkscan classifier` or `inkscan language` made. The default models have one.",
    ),
]
INK_FILE = f"{format_names('or')}; - is standard input."  # the help of an argument
Beam = Annotated[
    int, typer.Option("--beam", min=1, max=MAX_BEAM, help="Hypotheses kept in the search; 1 is greedy.")
]
BEAM = SearchSettings().beam  # the default

LimitsConvention = Annotated[
    Convention,
    typer.Option(
        "--convention",
        help=r"Which \limits count: as the truth has them, an integral's alone, as the field's captions of the tests "
        "have them (every sum's and limit's), or none.",
    ),
]


def parquet_to_write(path: Path) -> Path:
    """Refuse a name that would make people take the Parquet file for something else."""
    if path.suffix != ".parquet":
        raise typer.BadParameter(f"a Parquet file is written, so its name must end in .parquet: {path}")
    return path
