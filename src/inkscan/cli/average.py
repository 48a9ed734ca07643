"""`inkscan average`: one checkpoint that is the mean of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.written_files import refuse_inputs


def average(
    checkpoints: Annotated[
        list[Path], typer.Argument(metavar="CHECKPOINT", help="Runs that began from the same weights.")
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="OUT.safetensors", help="The checkpoint to write.")
    ],
    statistics: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS", help="Measure the batch norms' statistics anew on this training corpus."
        ),
    ] = None,
    half: Annotated[bool, typer.Option("--half", help="Store weights as float16: half the size.")] = False,
) -> None:
    """Average the weights of checkpoints of one system: often better than each of them, and no slower."""
    from inkscan.data.corpus import Corpus, refuse_test_set
    from inkscan.training.average import average_checkpoints
    from inkscan.training.checkpoint import save_checkpoint

    refuse_inputs(out, statistics, *checkpoints)
    if statistics is not None:
        refuse_test_set(statistics)
    mean = average_checkpoints(checkpoints, half=half)
    if statistics is not None:
        from inkscan.training.statistics import with_statistics

        mean = with_statistics(mean, Corpus.read(statistics))
    save_checkpoint(mean, out)
    typer.echo(
        f"{out}: {mean.config.system}, the mean of {len(checkpoints)}, {out.stat().st_size / 1e6:.1f} MB"
    )
