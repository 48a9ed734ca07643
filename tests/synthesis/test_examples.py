"""The inks shipped as examples, and the promise that making ink needs no heavy library."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from inkscan.ink.inkml import read_inkml
from inkscan.latex.tokens import canonical_tokens

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPT = runpy.run_path(str(EXAMPLES / "make_inks.py"))


@pytest.mark.parametrize("name", SCRIPT["EXAMPLES"])
def test_every_example_is_there_and_says_what_it_is(name: str) -> None:
    document = read_inkml((EXAMPLES / "ink" / f"{name}.inkml").read_bytes())
    assert " ".join(canonical_tokens(document.annotations["truth"])) == SCRIPT["EXAMPLES"][name]
    assert sorted(stroke for group in document.groups for stroke in group.strokes) == list(
        range(len(document.ink))
    )


def test_the_script_makes_the_same_inks_again(tmp_path: Path) -> None:
    SCRIPT["make_inks"](tmp_path)
    made = {path.name: len(read_inkml(path.read_bytes()).ink) for path in tmp_path.iterdir()}
    shipped = {path.name: len(read_inkml(path.read_bytes()).ink) for path in (EXAMPLES / "ink").iterdir()}
    assert made == shipped


def test_ink_is_made_without_heavy_libraries() -> None:
    code = (
        "import sys; from inkscan.synthesis.generate import Generator; next(Generator().samples(1)); "
        "print(*{'torch', 'pyarrow', 'onnxruntime'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""
