"""The paper's Tables 1 to 7, as printed: per cent, and time relative to TAP."""

from __future__ import annotations

from dataclasses import dataclass

EXP_STRU = ("exp_rate", "stru_rate")
ALL_RATES = ("exp_rate", "le1", "le2", "le3", "stru_rate")
OFFICIAL_COUNTS = {"CROHME 2013": 671, "CROHME 2014": 986, "CROHME 2016": 1147, "CROHME 2019": 1199}
# The fingerprint of CROHME 2014's training set, which is all that the paper's systems learn from.
TRAINING_SET = "057defdf98f1f8acb176ec200876a97f8832428b27a2d0455b9379e6ea131ed7"
OUR_SYSTEMS = (
    "TAP",
    "OnSCAN",
    "OnSCAN+TAP",
    "WAP",
    "OffSCAN",
    "OffSCAN+WAP",
    "MAN",
    "E-MAN",
    "MMSCAN-D",
    "MMSCAN-E",
)  # those this project can train; in lower case they are its names for them


@dataclass(frozen=True)
class Column:
    """A rate on a test set."""

    dataset: str
    metric: str


@dataclass(frozen=True)
class PaperRow:
    """A system and its values, one for each column; None where the paper has a dash."""

    system: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class PaperTable:
    number: int
    title: str
    columns: tuple[Column, ...]
    rows: tuple[PaperRow, ...]


def _columns(datasets: tuple[str, ...], metrics: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple(Column(dataset, metric) for dataset in datasets for metric in metrics)


_BOTH = _columns(("CROHME 2014", "CROHME 2016"), EXP_STRU)
_2019 = _columns(("CROHME 2019",), ALL_RATES)

TABLES: tuple[PaperTable, ...] = (
    PaperTable(
        1,
        "Online modality",
        _BOTH,
        (
            PaperRow("TAP", (48.47, 67.24, 44.81, 63.12)),
            PaperRow("OnSCAN", (51.22, 70.49, 46.12, 65.30)),
            PaperRow("OnSCAN+TAP", (52.64, 70.89, 47.17, 66.78)),
        ),
    ),
    PaperTable(
        2,
        "Offline modality",
        _BOTH,
        (
            PaperRow("WAP", (48.38, 70.08, 46.82, 66.17)),
            PaperRow("OffSCAN", (47.67, 68.56, 46.64, 65.65)),
            PaperRow("OffSCAN+WAP", (49.39, 71.81, 49.60, 68.18)),
        ),
    ),
    PaperTable(
        3,
        "Single modality, 2019",
        _2019,
        (
            PaperRow("TAP", (44.20, 58.80, 62.72, 63.55, 63.64)),
            PaperRow("OnSCAN", (46.46, 62.47, 66.14, 67.14, 66.31)),
            PaperRow("OnSCAN+TAP", (47.62, 62.64, 67.06, 67.72, 67.22)),
            PaperRow("WAP", (48.12, 63.47, 67.22, 67.97, 67.97)),
            PaperRow("OffSCAN", (47.62, 63.14, 67.06, 67.56, 67.81)),
            PaperRow("OffSCAN+WAP", (49.62, 66.89, 69.97, 70.73, 70.56)),
        ),
    ),
    PaperTable(
        4,
        "Multi-modal",
        _BOTH,
        (
            PaperRow("MAN", (52.43, 71.60, 49.87, 68.18)),
            PaperRow("E-MAN", (54.05, 72.11, 50.56, 67.39)),
            PaperRow("MMSCAN-D", (55.38, 71.30, 52.22, 68.35)),
            PaperRow("MMSCAN-E", (57.20, 73.94, 53.97, 70.62)),
        ),
    ),
    PaperTable(
        5,
        "Multi-modal, 2019",
        _2019,
        (
            PaperRow("MAN", (52.21, 66.64, 69.97, 70.39, 70.56)),
            PaperRow("E-MAN", (52.88, 67.64, 70.81, 71.06, 71.06)),
            PaperRow("MMSCAN-D", (53.88, 68.31, 70.56, 71.14, 70.98)),
            PaperRow("MMSCAN-E", (56.21, 69.47, 71.64, 72.06, 71.73)),
        ),
    ),
    PaperTable(
        6,
        "Overall comparison",
        _BOTH,
        (
            PaperRow("UPV", (37.22, None, None, None)),
            PaperRow("Wiris", (None, None, 49.61, None)),
            PaperRow("WYGIWYS", (35.90, None, None, None)),
            PaperRow("PAL", (39.66, None, None, None)),
            PaperRow("TAP", (48.47, 67.24, 44.81, 63.12)),
            PaperRow("WAP", (48.38, 70.08, 46.82, 66.17)),
            PaperRow("E-MAN", (54.05, 72.11, 50.56, 67.39)),
            PaperRow("MMSCAN-E", (57.20, 73.94, 53.97, 70.62)),
        ),
    ),
    PaperTable(
        7,
        "Time, relative to TAP",
        _columns(("CROHME 2014",), (*EXP_STRU, "time_cost")),
        (
            PaperRow("TAP", (48.47, 67.24, 1.0)),
            PaperRow("OnSCAN", (51.22, 70.49, 0.91)),
            PaperRow("WAP", (48.38, 70.08, 1.51)),
            PaperRow("OffSCAN", (47.67, 68.56, 1.28)),
            PaperRow("E-MAN", (54.05, 72.11, 2.66)),
            PaperRow("MMSCAN-D", (55.38, 71.30, 1.94)),
            PaperRow("MMSCAN-E", (57.20, 73.94, 1.32)),
        ),
    ),
)

_ALL_SETS = (
    Column("CROHME 2013", "exp_rate"),
    *_BOTH,
    Column("CROHME 2014", "time_cost"),
)


def _printed(system: str, column: Column) -> float | None:
    """A value of the paper, wherever it stands."""
    return next(
        (
            row.values[table.columns.index(column)]
            for table in TABLES
            for row in table.rows
            if row.system == system and column in table.columns
        ),
        None,
    )


TEN_SYSTEMS = PaperTable(
    0,
    "The ten systems",
    _ALL_SETS,
    tuple(
        PaperRow(system, tuple(_printed(system, column) for column in _ALL_SETS)) for system in OUR_SYSTEMS
    ),
)
