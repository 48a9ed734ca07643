"""`inkscan train`: train any of the ten systems on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def train(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="One of the ten systems, such as onscan (see `inkscan models --systems`)."
        ),
    ],
    train: Annotated[
        list[Path],
        typer.Option("--train", help="Training corpus (Parquet); repeatable: several are read as one."),
    ],
    valid: Annotated[
        Path, typer.Option("--valid", help="Validation corpus, which selects the best checkpoint.")
    ],
    out: Annotated[
        Path, typer.Option("--out", help="Folder of the run: checkpoints, metrics, config, report.")
    ],
    repeat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE=TIMES",
            help="Go through a corpus of --train so often in an epoch, so that a little ink of one's own counts "
            "beside much other; repeatable.",
        ),
    ] = None,
    recipe: Annotated[
        str, typer.Option(help="fast (AdamW, generated patterns), or paper (Adadelta, the corpus as it is).")
    ] = "fast",
    preset: Annotated[str, typer.Option(help="Sizes of the model: paper, small or tiny.")] = "paper",
    devices: Annotated[
        int, typer.Option(min=1, help="Processes on this machine; on a CPU of one thread each.")
    ] = 1,
    nodes: Annotated[int, typer.Option(min=1, help="Machines, when started by torchrun or SLURM.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in --out; without one, start.")
    ] = False,
    init: Annotated[
        list[Path] | None,
        typer.Option(
            help="Start from the weights of this checkpoint, placed by view; repeatable: a system of two views "
            "may start from two of one view each."
        ),
    ] = None,
    alphabet: Annotated[
        str, typer.Option(help="Symbols to learn: corpus (those that it has), or wide (the whole alphabet).")
    ] = "corpus",
    add_symbols: Annotated[
        str,
        typer.Option(
            metavar="TOKENS",
            help="New symbols, with spaces between, for the model of --init (docs/own-symbols.md).",
        ),
    ] = "",
    bank: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Isolated characters (JSON lines, or UNIPEN's tar) that stand in for the corpus's symbols in "
            "generated patterns; repeatable.",
        ),
    ] = None,
    formulas: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Table of formulas to write in generated patterns; repeatable."),
    ] = None,
    precision: Annotated[
        str, typer.Option(help="auto (bfloat16 where the processor has it), bfloat16 or float32.")
    ] = "auto",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting, repeatable: epochs=20, patterns.exchange=0, model.dropout=0.3.",
        ),
    ] = None,
    select_on_test: Annotated[
        bool, typer.Option("--select-on-test", help="Allow a test split as --valid; the run is stamped so.")
    ] = False,
) -> None:
    """Train SYSTEM and keep the checkpoint that validates best."""
    from inkscan.training.command import TrainRequest, run_training

    run_training(
        TrainRequest(
            system=system,
            train=tuple(train),
            repeat=tuple(repeat or ()),
            valid=valid,
            out=out,
            recipe=recipe,
            preset=preset,
            devices=devices,
            nodes=nodes,
            resume=resume,
            init=tuple(init or ()),
            bank=tuple(bank or ()),
            formulas=tuple(formulas or ()),
            precision=precision,
            alphabet=alphabet,
            add_symbols=tuple(add_symbols.split()),
            settings=tuple(settings or ()),
            select_on_test=select_on_test,
        )
    )
