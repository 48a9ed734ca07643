"""MathWriting: InkML with `x y t` points and the annotations label and normalizedLabel."""

from __future__ import annotations

from pathlib import Path

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.preparation import Labelled, Preparation, prepare, unaligned
from inkscan.data.source import OnProgress, SourceFile
from inkscan.errors import NoTruth
from inkscan.ink.inkml import read_inkml

LICENCE = "CC BY-NC-SA 4.0"


def prepare_mathwriting(
    source: str | Path, out: str | Path, split: str = "", on_progress: OnProgress = lambda fraction: None
) -> Preparation:
    """Write the corpus of a MathWriting folder or archive; it has no stroke alignment."""
    return prepare(source, out, CorpusMetadata(split, LICENCE), _read, frozenset({".inkml"}), on_progress)


def _read(file: SourceFile) -> Labelled:
    document = read_inkml(file.data)
    latex = document.annotations.get("normalizedLabel") or document.annotations.get("label", "")
    if not latex:
        raise NoTruth("the file has no annotation of type normalizedLabel or label")
    return unaligned(document.ink, latex)
