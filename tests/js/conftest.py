"""node with the packages of js/, fetched from the registry as package-lock.json pins them; the built app, a browser."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


@pytest.fixture(scope="package")
def folder(npm: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built app."""
    built = tmp_path_factory.mktemp("app")
    subprocess.run(["node", "build.mjs", str(built)], cwd=npm, check=True, capture_output=True)
    return built


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        yield driver.chromium.launch(executable_path="/usr/bin/chromium", args=flags)


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
