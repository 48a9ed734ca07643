"""Targets of fuzzing: every reader with well-formed inputs to start from, for `fuzz.py` and `attack.py`."""

from __future__ import annotations

import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inkscan.data.corpus import Corpus, CorpusMetadata, write_corpus
from inkscan.data.labels import read_labels
from inkscan.data.source import iter_files
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

SAMPLES = tuple(Generator(max_symbols=12).samples(20, seed=77))


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
