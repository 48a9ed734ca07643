"""Measured values: one row for each system, test set and family of metrics, kept with the project."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from inkscan.errors import BadLabels

MEASURED = Path(__file__).with_name("measured.json")


@dataclass(frozen=True)
class MeasuredRow:
    """Rates in per cent; None where the family has no such rate or it was not measured."""

    system: str
    dataset: str
    family: str  # token or symlg
    count: int
    exp_rate: float
    le1: float
    le2: float
    le3: float
    stru_rate: float | None
    date: str
    command: str
    fingerprint: str  # of the data
    model: str = ""
    extra_data: bool = False  # trained on more than the paper's training set
    selected_on_test: bool = False
    time_cost: float | None = None  # relative to TAP, both measured in one sitting

    @property
    def key(self) -> tuple[str, str, str, bool, bool]:
        return self.system, self.dataset, self.family, self.extra_data, self.selected_on_test


def read_measured(path: str | Path = MEASURED) -> list[MeasuredRow]:
    """All rows; a file that is not such a list is refused, never read in part."""
    try:
        rows = json.loads(Path(path).read_text("utf-8"))
        return [MeasuredRow(**row) for row in rows]
    except (ValueError, TypeError) as error:
        known = ", ".join(field.name for field in fields(MeasuredRow))
        raise BadLabels(f"{path} is not a JSON list of rows with {known}: {error}") from error


def record(rows: Sequence[MeasuredRow], path: str | Path = MEASURED) -> None:
    """Add rows; each takes the place of an older one of the same key."""
    path = Path(path)
    known = {row.key: row for row in read_measured(path)} if path.exists() else {}
    known.update({row.key: row for row in rows})
    text = json.dumps([asdict(known[key]) for key in sorted(known)], indent=1, ensure_ascii=False)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text + "\n", encoding="utf-8")
    os.replace(partial, path)
