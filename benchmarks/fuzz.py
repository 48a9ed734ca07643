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
import io
import json
import random
import re
import signal
import sys
import tarfile
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Annotated

import numpy as np
import typer

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.prepare_folder import read_labels
from inkscan.data.source import iter_files
from inkscan.errors import InkscanError
from inkscan.features import FeatureSettings, ink_features
from inkscan.ink import Ink
from inkscan.ink.inkml import read_inkml
from inkscan.ink.json import read_json, write_json
from inkscan.ink.scgink import read_scgink, write_scgink
from inkscan.latex.mathml import read_mathml
from inkscan.latex.tokens import latex_from_tokens, parse_latex
from inkscan.latex.tree import to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.models import ModelInfo
from inkscan.runtime.recognizer import MAX_STROKES
from inkscan.synthesis.generate import Generator, sample_to_inkml

LIMIT = 1.0  # CPU seconds over one input
MAX_BYTES = 200_000  # of a mutated input
SAMPLES = tuple(Generator(max_symbols=12).samples(20, seed=77))
WORDS = (
    *(
        b"{",
        b"}",
        b"^",
        b"_",
        b"\\frac",
        b"\\sqrt[",
        b"\\left(",
        b"\\limits",
        b"\\begin{array}",
        b"$",
        b"&",
        b"\\",
    ),
    *(
        b"<trace>",
        b"</trace>",
        b"<ink>",
        b"<mrow>",
        b"<mfrac>",
        b"<msup>",
        b"<!DOCTYPE",
        b"<!ENTITY a 'b'>",
        b"&a;",
    ),
    *(
        b"[",
        b"]",
        b"{}",
        b"[[",
        b"null",
        b"true",
        b'"x":',
        b'"strokes":',
        b",",
        b":",
        b'"',
        b"NaN",
        b"Infinity",
    ),
    *(
        b"1e309",
        b"-1e30",
        b"1e9",
        b"0",
        b"-0",
        b"9" * 400,
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"SCG_INK",
    ),
)
NUMBERS = (b"1e308", b"-1", b"0", b"1e9", b"999999999", b"1e-320")
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def ink_and_features(data: bytes) -> None:
    ink = Ink.read(data)
    if len(ink) <= MAX_STROKES:  # the recogniser refuses the others
        ink_features(ink, FeatureSettings(trace="even"), online=True, offline=True)


def latex(data: bytes) -> None:
    row = parse_latex(data.decode("utf-8", "replace"))
    tokens = to_tokens(row)
    latex_from_tokens(tokens)
    read_mathml(to_mathml(row))


def in_file(read: Callable[[Path], object], suffix: str) -> Callable[[bytes], object]:
    """A target that reads a file."""

    def target(data: bytes) -> None:
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(data)
            file.flush()
            read(Path(file.name))

    return target


def samples_of(path: Path) -> None:
    corpus = Corpus.read(path)
    for i in range(len(corpus)):
        corpus[i]


def files_of(path: Path) -> None:
    for _ in iter_files(path):
        pass


def corpus_bytes() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.parquet"
        write_corpus(SAMPLES[:3], path, CorpusMetadata("fuzz"))
        return path.read_bytes()


def zip_bytes() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in SAMPLES[:3]:
            archive.writestr(f"{sample.id}.inkml", sample_to_inkml(sample))
    return buffer.getvalue()


def tar_bytes(mode: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for sample in SAMPLES[:2]:
            data = sample_to_inkml(sample)
            info = tarfile.TarInfo(f"{sample.id}.inkml")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@dataclass(frozen=True)
class Target:
    """What is fed, and well-formed inputs to start from."""

    run: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]


def inkmls() -> list[bytes]:
    return [sample_to_inkml(sample) for sample in SAMPLES]


def jsons() -> list[bytes]:
    mathpix = [
        {
            "strokes": {
                "strokes": {c: [s.xy[:, i].tolist() for s in a.ink.strokes] for i, c in enumerate("xy")}
            }
        }
        for a in SAMPLES[:5]
    ]
    plain = [[stroke.xy.tolist() for stroke in sample.ink.strokes] for sample in SAMPLES[:5]]
    myscript = {"strokeGroups": [{"strokes": [{"x": [1, 2], "y": [3, 4], "t": [0, 5], "p": [1, 1]}]}]}
    return [json.dumps(v).encode() for v in (*mathpix, *plain, myscript)] + [
        write_json(s.ink) for s in SAMPLES
    ]


def latexes() -> list[bytes]:
    extra = (
        r"\sqrt[3]{x}",
        r"\left\{\frac{a}{b}\right.",
        r"\int_0^\infty e^{-x^2}\,dx",
        r"\mathbb{R}\bar{x}'",
    )
    return [" ".join(sample.tokens).encode() for sample in SAMPLES] + [text.encode() for text in extra]


TARGETS: dict[str, Target] = {
    "ink": Target(ink_and_features, lambda: inkmls()[:5] + jsons()[:12] + [write_scgink(SAMPLES[0].ink)]),
    "inkml": Target(read_inkml, inkmls),
    "json": Target(read_json, jsons),
    "scgink": Target(read_scgink, lambda: [write_scgink(sample.ink) for sample in SAMPLES]),
    "latex": Target(latex, latexes),
    "mathml": Target(
        lambda data: read_mathml(data.decode("utf-8", "replace")),
        lambda: [to_mathml(parse_latex(" ".join(sample.tokens))).encode() for sample in SAMPLES],
    ),
    "labels": Target(
        in_file(read_labels, ".csv"), lambda: [b"file,latex\na.inkml,x^2\n", b'"a",x\nb,"y,z"\n']
    ),
    "archive": Target(
        in_file(files_of, ".bin"),
        lambda: [zip_bytes(), *(tar_bytes(m) for m in ("w", "w:gz", "w:bz2", "w:xz"))],
    ),
    "corpus": Target(in_file(samples_of, ".parquet"), lambda: [corpus_bytes()]),
    "vocabulary": Target(
        lambda data: Vocabulary.from_json(data.decode("utf-8", "replace")), lambda: [b'["<eos>", "x", "y"]']
    ),
    "model": Target(
        lambda data: ModelInfo.from_json(data.decode("utf-8", "replace")),
        lambda: [
            b'{"format": "inkscan-model-1", "name": "a", "system": "onscan", "views": ["on-strokes"], "online": true,'
            b' "offline": false, "vocabulary": ["<eos>", "x"], "features": {}, "sizes": {}, "provenance": {},'
            b' "licence": "", "sha256": {}, "calibration": null, "length_power": 0.0, "summary": {}}'
        ],
    ),
}


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


def mutated(rng: random.Random, seeds: list[bytes]) -> bytes:
    """A seed after some changes: bytes, words, numbers, pieces doubled, dropped, moved or repeated often."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 3, 5, 10))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(9)
        if kind == 0 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif kind == 1:
            data[at:at] = rng.choice(WORDS)
        elif kind == 2:
            del data[at : min(to, at + rng.choice((1, 8, 64, 100_000)))]
        elif kind == 3:
            data[at:at] = data[at : min(to, at + 64)]
        elif kind == 4:
            other = rng.choice(seeds)
            cut = rng.randrange(len(other) + 1)
            data[at:] = other[cut:]
        elif kind == 5:
            numbers = list(NUMBER.finditer(data))
            if numbers:
                chosen = rng.choice(numbers)
                data[chosen.start() : chosen.end()] = rng.choice(NUMBERS)
        elif kind == 6:
            data[at:at] = rng.choice(WORDS) * rng.choice((2, 50, 1_000, 10_000))
        elif kind == 7:
            data[at:at] = data[at : min(to, at + 32)] * rng.choice((2, 100, 3_000))
        else:
            del data[at:]
    return bytes(data[:MAX_BYTES])


def fuzz(name: str, seconds: float, seed: int, out: Path) -> None:
    """Fuzz one target; its tally and findings are left in `out`."""

    def too_slow(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, too_slow)
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
    import atheris  # type: ignore[import-not-found]

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
