"""Every example of docs/http-api.md runs, against the fake recogniser."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from tests.conftest import REPOSITORY
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer

from inkscan.cli.serve import DEFAULT_PORT
from inkscan.web.server_settings import Limits

EXAMPLES = re.findall(r"```(sh|python)\n(.*?)```", (REPOSITORY / "docs" / "http-api.md").read_text(), re.S)
ANSWERS = [
    '"latex":"x"',
    '"latex":"111111111111"',
    '"latex":"x\\nx"',
    '"text":"\\\\( x \\\\)"',
    "x",
    '"label": "x"',
    "\\\\frac{1}{2}x^{2}",
    "x",
]


def test_the_examples_of_the_http_api() -> None:
    assert len(EXAMPLES) == len(ANSWERS)
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with serving(FakeRecognizer(), Limits()) as (_, port):
        for (language, code), answer in zip(EXAMPLES, ANSWERS, strict=True):
            command = ["sh", "-c"] if language == "sh" else [sys.executable, "-c"]
            done = subprocess.run(
                [*command, code.replace(f":{DEFAULT_PORT}", f":{port}")],
                capture_output=True, text=True, cwd=REPOSITORY, timeout=60, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert answer in done.stdout
