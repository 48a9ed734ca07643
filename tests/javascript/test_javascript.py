"""The JavaScript is checked by TypeScript's compiler and by ESLint, both from the registry as the lock pins them."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.conftest import REPOSITORY


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=REPOSITORY, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_types_and_style() -> None:
    if shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    fetched = make("tests/javascript/node_modules")
    if fetched.returncode:
        assert "EINTEGRITY" not in fetched.stderr, "a package is not the one that the lock pins"
        pytest.skip(f"npm cannot fetch TypeScript and ESLint: {fetched.stderr[-300:]}")
    checked = make("js")
    assert checked.returncode == 0, checked.stdout + checked.stderr
