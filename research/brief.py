"""The ten systems after short runs of equal budget, question by question, beside what the paper found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from research.paper import OUR_SYSTEMS, TABLES
from research.records import BriefRow

PAPER_COLUMN = ("CROHME 2014", "exp_rate")


@dataclass(frozen=True)
class PaperQuestion:
    """Systems that one of the paper's questions compares."""

    title: str
    systems: tuple[str, ...]


QUESTIONS = (
    PaperQuestion("Online: strokes, points, both", ("TAP", "OnSCAN", "OnSCAN+TAP")),
    PaperQuestion("Offline: strokes, pixels, both", ("WAP", "OffSCAN", "OffSCAN+WAP")),
    PaperQuestion("Fusion in the decoder or the encoder", ("MAN", "E-MAN", "MMSCAN-D", "MMSCAN-E")),
)


@dataclass(frozen=True)
class BriefLine:
    """Means over the seeds of a system; None where it was not run."""

    system: str
    paper: float | None  # ExpRate on CROHME 2014, printed
    exp_rate: float | None
    token_error_rate: float | None
    cross_entropy: float | None
    seeds: int


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with a line for each of its systems."""

    title: str
    lines: tuple[BriefLine, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def answers(rows: Sequence[BriefRow]) -> tuple[AnsweredQuestion, ...]:
    """All questions, empty where a system was not run."""
    printed = paper_rates()
    return tuple(
        AnsweredQuestion(
            question.title, tuple(_line(system, printed.get(system), rows) for system in question.systems)
        )
        for question in QUESTIONS
    )


def paper_rates() -> dict[str, float]:
    """Each system's ExpRate on CROHME 2014 as the paper prints it."""
    return {
        row.system: value
        for table in TABLES
        for row in table.rows
        for column, value in zip(table.columns, row.values, strict=True)
        if row.system in OUR_SYSTEMS and (column.dataset, column.metric) == PAPER_COLUMN and value is not None
    }


def _line(system: str, paper: float | None, rows: Sequence[BriefRow]) -> BriefLine:
    own = [row for row in rows if row.system == system.lower()]

    def mean(name: str) -> float | None:
        return fmean(getattr(row, name) for row in own) if own else None

    return BriefLine(
        system, paper, mean("exp_rate"), mean("token_error_rate"), mean("cross_entropy"), len(own)
    )
