"""Fuzzing: mutated input for every reader and for the LaTeX parser, for some CPU seconds.

    python benchmarks/fuzz.py --seconds 60
    python benchmarks/fuzz.py --seconds 3600 --out out/fuzz --seed 7
    python benchmarks/fuzz.py --targets inkml --targets latex --seconds 30
    python benchmarks/fuzz.py --replay out/fuzz/inkml-1a2b3c4d5e.bin --targets inkml

A finding is an error outside inkscan's tree, more than one CPU second over one input, or the death of the process.
Each is kept once, with its input. Every target runs in a process of its own. Where atheris is installed, --atheris
lets it choose the inputs by coverage; else mutation is blind, from generated seeds. Exit code 1: there are findings.
"""

from __future__ import annotations

import hashlib
import json
import random
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Annotated

import numpy as np
import typer
from fuzz_mutation import mutated
from fuzz_targets import TARGETS, Target

from inkscan.errors import InkscanError

LIMIT = 1.0  # CPU seconds over one input


@dataclass(frozen=True)
class Finding:
    """What went wrong, and the input that did it."""

    what: str
    place: str
    data: bytes

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.what.split(':')[0]} {self.place}".encode()).hexdigest()[:10]


class TooSlow(BaseException):
    """Not an Exception, so that no reader catches it."""


def try_one(target: Target, data: bytes) -> Finding | None:
    """Run one input; errors of the tree are what is wanted."""
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 10 * LIMIT)
    try:
        target.run(data)
    except InkscanError:
        pass
    except TooSlow:
        return Finding(f"more than {10 * LIMIT} CPU seconds", "", data)
    except BaseException as error:  # all of them are findings
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Finding(
            f"{type(error).__name__}: {error}"[:300], f"{Path(frame.filename).name}:{frame.lineno}", data
        )
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    took = time.process_time() - started
    return Finding(f"{took:.1f} CPU seconds", "", data) if took > LIMIT else None


def interrupt_the_slow() -> None:
    """An input that takes far too long becomes a finding; without this the timer of `try_one` ends the process."""

    def too_slow(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, too_slow)


def fuzz(name: str, seconds: float, seed: int, out: Path) -> None:
    """Fuzz one target; its tally and findings are left in `out`."""
    interrupt_the_slow()
    rng, target = random.Random(f"{seed} {name}"), TARGETS[name]
    seeds = target.seeds()
    for data in seeds:
        target.run(data)  # a seed that is refused finds little
    runs, slowest, started = 0, 0.0, time.process_time()
    current = out / f"{name}.current"
    with np.errstate(all="ignore"), current.open("wb") as file:
        while time.process_time() - started < seconds:
            data = mutated(rng, seeds)
            file.seek(0)
            file.write(data)
            file.truncate()
            file.flush()
            before = time.process_time()
            found = try_one(target, data)
            slowest = max(slowest, time.process_time() - before)
            runs += 1
            if found is not None:
                keep(name, found, out)
    current.unlink()
    (out / f"{name}.tally").write_text(json.dumps({"runs": runs, "slowest": slowest}))


def keep(name: str, found: Finding, out: Path) -> None:
    path = out / f"{name}-{found.key}.bin"
    if not path.exists() or len(found.data) < path.stat().st_size:
        path.write_bytes(found.data)
        path.with_suffix(".txt").write_text(f"{found.what} at {found.place}\n")


def fuzz_with_atheris(name: str, seconds: float, out: Path) -> None:
    import atheris

    interrupt_the_slow()
    corpus = out / f"{name}.corpus"
    corpus.mkdir(exist_ok=True)
    target = TARGETS[name]
    for number, data in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(data)

    def one(data: bytes) -> None:
        found = try_one(target, data)
        if found is not None:
            keep(name, found, out)

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-max_total_time={int(seconds)}", "-max_len=100000", str(corpus)], one)
    atheris.Fuzz()


def main(
    seconds: Annotated[float, typer.Option(help="CPU seconds over all targets.")] = 60,
    targets: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(TARGETS)}.")] = None,
    out: Annotated[Path, typer.Option(help="Findings go here.")] = Path("out/fuzz"),
    seed: int = 0,
    use_atheris: Annotated[bool, typer.Option("--atheris", help="Coverage-guided; needs atheris.")] = False,
    replay: Annotated[Path | None, typer.Option(help="Run one kept input through the targets.")] = None,
) -> None:
    """Fuzz, and say what was found."""
    names = targets or list(TARGETS)
    if replay is not None:
        interrupt_the_slow()
        for name in names:
            found = try_one(TARGETS[name], replay.read_bytes())
            print(f"{name}: {'no finding' if found is None else f'{found.what} at {found.place}'}")
        return
    out.mkdir(parents=True, exist_ok=True)
    before = set(out.glob("*.bin"))
    for name in names:
        (out / f"{name}.tally").unlink(missing_ok=True)
        share = seconds / len(names)
        run = (fuzz_with_atheris, (name, share, out)) if use_atheris else (fuzz, (name, share, seed, out))
        process = get_context("spawn").Process(target=run[0], args=run[1])
        process.start()
        process.join()
        tally = out / f"{name}.tally"
        if tally.exists():
            counted = json.loads(tally.read_text())
            print(f"{name}: {counted['runs']} inputs, the slowest {counted['slowest']:.3f} CPU s", flush=True)
        elif not use_atheris:
            current = out / f"{name}.current"
            keep(name, Finding(f"process ended with {process.exitcode}", "", current.read_bytes()), out)
            print(f"{name}: the process ended with {process.exitcode}", flush=True)
    findings = sorted(set(out.glob("*.bin")) - before)
    for path in findings:
        print(f"FINDING {path}: {path.with_suffix('.txt').read_text().strip()}")
    print(f"{len(findings)} findings")
    raise typer.Exit(1 if findings else 0)


if __name__ == "__main__":
    typer.run(main)
