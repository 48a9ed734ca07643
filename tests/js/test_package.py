"""The JavaScript package: its tables and golden vectors are Python's of today, and it says what Python says."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.js.conftest import PACKAGE

from inkscan import __version__
from inkscan.runtime.models import DEFAULT, bundled_models

needs_weights = pytest.mark.skipif(
    DEFAULT not in bundled_models(), reason=f"the weights of {DEFAULT} are not bundled"
)
TOLERANCE = 1e-3  # machines add in different orders
FRESH_INKS = 40


def test_the_tables_are_those_of_python() -> None:
    script = runpy.run_path(str(PACKAGE / "make_tables.py"))
    made, kept = script["text"](), script["TARGET"].read_text("utf-8")
    assert made == kept, "js/src/tables.js is stale; make it again with `python js/make_tables.py`"


@needs_weights
def test_the_golden_vectors_are_those_of_the_default_models() -> None:
    script = runpy.run_path(str(PACKAGE / "make_golden.py"))
    kept = json.loads(script["TARGET"].read_text("utf-8"))
    made = json.loads(script["text"](script["golden"]()))
    assert list(differences(made, kept)) == [], (
        "js/test/golden.json is stale; make it with `python js/make_golden.py`"
    )


def test_the_version_is_that_of_python() -> None:
    for name in ("package.json", "package-lock.json"):
        assert json.loads((PACKAGE / name).read_text("utf-8"))["version"] == __version__


def test_packages_are_pinned_by_content_and_by_no_address() -> None:
    packages = json.loads((PACKAGE / "package-lock.json").read_text("utf-8"))["packages"]
    fetched = {name: package for name, package in packages.items() if name}
    assert fetched
    assert all(package["integrity"].startswith("sha512-") for package in fetched.values())
    assert not any("resolved" in package for package in fetched.values())


@pytest.mark.slow
def test_it_passes_its_own_tests(npm: Path) -> None:
    _run(["npm", "test"], npm)


@pytest.mark.slow
def test_its_types_are_right(npm: Path) -> None:
    _run(["npm", "run", "check"], npm)


@pytest.mark.slow
@needs_weights
def test_it_agrees_on_inks_that_were_never_seen(npm: Path, tmp_path: Path) -> None:
    script = runpy.run_path(str(PACKAGE / "make_golden.py"))
    lines = tmp_path / "lines.jsonl"
    inks = list(script["_generated"](script["GENERATED"] + FRESH_INKS))[script["GENERATED"] :]
    lines.write_text("".join(f"{line}\n" for line in script["lines"](inks)), encoding="utf-8")
    told = _run(["node", "parity.mjs", str(lines)], npm)
    assert f"{FRESH_INKS} of {FRESH_INKS} inks have the same LaTeX" in told


def differences(made: Any, kept: Any, path: str = "") -> Any:
    """Where two JSON values differ; numbers may be a little apart."""
    if isinstance(made, dict) and isinstance(kept, dict) and made.keys() == kept.keys():
        for key in made:
            yield from differences(made[key], kept[key], f"{path}.{key}")
    elif isinstance(made, list) and isinstance(kept, list) and len(made) == len(kept):
        for at, (one, other) in enumerate(zip(made, kept, strict=True)):
            yield from differences(one, other, f"{path}[{at}]")
    elif isinstance(made, float) or isinstance(kept, float):
        if not abs(made - kept) <= TOLERANCE:
            yield f"{path}: {made} and not {kept}"
    elif made != kept:
        yield f"{path}: {made!r} and not {kept!r}"


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout
