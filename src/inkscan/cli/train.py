"""`inkscan train`: train any of the ten systems on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SystemName = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM", help="One of the ten systems, such as onscan (see `inkscan models --systems`)."
    ),
]
TrainCorpora = Annotated[
    list[Path],
    typer.Option(
        "--train", metavar="CORPUS", help="Training corpus (Parquet); repeatable: several are read as one."
    ),
]
ValidCorpus = Annotated[
    Path,
    typer.Option("--valid", metavar="CORPUS", help="Validation corpus, which selects the best checkpoint."),
]
RunFolder = Annotated[
    Path,
    typer.Option("--out", metavar="FOLDER", help="Folder of the run: checkpoints, metrics, config, report."),
]
Repeats = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE=TIMES",
        help="Go through a corpus of --train so often in an epoch, so that a little ink of one's own counts "
        "beside much other; repeatable.",
    ),
]
RecipeName = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="fast (AdamW, generated patterns), or paper (Adadelta, the corpus as it is)."
    ),
]
PresetName = Annotated[str, typer.Option(metavar="NAME", help="Sizes of the model: paper, small or tiny.")]
Devices = Annotated[int, typer.Option(min=1, help="Processes on this machine; on a CPU of one thread each.")]
Nodes = Annotated[int, typer.Option(min=1, help="Machines, when started by torchrun or SLURM.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on from the last checkpoint in --out; without one, start.")
]
Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="CHECKPOINT",
        help="Start from the weights of this checkpoint, placed by view; repeatable: a system of two views "
        "may start from two of one view each.",
    ),
]
Encoders = Annotated[
    list[Path] | None,
    typer.Option(
        "--encoder",
        metavar="CHECKPOINT",
        help="Take only the encoder of traces or images from this checkpoint, in place of that of --init; repeatable.",
    ),
]
TeacherPaths = Annotated[
    list[Path] | None,
    typer.Option(
        "--teacher",
        metavar="CHECKPOINT",
        help="Learn what this trained model expects of each token, too (--set trust=0.5); repeatable: their mean.",
    ),
]
AlphabetName = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Symbols to learn: corpus (those that it has), or wide (the whole alphabet)."
    ),
]
NewSymbols = Annotated[
    str,
    typer.Option(
        metavar="TOKENS",
        help="New symbols, with spaces between, for the model of --init (docs/own-symbols.md).",
    ),
]
Banks = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Isolated characters (JSON lines, or UNIPEN's tar) that stand in for the corpus's symbols in "
        "generated patterns; repeatable.",
    ),
]
FormulaTables = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Table of formulas to write in generated patterns; repeatable."),
]
PrecisionName = Annotated[
    str, typer.Option(metavar="NAME", help="auto (bfloat16 where the processor has it), bfloat16 or float32.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a setting, repeatable: epochs=20, patterns.exchange=0, model.dropout=0.3.",
    ),
]
Ahead = Annotated[
    bool,
    typer.Option(
        "--ahead",
        help="Let a process of its own make patterns and batches ahead of the training, once for each of "
        "--devices: the same run, sooner where a core is idle.",
    ),
]
SelectOnTest = Annotated[
    bool, typer.Option("--select-on-test", help="Allow a test split as --valid; the run is stamped so.")
]


def train(
    system: SystemName,
    train: TrainCorpora,
    valid: ValidCorpus,
    out: RunFolder,
    repeat: Repeats = None,
    recipe: RecipeName = "fast",
    preset: PresetName = "paper",
    devices: Devices = 1,
    nodes: Nodes = 1,
    resume: Resume = False,
    init: Checkpoints = None,
    encoder: Encoders = None,
    teacher: TeacherPaths = None,
    alphabet: AlphabetName = "corpus",
    add_symbols: NewSymbols = "",
    bank: Banks = None,
    formulas: FormulaTables = None,
    precision: PrecisionName = "auto",
    ahead: Ahead = False,
    settings: Settings = None,
    select_on_test: SelectOnTest = False,
) -> None:
    """Train SYSTEM and keep the checkpoint that validates best."""
    from inkscan.training.command import run_training
    from inkscan.training.request import TrainRequest

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
            encoder=tuple(encoder or ()),
            teacher=tuple(teacher or ()),
            bank=tuple(bank or ()),
            formulas=tuple(formulas or ()),
            precision=precision,
            ahead=ahead,
            alphabet=alphabet,
            add_symbols=tuple(add_symbols.split()),
            settings=tuple(settings or ()),
            select_on_test=select_on_test,
        )
    )
