"""What was measured, kept with the project: how good each system is on each test set, and how long it takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar

from inkscan.errors import BadLabels
from inkscan.files import whole_file

RESULTS = Path(__file__).with_name("results")
MEASURED, TIMES, BRIEF = (RESULTS / f"{name}.json" for name in ("measured", "times", "brief"))


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
    model: str
    marks: str = ""  # letters of `marks.MARKS`: all that is not the paper's
    seed: int | None = None  # of the training run

    @property
    def key(self) -> tuple[str, str, str, str, str, str]:
        seed = "" if self.seed is None else str(self.seed)
        return self.system, self.dataset, self.family, self.marks, seed, self.model


@dataclass(frozen=True)
class TimeRow:
    """What it takes a system to read a whole set of inks, all systems measured in one sitting."""

    system: str
    beam: int
    trained: bool  # or random weights, which decode as many tokens as the truth has
    seconds: float  # of one core, summed over the inks
    time_cost: float  # relative to TAP
    inks: int
    date: str
    command: str
    marks: str = ""

    @property
    def key(self) -> tuple[str, int, bool]:
        return self.system, self.beam, self.trained


@dataclass(frozen=True)
class BriefRow:
    """A small model of a system after a short run; all systems had the same patterns, and nothing was selected."""

    system: str
    seed: int
    exp_rate: float
    token_error_rate: float
    cross_entropy: float  # per token
    patterns: int  # seen in training
    max_tokens: int  # of an expression
    inks: int  # of the validation set
    cpu_hours: float
    date: str
    command: str

    @property
    def key(self) -> tuple[str, int]:
        return self.system, self.seed


Row = TypeVar("Row", MeasuredRow, TimeRow, BriefRow)


def read_measured(path: str | Path = MEASURED) -> list[MeasuredRow]:
    return _read(MeasuredRow, Path(path))


def read_times(path: str | Path = TIMES) -> list[TimeRow]:
    return _read(TimeRow, Path(path))


def read_brief(path: str | Path = BRIEF) -> list[BriefRow]:
    return _read(BriefRow, Path(path))


def _read(kind: type[Row], path: Path) -> list[Row]:
    """All rows; a file that is not such a list is refused, never read in part."""
    try:
        return [kind(**row) for row in json.loads(path.read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        known = ", ".join(field.name for field in fields(kind))
        raise BadLabels(f"{path} is not a JSON list of rows with {known}: {error}") from error


def record(rows: Sequence[Row], path: str | Path) -> list[Row]:
    """Add rows; each takes the place of an older one of the same key, and these are returned."""
    if not rows:
        return []
    path = Path(path)
    known = {row.key: row for row in _read(type(rows[0]), path)} if path.exists() else {}
    replaced = [known[row.key] for row in rows if row.key in known]
    known.update({row.key: row for row in rows})
    text = json.dumps([asdict(known[key]) for key in sorted(known)], indent=1, ensure_ascii=False)
    with whole_file(path) as partial:
        partial.write_text(text + "\n", encoding="utf-8")
    return replaced
