"""Rejections: the files of a source that are not in its corpus, each with a code and a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from inkscan.files import one_line, table_cell, whole_file

NOT_INK = "data.not_ink"


@dataclass(frozen=True)
class Rejection:
    """A file that was left out, and why."""

    name: str
    code: str
    reason: str


def rejection_path(corpus: str | Path) -> Path:
    """`train.parquet` has its report in `train.rejected.tsv`."""
    return Path(corpus).with_suffix(".rejected.tsv")


def write_rejections(rejections: Iterable[Rejection], path: str | Path) -> None:
    """Write the report: a header, then name, code and reason parted by tabs."""
    lines = ["name\tcode\treason"]
    lines += [f"{table_cell(r.name)}\t{r.code}\t{one_line(r.reason)}" for r in rejections]
    with whole_file(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
