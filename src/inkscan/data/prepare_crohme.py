"""CROHME: InkML with LaTeX truth, and MathML whose ids name the strokes of each symbol."""

from __future__ import annotations

from pathlib import Path

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.preparation import Labelled, Preparation, prepare
from inkscan.data.source import Progress, SourceFile
from inkscan.errors import NoTruth
from inkscan.ink.inkml import InkmlDocument, read_inkml
from inkscan.latex.tree import AlignedTokens
from inkscan.latex.truth import WrittenSymbol, aligned_truth

LICENCE = "CC BY-NC-SA 3.0"


def prepare_crohme(
    source: str | Path, out: str | Path, split: str = "", on_progress: Progress = lambda fraction: None
) -> Preparation:
    """Write the corpus of a CROHME folder or archive."""
    return prepare(source, out, CorpusMetadata(split, LICENCE), _read, frozenset({".inkml"}), on_progress)


def crohme_truth(document: InkmlDocument) -> AlignedTokens:
    """The tokens of a CROHME file and the strokes of each."""
    latex = document.annotations.get("truth", "")
    if not latex and document.mathml is None:
        raise NoTruth("the file has neither MathML nor a LaTeX annotation of type truth")
    return aligned_truth(latex, document.mathml, written_symbols(document), len(document.ink))


def written_symbols(document: InkmlDocument) -> list[WrittenSymbol]:
    """One symbol for each MathML element that trace groups point to; nameless groups stay apart."""
    symbols: dict[str, WrittenSymbol] = {}
    for number, group in enumerate(document.groups):
        key = group.href or f"\0{number}"
        before = symbols[key].strokes if key in symbols else ()
        strokes = tuple(sorted({*before, *group.strokes}))
        symbols[key] = WrittenSymbol(group.label, strokes, group.href)
    return list(symbols.values())


def _read(file: SourceFile) -> Labelled:
    document = read_inkml(file.data)
    truth = crohme_truth(document)
    return Labelled(document.ink, truth.tokens, truth.alignment)
