"""Attack: thousands of hostile inputs for every reader, each within a budget of time and memory.

    python benchmarks/attack.py                         all of them
    python benchmarks/attack.py --share 0.02            every fiftieth, as the tests do
    python benchmarks/attack.py --kinds archives --kinds inkml --out out/attack

An input is answered or refused by an error of inkscan's tree, within one CPU second and 300 MB over what the process
held before it. All else is a finding and is kept with its input. Each kind runs in a process of its own, whose
death is a finding, too. The inputs are those of `hostile.py` and good ones that are mutated as in `fuzz.py`, by a
fixed seed. Exit code 1: there are findings.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Annotated

import hostile
import hostile_archives
import numpy as np
import typer
from fuzz import TooSlow
from fuzz_mutation import mutated
from fuzz_targets import TARGETS, Target, in_file, latex
from hostile_models import (
    SEED,
    checkpoints,
    classifier_graphs,
    classifier_texts,
    classifier_with,
    graph_bytes,
    language_graphs,
    load_checkpoint_at,
    model_texts,
    model_with,
)

from inkscan.data.check import check_corpus
from inkscan.errors import InkscanError
from inkscan.evaluation.score_files import read_scored
from inkscan.ink import Ink
from inkscan.latex.mathml import read_mathml
from inkscan.runtime.models import CLASSIFIER_GRAPH, CLASSIFIER_JSON, LANGUAGE_GRAPH, MODEL_JSON, STEP

CPU_SECONDS = 1.0
MEGABYTES = 300


def ink_in_archive(path: Path) -> None:
    from inkscan.data.source import iter_files

    for file in iter_files(path):
        if len(file.data) < 10_000:
            Ink.read(file.data)


@dataclass(frozen=True)
class Kind:
    """A reader, its hostile inputs, and how many mutated ones are added to them."""

    run: Callable[[bytes], object]
    inputs: Callable[[], hostile.Inputs]
    target: Target | None = None
    mutants: int = 0

    def all(self) -> hostile.Inputs:
        yield from self.inputs()
        if self.target is not None:
            rng, seeds = random.Random(SEED), self.target.seeds()
            for number in range(self.mutants):
                yield f"mutant {number}", mutated(rng, seeds)


KINDS: dict[str, Kind] = {
    "encodings": Kind(Ink.read, hostile.declared_encodings),
    "archives": Kind(in_file(ink_in_archive, ".bin"), hostile_archives.archives, TARGETS["archive"], 600),
    "inkml": Kind(TARGETS["ink"].run, hostile.inkmls, TARGETS["inkml"], 500),
    "json": Kind(TARGETS["ink"].run, hostile.jsons, TARGETS["json"], 500),
    "scgink": Kind(TARGETS["scgink"].run, lambda: iter(()), TARGETS["scgink"], 200),
    "latex": Kind(latex, hostile.latexes, TARGETS["latex"], 500),
    "mathml": Kind(
        lambda data: read_mathml(data.decode("utf-8", "replace")), hostile.mathmls, TARGETS["mathml"], 200
    ),
    "labels": Kind(TARGETS["labels"].run, hostile.labels, TARGETS["labels"], 300),
    "reports": Kind(in_file(read_scored, ".json"), hostile.reports),
    "corpora": Kind(in_file(check_corpus, ".parquet"), hostile.corpora, TARGETS["corpus"], 300),
    "model.json": Kind(model_with(MODEL_JSON), model_texts, TARGETS["model"], 300),
    "graphs": Kind(model_with(STEP), graph_bytes),
    "classifier.json": Kind(classifier_with(CLASSIFIER_JSON), classifier_texts),
    "classifiers": Kind(classifier_with(CLASSIFIER_GRAPH), classifier_graphs),
    "language models": Kind(classifier_with(LANGUAGE_GRAPH), language_graphs),
    "checkpoints": Kind(in_file(load_checkpoint_at, ".safetensors"), checkpoints),
}


@dataclass(frozen=True)
class Outcome:
    """What became of one input."""

    name: str
    verdict: str  # answered, refused, or what is wrong
    seconds: float
    megabytes: float

    @property
    def is_finding(self) -> bool:
        return self.verdict not in ("answered", "refused")


def attack_one(kind: Kind, name: str, data: bytes) -> Outcome:
    """Feed one input, with an eye on the clock and on memory."""
    before = forget_peak()
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 20 * CPU_SECONDS)
    try:
        kind.run(data)
        verdict = "answered"
    except InkscanError:
        verdict = "refused"
    except TooSlow:
        verdict = "without end"
    except BaseException as error:  # all of them are findings
        frame = traceback.extract_tb(error.__traceback__)[-1]
        verdict = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {error}"[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds, megabytes = time.process_time() - started, (peak() - before) / 1024
    if verdict in ("answered", "refused") and seconds > CPU_SECONDS:
        verdict = f"{seconds:.1f} CPU seconds"
    elif verdict in ("answered", "refused") and megabytes > MEGABYTES:
        verdict = f"{megabytes:.0f} MB"
    return Outcome(name, verdict, seconds, megabytes)


def forget_peak() -> int:
    """Start to measure memory anew; the kB that are held now."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def peak() -> int:
    return memory("VmHWM")


def memory(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(field)))


def attack(name: str, every: int, out: Path) -> None:
    """All inputs of one kind; what became of each is left in `out`."""

    def too_slow(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, too_slow)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kind, current = KINDS[name], out / f"{name}.current"
    with np.errstate(all="ignore"), (out / f"{name}.jsonl").open("w") as log:
        for number, (title, data) in enumerate(kind.all()):
            if number % every:
                continue
            current.write_bytes(data)
            outcome = attack_one(kind, title, data)
            if outcome.is_finding:
                (out / f"{name}-{number}.bin").write_bytes(data)
            log.write(json.dumps(asdict(outcome)) + "\n")
            log.flush()
    current.unlink(missing_ok=True)


def outcomes(path: Path) -> Iterator[Outcome]:
    for line in path.read_text().splitlines():
        yield Outcome(**json.loads(line))


def main(
    kinds: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(KINDS)}.")] = None,
    share: Annotated[float, typer.Option(min=0.001, max=1, help="Of the inputs, evenly chosen.")] = 1.0,
    out: Annotated[Path, typer.Option(help="Outcomes and findings go here.")] = Path("out/attack"),
) -> None:
    """Attack, and say what broke."""
    out.mkdir(parents=True, exist_ok=True)
    total = findings = 0
    for name in kinds or KINDS:
        process = get_context("spawn").Process(target=attack, args=(name, round(1 / share), out))
        process.start()
        process.join()
        found = list(outcomes(out / f"{name}.jsonl"))
        bad = [outcome for outcome in found if outcome.is_finding]
        total, findings = total + len(found), findings + len(bad)
        refused = sum(outcome.verdict == "refused" for outcome in found)
        seconds = max((outcome.seconds for outcome in found), default=0.0)
        megabytes = max((outcome.megabytes for outcome in found), default=0.0)
        print(
            f"{name}: {len(found)} inputs, {refused} refused, at most {seconds:.2f} CPU s and {megabytes:.0f} MB",
            flush=True,
        )
        for outcome in bad:
            print(f"  FINDING {outcome.name}: {outcome.verdict}", flush=True)
        if process.exitcode:
            findings += 1
            print(
                f"  FINDING: the process ended with {process.exitcode}; see {out / f'{name}.current'}",
                flush=True,
            )
    print(f"{total} inputs, {findings} findings")
    raise typer.Exit(1 if findings else 0)


if __name__ == "__main__":
    typer.run(main)
