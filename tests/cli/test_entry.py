"""What `inkscan` itself makes of interruptions and of where its output goes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.conftest import REPOSITORY

INK = REPOSITORY / "examples" / "ink" / "euler.inkml"
WITH_OR_WITHOUT_OPTION = pytest.mark.parametrize("options", [(), ("--beam", "1")])


@WITH_OR_WITHOUT_OPTION
def test_an_interruption_is_an_exit_code_and_no_traceback(options: tuple[str, ...]) -> None:
    code = (
        "import inkscan.runtime.recognizer as recognizer; from inkscan.cli.entry import main\n"
        "def load(*models, **options): raise KeyboardInterrupt\n"
        "recognizer.load = load; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "recognize", INK, *options], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@WITH_OR_WITHOUT_OPTION
def test_what_is_printed_into_a_pipe_is_utf_8(options: tuple[str, ...]) -> None:
    code = (
        "import inkscan.cli.printing as printing; from inkscan.cli.entry import main\n"
        "printing._lines = lambda answer, printed: ['\u03b1']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "recognize", INK, *options],
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout.decode().strip(), done.stderr) == (0, "\u03b1", b"")
