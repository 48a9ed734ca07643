"""Own ink: a folder or archive of inks in any known format, and a table that gives each file its LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.labels import read_labels
from inkscan.data.preparation import Labelled, Preparation, prepare, unaligned
from inkscan.data.prepare_crohme import written_symbols
from inkscan.data.source import OnProgress, SourceFile
from inkscan.errors import BadLabels, LatexError, NoTruth
from inkscan.ink.formats import ink_suffixes, read_document
from inkscan.ink.inkml import InkmlDocument
from inkscan.latex.truth import aligned_label


def prepare_folder(
    source: str | Path,
    labels: str | Path,
    out: str | Path,
    split: str = "",
    licence: str = "",
    on_progress: OnProgress = lambda fraction: None,
) -> Preparation:
    """Write the corpus of a folder or archive and its table of labels."""
    lines = _Lines(read_labels(labels), Path(labels))

    def read(file: SourceFile) -> Labelled:
        latex = lines.label(file)  # first: the line of an ink that cannot be read names an ink, too
        return _labelled(read_document(file.data), latex)

    done = prepare(source, out, CorpusMetadata(split, licence), read, ink_suffixes(), on_progress)
    return replace(done, unused_labels=lines.unused())


def _labelled(document: InkmlDocument, latex: str) -> Labelled:
    """The label, with the strokes of its symbols where the file's trace groups agree with it."""
    with suppress(LatexError):
        truth = aligned_label(latex, document.mathml, written_symbols(document))
        if any(truth.alignment):
            return Labelled(document.ink, truth.tokens, truth.alignment)
    return unaligned(document.ink, latex)


class _Lines:
    """The lines of a table and the ink that each was found to name."""

    def __init__(self, table: Mapping[str, str], path: Path) -> None:
        self.table = table
        self.path = path
        self.inks: dict[str, str] = {}  # the ink's name by the line's

    def label(self, file: SourceFile) -> str:
        """By the path inside the source, with or without its first folder, by file name, or by bare stem."""
        path = PurePosixPath(file.name)
        inner = str(PurePosixPath(*path.parts[1:])) if len(path.parts) > 1 else file.name
        for name in (file.name, inner, path.name, path.stem):
            if name in self.table:
                first = self.inks.setdefault(name, file.name)
                if first != file.name:
                    raise BadLabels(f"{self.path}: {name} is two inks: write {first} and {file.name}")
                return self.table[name]
        raise NoTruth("the labels file has no line for it")

    def unused(self) -> tuple[str, ...]:
        """The names that are no ink's."""
        return tuple(name for name in self.table if name not in self.inks)
