"""Labels: a table that gives each ink file its LaTeX."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from inkscan.errors import BadLabels, SourceNotFound
from inkscan.files import LineTooLong, read_lines

MAX_LABELS_BYTES = 500_000_000
MAX_LABELS = 2_000_000
MAX_LINE = 100_000  # characters, four times what a formula may have


def read_labels(path: str | Path) -> dict[str, str]:
    """LaTeX by file name, from lines `file<TAB>LaTeX` or from .csv; a heading line `file` is skipped."""
    path = Path(path)
    if not path.is_file():
        raise SourceNotFound(f"there is no labels file {path}")
    if path.stat().st_size > MAX_LABELS_BYTES:
        raise BadLabels(f"{path} is larger than {MAX_LABELS_BYTES} bytes")
    comma = path.suffix.lower() == ".csv"
    lines = read_lines(path, MAX_LINE)
    try:
        rows = csv.reader(lines) if comma else (line.removesuffix("\n").split("\t") for line in lines)
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
        if not any(cell.strip() for cell in row) or (number == 1 and row[0].strip().lower() == "file"):
            continue
        if len(row) < 2 or not row[0].strip() or not row[1].strip():
            other = "" if comma else " (or, in a .csv, a comma)"
            raise BadLabels(
                f"{path}, line {number}: a file name and its LaTeX are needed, with {between} between them{other}"
            )
        if any(cell.strip() for cell in row[2:]):
            quote = '; LaTeX with a comma needs quotes: a.inkml,"f(x,y)"' if comma else ""
            raise BadLabels(
                f"{path}, line {number}: more than two columns; a file name and its LaTeX are read, nothing else{quote}"
            )
        name = row[0].replace("\\", "/")
        if table.setdefault(name, row[1].strip()) != row[1].strip():
            raise BadLabels(f"{path}, line {number}: {name} has a second, different label")
    if not table:
        raise BadLabels(f"{path} holds no labels")
    return table
