"""The paper's tables with measured values beside the printed ones; empty where nothing was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inkscan.evaluation.measured import MeasuredRow, TimeRow
from inkscan.evaluation.paper import OUR_SYSTEMS, TABLES, Column, PaperTable

TABLE_BEAM = 10
FAMILIES = (("token", "token"), ("symlg", "symLG"))  # with their titles


@dataclass(frozen=True)
class Line:
    """A line of a table: the paper's values, or measured ones."""

    system: str
    origin: str  # "paper", or the measured family and what sets the run apart
    values: tuple[float | None, ...]


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
    """All seven tables; times are those of the beam that the paper searches with."""
    costs = {row.system: row.time_cost for row in times if row.beam == TABLE_BEAM}
    return tuple(_compared(table, measured, costs) for table in TABLES)


def _compared(
    table: PaperTable, measured: Sequence[MeasuredRow], costs: Mapping[str, float]
) -> ComparedTable:
    lines: list[Line] = []
    for row in table.rows:
        lines.append(Line(row.system, "paper", row.values))
        if row.system in OUR_SYSTEMS:
            ours = [m for m in measured if m.system == row.system.lower()]
            lines += _measured_lines(row.system, table.columns, ours, costs.get(row.system.lower()))
    return ComparedTable(table.number, table.title, table.columns, tuple(lines))


def _measured_lines(
    system: str, columns: Sequence[Column], measured: Sequence[MeasuredRow], time_cost: float | None
) -> list[Line]:
    """A line for each family, measured or not; runs with a mark have lines of their own."""
    marks = sorted({"", *(_mark(row) for row in measured)})
    lines = []
    for mark in marks:
        for family, title in FAMILIES:
            rows = {row.dataset: row for row in measured if row.family == family and _mark(row) == mark}
            values = tuple(
                (time_cost if not mark else None)
                if column.metric == "time_cost"
                else _value(rows.get(column.dataset), column.metric)
                for column in columns
            )
            if not mark or any(value is not None for value in values):
                lines.append(Line(system, title + mark, values))
    return lines


def _mark(row: MeasuredRow) -> str:
    marks = (
        row.variant,
        "extra data" if row.extra_data else "",
        "selected on test" if row.selected_on_test else "",
    )
    return "".join(f", {mark}" for mark in marks if mark)


def _value(row: MeasuredRow | None, metric: str) -> float | None:
    return None if row is None else getattr(row, metric)
