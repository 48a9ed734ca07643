"""docs/contributing.md says which files a change touches; what is named as an example stands in no other file.

In parentheses behind a file stands what is done there, or the file that is touched in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from tests.conftest import REPOSITORY

SOURCE = REPOSITORY / "src" / "inkscan"
MOST = 3
ROW = re.compile(r"^\| (an? [\w ]+) \| (.+) \| `(.+)` \| .+ \|$", re.M)
FILE = re.compile(r"`([\w./<>]+\.(?:py|txt|md))`")
MADE = re.compile(r"`python (?:-m )?([\w./]+)` makes `([\w./]+)`")
TABLE = re.compile(r"^\| (?!to add|-)(.+?) \| (.+?) \|", re.M)
SIX = {"a fusion", "an ink format", "an augmentation", "a route", "a dialect", "a symbol"}


@dataclass(frozen=True)
class Change:
    name: str
    files: frozenset[str]
    example: str


def changes() -> list[Change]:
    page = (REPOSITORY / "docs" / "contributing.md").read_text("utf-8")
    return [
        Change(name, frozenset(FILE.findall(re.sub(r"\(.+?\)", "", touched))), example)
        for name, touched, example in ROW.findall(page)
    ]


def test_the_six_changes_are_listed() -> None:
    assert {change.name for change in changes()} == SIX


@pytest.mark.parametrize("change", changes(), ids=lambda change: change.name)
def test_a_change_touches_few_files_and_its_example_no_other(change: Change) -> None:
    assert 0 < len(change.files) <= MOST
    assert all((REPOSITORY / file).is_file() for file in change.files)
    holding = {
        path.relative_to(REPOSITORY).as_posix()
        for path in SOURCE.rglob("*")
        if path.suffix in (".py", ".txt") and stands_in(change.example, path.read_text("utf-8"))
    }
    assert holding, f"{change.example} stands nowhere"
    assert holding <= change.files


def test_every_file_that_is_named_is_there() -> None:
    """By its path from the top; <name> stands for any."""
    page = (REPOSITORY / "docs" / "contributing.md").read_text("utf-8")
    rows = TABLE.findall(page)
    assert len(rows) > len(SIX)
    for _, touched in rows:
        for file in FILE.findall(touched):
            assert list(REPOSITORY.glob(file.replace("<name>", "*"))), file


def test_a_file_that_a_command_makes_names_the_command() -> None:
    page = (REPOSITORY / "docs" / "contributing.md").read_text("utf-8")
    made = MADE.findall(page)
    assert made
    for script, file in made:
        path = script if script.endswith(".py") else f"src/{script.replace('.', '/')}.py"
        assert (REPOSITORY / path).is_file(), path
        head = (REPOSITORY / file).read_text("utf-8").splitlines()[:3]
        assert any("Made by" in line and script in line for line in head), file


def stands_in(example: str, text: str) -> bool:
    """As a word of the code; sentences in docstrings and comments write names otherwise."""
    return re.search(rf"(?<![\w\\]){re.escape(example)}(?![a-zA-Z])", text) is not None
