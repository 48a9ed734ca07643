"""CROHME: InkML with LaTeX truth, and MathML whose ids name the strokes of each symbol."""

from __future__ import annotations

from pathlib import Path

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.preparation import Labelled, Preparation, prepare
from inkscan.data.source import OnProgress, SourceFile
from inkscan.errors import NoTruth
from inkscan.ink.inkml import InkmlDocument, read_inkml
from inkscan.latex.tree import AlignedTokens
from inkscan.latex.truth import WrittenSymbol, aligned_truth

LICENCE = "CC BY-NC-SA 3.0"


def prepare_crohme(
    source: str | Path, out: str | Path, split: str = "", on_progress: OnProgress = lambda fraction: None
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
    groups = {group.href or f"\0{number}": group for number, group in enumerate(document.groups)}
    strokes: dict[str, set[int]] = {key: set() for key in groups}
    for number, group in enumerate(document.groups):
        strokes[group.href or f"\0{number}"].update(group.strokes)
    return [
        WrittenSymbol(group.label, tuple(sorted(strokes[key])), group.href) for key, group in groups.items()
    ]


def _read(file: SourceFile) -> Labelled:
    document = read_inkml(file.data)
    truth = crohme_truth(document)
    return Labelled(document.ink, truth.tokens, truth.alignment)
