"""The inks of CROHME's 2014 test set, read from the published archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.data.source import iter_files
from inkscan.ink import Ink
from inkscan.ink.inkml import read_inkml


@pytest.fixture(scope="session")
def test2014_inks(shared_data: Path) -> list[Ink]:
    files = iter_files(shared_data / "crohme-test2014.tar.xz")
    return [read_inkml(file.data).ink for file in files if file.suffix == ".inkml"]
