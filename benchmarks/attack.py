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

import hashlib
import json
import random
import resource
import signal
import struct
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Annotated

import hostile
import numpy as np
import typer
from fuzz import TARGETS, Target, TooSlow, in_file, latex, mutated

from inkscan import load
from inkscan.data.check import check_corpus
from inkscan.errors import InkscanError
from inkscan.ink import Ink
from inkscan.latex.mathml import read_mathml
from inkscan.metrics.files import read_scored
from inkscan.runtime.models import ENCODER, MODEL_JSON, STEP, find_model, read_model

CPU_SECONDS = 1.0
MEGABYTES = 300
SEED = 20
INK = Ink.from_points([[[0, 0], [5, 5], [9, 2]]])


def ink_in_archive(path: Path) -> None:
    from inkscan.data.source import iter_files

    for file in iter_files(path):
        if len(file.data) < 10_000:
            Ink.read(file.data)


def model_with(name: str) -> Callable[[bytes], None]:
    """A target that replaces one file of a good model; a graph gets its hash."""

    def target(data: bytes) -> None:
        source = find_model("onscan")
        with tempfile.TemporaryDirectory() as folder:
            for file in (MODEL_JSON, ENCODER, STEP):
                (Path(folder) / file).write_bytes(data if file == name else (source / file).read_bytes())
            if name != MODEL_JSON:
                facts = json.loads((source / MODEL_JSON).read_text("utf-8"))
                facts["sha256"][name] = hashlib.sha256(data).hexdigest()
                (Path(folder) / MODEL_JSON).write_text(json.dumps(facts), "utf-8")
            read_model(Path(folder))
            load(folder)(INK)

    return target


def model_texts() -> hostile.Inputs:
    facts = json.loads((find_model("onscan") / MODEL_JSON).read_text("utf-8"))
    values: tuple[object, ...] = (
        None,
        3,
        -1,
        1e400,
        "x",
        [],
        {},
        [1, 2],
        ["<eos>", 1],
        {"a": []},
        True,
        "x" * 100_000,
    )
    for key in facts:
        for value in values:
            yield f"{key} {str(value)[:20]}", json.dumps(facts | {key: value}).encode()
        yield f"without {key}", json.dumps({k: v for k, v in facts.items() if k != key}).encode()
    for key, value in ((k, v) for k in facts["features"] for v in values):
        yield f"features {key}", json.dumps(facts | {"features": {**facts["features"], key: value}}).encode()
    yield "deep", b"[" * 1_000_000
    yield "long", b" " * 20_000_000


def graph_bytes() -> hostile.Inputs:
    folder = find_model("onscan")
    step = (folder / STEP).read_bytes()
    yield "the encoder", (folder / ENCODER).read_bytes()
    rng = random.Random(SEED)
    for number in range(40):
        spoilt = bytearray(step)
        for _ in range(rng.choice((1, 10, 100))):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        yield f"flipped {number}", bytes(spoilt[: rng.choice((len(spoilt), len(spoilt) // 2))])
    yield "endless numbers", b"\xff" * 1_000_000
    yield "deep", b"\x3a\x80\x80\x40" * 250_000


def load_checkpoint_at(path: Path) -> None:
    from inkscan.training.checkpoint import load_checkpoint

    load_checkpoint(path)


def good_checkpoint() -> bytes:
    from inkscan.latex.vocabulary import CROHME
    from inkscan.models.scan import Scan
    from inkscan.models.systems import preset
    from inkscan.training.checkpoint import Checkpoint, Progress, save_checkpoint
    from inkscan.training.recipes import Recipe

    config = preset("tiny", "onscan", len(CROHME))
    tensors = {f"model.{key}": value for key, value in Scan(config).state_dict().items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "last.safetensors"
        save_checkpoint(Checkpoint(config, CROHME, Recipe(), Progress(), {}, tensors), path)
        return path.read_bytes()


def checkpoints() -> hostile.Inputs:
    good = good_checkpoint()
    (length,) = struct.unpack("<Q", good[:8])
    header = json.loads(good[8 : 8 + length])
    facts = header["__metadata__"] | {"sha256": ""}
    for key in facts:
        for text in (
            "[" * 100_000,
            "{}",
            "3",
            "null",
            '{"step": 1e999}',
            "[[]]",
            '{"vocabulary_size": -1}',
            "",
        ):
            changed = {k: v for k, v in (facts | {key: text}).items() if k != "sha256" or key == "sha256"}
            head = json.dumps(header | {"__metadata__": changed}).encode()
            yield f"{key} {text[:12]}", struct.pack("<Q", len(head)) + head + good[8 + length :]
    for size in (0, 1, 2**40, 2**63, 2**64 - 1):
        yield f"header of {size}", struct.pack("<Q", size) + good[8:]
    rng = random.Random(SEED)
    for number in range(300):
        place = rng.randrange(len(good)) if number % 2 else rng.randrange(8 + length)
        yield (
            f"flipped at {place}",
            good[:place] + bytes([good[place] ^ (1 << rng.randrange(8))]) + good[place + 1 :],
        )


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
    "archives": Kind(in_file(ink_in_archive, ".bin"), hostile.archives, TARGETS["archive"], 600),
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
