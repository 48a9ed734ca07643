"""Tries an installed wheel: run it with the Python of an environment that holds the wheel and nothing of development.

It reads the example inks by the command and from Python, and looks for what a wheel must and must not have.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distribution, version
from importlib.util import find_spec
from pathlib import Path

import inkscan

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PACKAGE = Path(inkscan.__file__).parent
LEAST_RIGHT = 0.5  # of the examples: a model that is broken reads none, the bundled one most


def command(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "inkscan", *arguments], capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def check_contents() -> None:
    assert "site-packages" in PACKAGE.parts, f"{PACKAGE} is not the installed wheel"
    assert (PACKAGE / "py.typed").is_file(), "type checkers would not look at the package"
    assert version("inkscan") == inkscan.__version__
    tops = {file.parts[0] for file in distribution("inkscan").files or () if ".." not in file.parts}
    strangers = {top for top in tops if top != "inkscan" and not top.endswith(".dist-info")}
    assert not strangers, f"the wheel also installs {strangers}"
    assert find_spec("torch") is None, "the light install brings torch along"


def check_recognition() -> int:
    """How many examples are read right; the command and Python must agree on each."""
    truths = dict(line.split("\t") for line in (EXAMPLES / "labels.tsv").read_text("utf-8").splitlines())
    files = [EXAMPLES / "ink" / name for name in truths]
    told = [line.split("\t")[1] for line in command("recognize", *map(str, files)).splitlines()]
    recognizer = inkscan.load()
    answers = [recognizer(inkscan.Ink.read(file)) for file in files]
    assert told == [answer.latex for answer in answers]
    return sum(" ".join(a.tokens) == truth for a, truth in zip(answers, truths.values(), strict=True))


def main() -> None:
    check_contents()
    assert command("--version").strip() == f"inkscan {inkscan.__version__}"
    assert "recognize" in command("--help")
    right, total = check_recognition(), len(list((EXAMPLES / "ink").glob("*.inkml")))
    assert right >= LEAST_RIGHT * total, f"{right} of {total} examples are read right"
    print(
        f"inkscan {inkscan.__version__} on Python {sys.version.split()[0]}: {right} of {total} examples right"
    )


if __name__ == "__main__":
    main()
