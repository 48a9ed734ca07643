"""CROHME: InkML with Content MathML whose ids name the strokes of each symbol."""

from __future__ import annotations

from pathlib import Path

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.preparation import Labelled, Preparation, prepare
from inkscan.data.source import Progress, SourceFile
from inkscan.errors import LatexError, NoTruth
from inkscan.ink.inkml import InkmlDocument, read_inkml
from inkscan.latex.mathml import row_from_mathml
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import Row, to_aligned_tokens

LICENCE = "CC BY-NC-SA 3.0"


def prepare_crohme(
    source: str | Path, out: str | Path, split: str = "", on_progress: Progress = lambda fraction: None
) -> Preparation:
    """Write the corpus of a CROHME folder or archive."""
    return prepare(
        source, out, CorpusMetadata(split, LICENCE), _read, frozenset({".inkml"}), on_progress=on_progress
    )


def _read(file: SourceFile) -> Labelled:
    document = read_inkml(file.data)
    aligned = to_aligned_tokens(crohme_tree(document))
    return Labelled(document.ink, aligned.tokens, aligned.alignment)


def crohme_tree(document: InkmlDocument) -> Row:
    """The truth of a CROHME file: its MathML, or where there is none that can be read, its LaTeX."""
    if document.mathml is not None:
        try:
            row = row_from_mathml(document.mathml, strokes_by_id(document))
            if row:
                return row
        except LatexError:
            if not document.annotations.get("truth"):
                raise
    truth = document.annotations.get("truth", "")
    row = parse_latex(truth) if truth else ()
    if not row:
        raise NoTruth("the file has neither MathML nor a LaTeX annotation of type truth")
    return row


def strokes_by_id(document: InkmlDocument) -> dict[str, tuple[int, ...]]:
    """The strokes of each MathML element that a trace group points to."""
    strokes: dict[str, tuple[int, ...]] = {}
    for group in document.groups:
        if group.href:
            strokes[group.href] = tuple(sorted({*strokes.get(group.href, ()), *group.strokes}))
    return strokes
