"""A training run as it is asked for, the command that repeats it, and what a run that goes on cannot be asked for."""

from __future__ import annotations

import shlex
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from inkscan.errors import BadSetting

OF_THE_BEGINNING = ("recipe", "preset", "init", "encoder", "alphabet", "add_symbols")


@dataclass(frozen=True)
class TrainRequest:
    system: str
    train: tuple[Path, ...]  # corpora, read as one
    valid: Path
    out: Path
    recipe: str = "fast"
    preset: str = "paper"
    devices: int = 1
    nodes: int = 1
    resume: bool = False
    repeat: tuple[str, ...] = ()  # FILE=TIMES for corpora of `train` that weigh more
    init: tuple[Path, ...] = ()  # checkpoints to begin from, one or more
    encoder: tuple[Path, ...] = ()  # checkpoints whose encoders alone are taken, before those of `init`
    teacher: tuple[Path, ...] = ()  # checkpoints whose expectations are learnt beside the truth
    bank: tuple[Path, ...] = ()  # files of isolated characters
    formulas: tuple[Path, ...] = ()  # tables of expressions
    precision: str = "auto"
    ahead: bool = False  # batches are made by a process of their own
    alphabet: str = "corpus"  # or wide: all symbols that a model may know
    add_symbols: tuple[str, ...] = ()  # new tokens for the vocabulary of `init`
    settings: tuple[str, ...] = ()
    select_on_test: bool = False


def command_of(request: TrainRequest) -> str:
    """The command that repeats a run, its files without the folders of this machine."""
    words = ["inkscan", "train", request.system]
    valued = ("valid", "out", "recipe", "preset", "devices", "nodes", "init", "encoder", "teacher")
    for name in ("train", "repeat", *valued, "bank", "formulas"):
        value = getattr(request, name)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and (name, one) != ("nodes", 1):
                words += [
                    f"--{name}",
                    Path(one).name if isinstance(one, Path) or name == "repeat" else str(one),
                ]
    words += ["--precision", request.precision] if request.precision != "auto" else []
    words += ["--alphabet", request.alphabet] if request.alphabet != "corpus" else []
    words += ["--add-symbols", " ".join(request.add_symbols)] if request.add_symbols else []
    words += ["--select-on-test"] if request.select_on_test else []
    return shlex.join([*words, *(word for setting in request.settings for word in ("--set", setting))])


def check_options(begun: str | None, request: TrainRequest) -> None:
    """What only a beginning can follow is what the run's own command says, or is left out.

    Files are told apart by their names alone: a run goes on when what it began from has gone or moved.
    """
    if begun is None:
        return
    before, asked = options_of(begun), options_of(command_of(request))
    for name in OF_THE_BEGINNING:
        option = f"--{name.replace('_', '-')}"
        is_default = getattr(request, name) == getattr(TrainRequest, name)
        if not is_default and asked[option] != before[option]:
            given = f"with {shlex.join(before[option])}" if before[option] else "without"
            raise BadSetting(
                f"{option} {shlex.join(asked[option])} has no effect on a run that goes on, and this one "
                f"began {given}: leave {option} out, or begin a new run with another --out"
            )


def options_of(command: str) -> defaultdict[str, list[str]]:
    """The values of each option of a command, in their order."""
    options: defaultdict[str, list[str]] = defaultdict(list)
    option = ""
    for word in shlex.split(command):
        if word.startswith("--"):
            option = word
        else:
            options[option].append(word)
    return options
