"""Files that have strange names, or none, and standard input."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import REPOSITORY

INK = REPOSITORY / "examples" / "ink" / "euler.inkml"
READ = ("--model", "onscan-wide", "--beam", "1")


def recognize(
    *arguments: str | Path, redirected: str = "", command: str = "recognize"
) -> subprocess.CompletedProcess[bytes]:
    """Through a shell, whose redirections follow the command."""
    words = [sys.executable, "-m", "inkscan", command, *map(str, arguments), *READ]
    shell = ["sh", "-c", f'"$@" {redirected}', "sh", *words]
    return subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, check=False)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """An ink file whose name is no UTF-8."""
    path = tmp_path / os.fsdecode(b"bad\xff.inkml")
    try:
        shutil.copy(INK, path)
    except OSError:
        pytest.skip("the file system refuses such names")
    return path


def test_a_name_that_is_no_utf_8_is_written_as_it_is(strange: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    written = recognize(strange, INK, "-o", out)
    assert (written.returncode, written.stderr) == (0, b"")
    first, second = out.read_bytes().splitlines()
    assert first.startswith(os.fsencode(strange) + b"\t")
    assert second.startswith(os.fsencode(INK) + b"\t")
    assert recognize(strange, INK).stdout == out.read_bytes()


def test_a_page_about_such_a_file_is_utf_8(strange: Path, tmp_path: Path) -> None:
    done = recognize(strange, "-o", tmp_path / "page.html", command="explain")
    assert (done.returncode, done.stderr) == (0, b"")
    assert r"bad\udcff.inkml" in (tmp_path / "page.html").read_text("utf-8")


def test_the_ink_of_standard_input_is_never_overwritten(tmp_path: Path) -> None:
    ink = tmp_path / "ink.inkml"
    shutil.copy(INK, ink)
    done = recognize("-", "-o", ink, redirected=f"< {ink}")
    assert (done.returncode, b"error [request.invalid]" in done.stderr) == (2, True)
    assert ink.read_bytes() == INK.read_bytes()


def test_closed_standard_input_is_a_file_that_is_missing() -> None:
    done = recognize("-", redirected="<&-")
    assert (done.returncode, done.stderr) == (1, b"error [data.not_found]: standard input is closed\n")


def test_an_empty_name_is_no_folder() -> None:
    done = recognize("")
    assert (done.returncode, done.stderr) == (
        1,
        b"error [data.not_found]: the name of a file is empty\n",
    )
