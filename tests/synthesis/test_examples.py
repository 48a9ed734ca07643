"""The inks shipped as examples, and the promise that making ink needs no heavy library."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from inkscan.ink import Ink
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


def test_the_script_makes_the_same_inks_each_time(tmp_path: Path) -> None:
    """Point by point. The shipped ones are kept as they were made, though layout has changed since."""
    for folder in ("one", "two"):
        SCRIPT["make_inks"](tmp_path / folder)
    assert inks_of(tmp_path / "one") == inks_of(tmp_path / "two")
    assert inks_of(tmp_path / "one").keys() == inks_of(EXAMPLES / "ink").keys()


def inks_of(folder: Path) -> dict[str, Ink]:
    return {path.name: read_inkml(path.read_bytes()).ink for path in folder.iterdir()}


def test_ink_is_made_without_heavy_libraries() -> None:
    code = (
        "import sys; from inkscan.synthesis.generate import Generator; next(Generator().samples(1)); "
        "print(*{'torch', 'pyarrow', 'onnxruntime'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""
