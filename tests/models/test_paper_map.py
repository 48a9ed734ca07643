"""The map from the paper's equations to the code names only what exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "paper-map.md"
ROWS = [row.split("|") for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")][1:]
NAMES = sorted({name for row in ROWS for name in re.findall(r"`([\w.]+\.\w+)`", row[4])})


def test_every_row_names_code() -> None:
    rows = [row for row in ROWS if row[1].strip() != "where"]
    assert len(rows) >= 27
    assert not [row[1] for row in rows if not re.search(r"`[\w.]+\.\w+`", row[4])]


@pytest.mark.parametrize("name", NAMES)
def test_the_code_exists(name: str) -> None:
    package, module, *attributes = name.split(".")
    found = import_module(f"inkscan.{package}.{module}")
    for attribute in attributes:
        found = getattr(found, attribute)
    assert callable(found)
