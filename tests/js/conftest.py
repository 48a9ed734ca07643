"""node and the packages of js/, which are fetched from the registry as package-lock.json pins them."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.conftest import REPOSITORY

PACKAGE = REPOSITORY / "js"
OLDEST_NODE = 20


@pytest.fixture(scope="session")
def npm() -> Path:
    """The package's folder with its dependencies installed; skips where that cannot be."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version} is older than {OLDEST_NODE}")
    with (PACKAGE / "package-lock.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        _install()
    return PACKAGE


def _install() -> None:
    done = PACKAGE / "node_modules" / ".package-lock.json"
    if done.is_file() and done.stat().st_mtime >= (PACKAGE / "package-lock.json").stat().st_mtime:
        return
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    result = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=False)
    if "EINTEGRITY" in result.stderr:
        pytest.fail(f"a package is not the one that package-lock.json pins: {result.stderr[-2000:]}")
    if result.returncode:
        pytest.skip(f"npm cannot fetch the packages of js/: {result.stderr[-500:]}")
