"""Own ink: a folder or archive of inks in any known format, and a table that gives each file its LaTeX."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from inkscan.data.corpus import CorpusMetadata
from inkscan.data.preparation import Labelled, Preparation, prepare, unaligned
from inkscan.data.prepare_crohme import written_symbols
from inkscan.data.source import OnProgress, SourceFile
from inkscan.errors import BadLabels, LatexError, NoTruth, SourceNotFound
from inkscan.files import LineTooLong, read_lines
from inkscan.ink.formats import ink_suffixes, read_document
from inkscan.ink.inkml import InkmlDocument
from inkscan.latex.truth import aligned_label

MAX_LABELS_BYTES = 500_000_000
MAX_LABELS = 2_000_000
MAX_LINE = 100_000  # characters, four times what a formula may have


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


def read_labels(path: str | Path) -> dict[str, str]:
    """LaTeX by file name, from lines `file<TAB>LaTeX` or from .csv; a heading line `file` is skipped."""
    path = Path(path)
    if not path.is_file():
        raise SourceNotFound(f"there is no labels file {path}")
    if path.stat().st_size > MAX_LABELS_BYTES:
        raise BadLabels(f"{path} is larger than {MAX_LABELS_BYTES} bytes")
    comma = path.suffix.lower() == ".csv"
    lines = (line.removesuffix("\n") for line in read_lines(path, MAX_LINE))
    try:
        rows = csv.reader(lines) if comma else (line.split("\t") for line in lines)
        return _table(rows, path, comma=comma)
    except UnicodeDecodeError as error:
        raise BadLabels(f"{path} is not UTF-8") from error
    except LineTooLong as error:
        raise BadLabels(f"{path}, {error}") from error
    except csv.Error as error:
        raise BadLabels(f"{path} is no table of file, LaTeX: {error}") from error


def _table(rows: Iterable[Sequence[str]], path: Path, *, comma: bool) -> dict[str, str]:
    between = "a comma" if comma else "a tab"
    table: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        if number > MAX_LABELS:
            raise BadLabels(f"{path} has more than {MAX_LABELS} lines; split it, and the inks with it")
        if not row or not row[0].strip() or (number == 1 and row[0].strip().lower() == "file"):
            continue
        if len(row) < 2 or not row[1].strip():
            other = "" if comma else " (or, in a .csv, a comma)"
            raise BadLabels(
                f"{path}, line {number}: a file name and its LaTeX are needed, with {between} between them{other}"
            )
        if any(cell.strip() for cell in row[2:]):
            quote = '; LaTeX with a comma needs quotes: a.inkml,"f(x,y)"' if comma else ""
            raise BadLabels(
                f"{path}, line {number}: more than two columns; a file name and its LaTeX are read, nothing else{quote}"
            )
        name = row[0].strip().replace("\\", "/")
        if table.setdefault(name, row[1].strip()) != row[1].strip():
            raise BadLabels(f"{path}, line {number}: {name} has a second, different label")
    if not table:
        raise BadLabels(f"{path} holds no labels")
    return table


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
