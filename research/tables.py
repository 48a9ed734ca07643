"""The paper's tables with measured values beside the printed ones; empty where nothing was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from inkscan.models.systems import SYSTEMS
from research.paper import OUR_SYSTEMS, TABLES, TEN_SYSTEMS, Column, PaperTable
from research.records import MeasuredRow, TimeRow

TABLE_BEAM = 10
FAMILIES = (("token", "token"), ("symlg", "symLG"))  # with their titles


@dataclass(frozen=True)
class Line:
    """A line of a table: the paper's values, or measured ones."""

    system: str
    origin: str  # "paper", or the measured family
    values: tuple[float | None, ...]
    marks: str = ""  # letters of `marks.MARKS`
    seeds: int = 1  # runs of which the values are the mean
    model: str = ""  # where there are several of the same marks and seed


@dataclass(frozen=True)
class ComparedTable:
    """One of the paper's tables, each of its systems followed by what was measured here."""

    number: int
    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def compared_tables(
    measured: Sequence[MeasuredRow], times: Sequence[TimeRow] = ()
) -> tuple[ComparedTable, ...]:
    """The ten systems on all sets, and those beyond the paper that were measured, then the paper's seven tables.

    Times are those of the paper's beam, of trained models where there are any.
    """
    trained = any(row.trained for row in times)
    chosen = [row for row in times if row.beam == TABLE_BEAM and row.trained == trained]
    costs = {row.system: row.time_cost for row in chosen}
    return tuple(_compared(table, measured, costs) for table in (TEN_SYSTEMS, *TABLES))


def _compared(
    table: PaperTable, measured: Sequence[MeasuredRow], costs: Mapping[str, float]
) -> ComparedTable:
    lines: list[Line] = []
    for row in table.rows:
        lines.append(Line(row.system, "paper", row.values))
        if row.system in OUR_SYSTEMS:
            ours = [m for m in measured if m.system == row.system.lower()]
            lines += _measured_lines(row.system, table.columns, ours, costs.get(row.system.lower()))
    if table is TEN_SYSTEMS:
        for name, system in SYSTEMS.items():
            ours = [m for m in measured if m.system == name]
            if ours and system.title not in OUR_SYSTEMS:
                lines += _measured_lines(system.title, table.columns, ours, costs.get(name))
    return ComparedTable(table.number, table.title, table.columns, tuple(lines))


def _measured_lines(
    system: str, columns: Sequence[Column], measured: Sequence[MeasuredRow], time_cost: float | None
) -> list[Line]:
    """A line for each family, each set of marks and each model; both families, empty, where nothing was measured.

    The time stands once, beside the first line: it is the system's.
    """
    lines: list[Line] = []
    for (marks, model), chosen in _of_one_kind(measured).items():
        for family, title in FAMILIES:
            rows = [row for row in chosen if row.family == family]
            cost = None if lines else time_cost
            values = tuple(
                cost if column.metric == "time_cost" else _mean(rows, column) for column in columns
            )
            if not measured or any(value is not None for value in values):
                seeds = len({row.seed for row in rows})
                lines.append(Line(system, title, values, marks, max(seeds, 1), model))
    return lines


def _of_one_kind(measured: Sequence[MeasuredRow]) -> dict[tuple[str, str], list[MeasuredRow]]:
    """Rows by marks, runs of other seeds together; models that share a seed differ otherwise, so each is by itself."""
    kinds: dict[tuple[str, str], list[MeasuredRow]] = {}
    for marks in sorted({row.marks for row in measured}):
        rows = [row for row in measured if row.marks == marks]
        runs = {(row.model, row.seed) for row in rows}
        apart = len(runs) > len({seed for _, seed in runs})
        for row in sorted(rows, key=lambda row: row.model):
            kinds.setdefault((marks, row.model if apart else ""), []).append(row)
    return kinds or {("", ""): []}


def _mean(rows: Sequence[MeasuredRow], column: Column) -> float | None:
    """Over the seeds of a system."""
    values = [getattr(row, column.metric) for row in rows if row.dataset == column.dataset]
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
