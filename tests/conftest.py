"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published corpora, beside the repository or named by INKSCAN_SHARED; skips without it."""
    root = Path(os.environ.get("INKSCAN_SHARED", REPOSITORY.parent / "shared")) / "data"
    if not root.is_dir():
        pytest.skip(
            f"published corpora not found at {root}; set INKSCAN_SHARED to the folder that holds data/"
        )
    return root
