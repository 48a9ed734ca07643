"""Bulk jobs under `kill -9`: the rows after many kills equal those of an undisturbed run, and memory stays flat.

    python benchmarks/bulk_kill.py --inks 2000 --kills 3 --model MODEL
    python benchmarks/bulk_kill.py --inks 100000 --distinct 4000 --kills 10 --workers 2 --model MODEL
    python benchmarks/bulk_kill.py --inks 20000 --kills 1 --workers 2 --model MODEL --engine ray

Makes a tar of generated InkML of which one in a hundred is spoilt, recognises it undisturbed by the local engine, then
again with kills at random moments and a resume after each. With --engine ray the second job runs on Ray, and the
kills hit its actors, one a time, while the job goes on. The source and the undisturbed rows are kept in --out for
another run.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import pyarrow.parquet as pq
import typer

from inkscan.bulk.inputs import CHUNK_INPUTS
from inkscan.data.rejection import NOT_INK
from inkscan.synthesis.generate import Generator, sample_to_inkml

SPOILT = 100  # one in so many
ORPHAN_SECONDS = 5
SAMPLE_SECONDS = 0.5


@dataclass
class Watched:
    """A job's resident memory, its workers' included, over time."""

    megabytes: list[float] = field(default_factory=list)

    def sample(self, pid: int) -> None:
        self.megabytes.append(sum(resident(p) for p in (pid, *children(pid))) / 1e6)

    @property
    def growth(self) -> float:
        """The mean of the last quarter over that of the second."""
        quarter = len(self.megabytes) // 4
        if not quarter:
            return 1.0
        second, last = self.megabytes[quarter : 2 * quarter], self.megabytes[-quarter:]
        return (sum(last) / len(last)) / (sum(second) / len(second))


@dataclass(frozen=True)
class Outcome:
    engine: str
    inks: int
    kills: int
    rows: int
    distinct: int
    equal: bool
    codes: dict[str, int]
    spoilt: int
    undisturbed_seconds: float
    peak_megabytes: float
    memory_growth: float


def write_source(path: Path, count: int, distinct: int, symbols: int) -> None:
    """A tar of inks, of which the first ones are repeated; every SPOILT-th is damaged in one of five ways."""
    known = [sample_to_inkml(sample) for sample in Generator(max_symbols=symbols).samples(distinct, seed=8)]
    partial = path.with_suffix(".partial")
    with tarfile.open(partial, "w") as archive:
        for number in range(count):
            data = known[number % distinct]
            if number % SPOILT == SPOILT // 2:
                data = spoilt(data, number // SPOILT)
            info = tarfile.TarInfo(f"{number // 1000:04d}/{number:07d}.inkml")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    partial.replace(path)


def spoilt(data: bytes, number: int) -> bytes:
    ways = (
        data[: len(data) // 2],
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"<!DOCTYPE ink [<!ENTITY a 'a'>]>" + data,
        b"<ink xmlns='http://www.w3.org/2003/InkML'><trace>1e30 5, 2 3</trace></ink>",
    )
    return ways[number % len(ways)]


def children(pid: int) -> Iterator[int]:
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            yield from map(int, (task / "children").read_text().split())
    except OSError:
        return


def actors(pid: int) -> list[int]:
    """The recognising actors of a job's own Ray cluster."""
    own = [child for parent in children(pid) for child in (parent, *children(parent))]
    return [child for child in own if "RecognizerActor" in title(child)]


def title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def command(
    source: Path, out: Path, model: Path | None, workers: int, beam: int, engine: str = "local"
) -> list[str]:
    options = ["-o", str(out), "--workers", str(workers), "--beam", str(beam), "--engine", engine, "--json"]
    return [sys.executable, "-m", "inkscan", "bulk", str(source), *options] + (
        ["--model", str(model)] if model else []
    )


def run(arguments: list[str], watched: Watched) -> None:
    """Run to the end; faults of inputs give the exit code 1."""
    job = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while job.poll() is None:
        watched.sample(job.pid)
        time.sleep(SAMPLE_SECONDS)
    if job.returncode not in (0, 1):
        raise SystemExit(f"the job ended with {job.returncode}")


def run_until(arguments: list[str], parts: Path, wanted: int, delay: float) -> None:
    """Run until there are so many parts, and some seconds more; then kill -9, unless it ended before."""
    job = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while job.poll() is None and len(list(parts.glob("part-*.parquet"))) < wanted:
        time.sleep(0.02)
    time.sleep(delay)
    workers = list(children(job.pid))
    job.kill()
    job.wait()
    deadline = time.monotonic() + ORPHAN_SECONDS
    while any(map(title, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    if any(map(title, workers)):
        raise SystemExit(f"workers outlived their job by {ORPHAN_SECONDS} seconds")


def run_without_actors(arguments: list[str], parts: Path, wanted: list[int]) -> None:
    """Run to the end; at each number of parts an actor is killed."""
    job = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while job.poll() is None:
        alive = actors(job.pid) if wanted and len(list(parts.glob("part-*.parquet"))) >= wanted[0] else []
        if alive:
            os.kill(alive[0], signal.SIGKILL)
            print(f"killed one of {len(alive)} actors with {wanted.pop(0)} parts", flush=True)
        time.sleep(0.05)
    if job.returncode not in (0, 1) or wanted:
        raise SystemExit(f"the job ended with {job.returncode}, {len(wanted)} kills to come")


def main(
    inks: int = 2000,
    kills: int = 3,
    workers: int = 1,
    beam: int = 1,
    model: Annotated[Path | None, typer.Option(help="An exported model; the default if not given.")] = None,
    out: Path = Path("out/bulk-kill"),
    seed: int = 0,
    engine: Annotated[str, typer.Option(help="local or ray.")] = "local",
    distinct: Annotated[int, typer.Option(help="Inks thought up; the others repeat them. 0: all.")] = 0,
    symbols: Annotated[int, typer.Option(help="The longest expression.")] = 10,
) -> None:
    """Compare a job that is killed again and again with one that is not."""
    out.mkdir(parents=True, exist_ok=True)
    source, whole, killed = (
        out / f"inks-{inks}-{distinct}-{symbols}.tar",
        out / f"whole-{inks}-{distinct}-{symbols}-{beam}.parquet",
        out / "killed.parquet",
    )
    if not source.exists():
        write_source(source, inks, distinct or inks, symbols)
    killed.unlink(missing_ok=True)
    parts = killed.with_name(killed.name + ".parts")
    shutil.rmtree(parts, ignore_errors=True)
    watched, started = Watched(), time.monotonic()
    run(command(source, whole, model, workers, beam), watched)
    seconds = time.monotonic() - started
    total = -(-inks // CHUNK_INPUTS)
    rng = random.Random(seed)
    arguments = command(source, killed, model, workers, beam, engine)
    moments = sorted(rng.randrange(total) for _ in range(kills))
    if engine == "ray":
        run_without_actors(arguments, parts, moments)
    else:
        for wanted in moments:
            run_until(arguments, parts, wanted, rng.random() * 2)
            print(f"killed with {len(list(parts.glob('part-*.parquet')))} of {total} parts", flush=True)
        run(arguments, Watched())
    rows, undisturbed = pq.read_table(killed), pq.read_table(whole)
    codes = [code for code in rows["error_code"].to_pylist() if code and code != NOT_INK]
    outcome = Outcome(
        engine=engine,
        inks=inks,
        kills=kills,
        rows=len(rows),
        distinct=len(set(rows["input"].to_pylist())),
        equal=rows.equals(undisturbed),
        codes={code: codes.count(code) for code in sorted(set(codes))},
        spoilt=sum(1 for number in range(inks) if number % SPOILT == SPOILT // 2),
        undisturbed_seconds=round(seconds, 1),
        peak_megabytes=round(max(watched.megabytes, default=0.0), 1),
        memory_growth=round(watched.growth, 3),
    )
    print(json.dumps(asdict(outcome)))
    good = outcome.equal and outcome.rows == outcome.distinct == inks and len(codes) == outcome.spoilt
    raise typer.Exit(0 if good else 1)


if __name__ == "__main__":
    typer.run(main)
