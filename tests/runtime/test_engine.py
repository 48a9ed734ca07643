"""onnxruntime does not report home: it keeps no device id, and works where there is no network at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import REPOSITORY

from inkscan.runtime.engine import cores

INK = REPOSITORY / "examples" / "ink" / "euler.inkml"
ENTRIES = {
    "command": "from inkscan.cli.main import main; main()",
    "Python": "import sys, inkscan; print(inkscan.load()(inkscan.Ink.read(sys.argv[2])).latex)",
}


def without_network() -> list[str]:
    """A command's beginning that takes all networks away, where the system lets us."""
    command = ["unshare", "--map-root-user", "--net"]
    can = (
        shutil.which("unshare")
        and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    )
    return command if can else []


@pytest.mark.parametrize("entry", ENTRIES)
def test_recognition_leaves_nothing_in_the_users_cache(entry: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [*without_network(), sys.executable, "-c", ENTRIES[entry], "recognize", str(INK)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "e^{" in done.stdout
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_one_module_imports_onnxruntime() -> None:
    source = REPOSITORY / "src" / "inkscan"
    importing = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if "import onnxruntime\n" in path.read_text()
    }
    assert importing == {"runtime/engine.py"}


def test_the_cores_are_counted_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert cores() == 3
