"""docs/contributing.md says which files a change touches; the names of its examples stand in no other file.

In parentheses behind a file stands what is done there, or a file that is touched in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from tests.conftest import REPOSITORY

SOURCES = [
    path
    for folder in ("src/inkscan", "js/src", "js/app")
    for path in sorted((REPOSITORY / folder).rglob("*"))
    if path.suffix in (".py", ".txt", ".js", ".html")
]
MOST = 3
ROW = re.compile(r"^\| (an? [\w ]+) \| (.+) \| (`.+`) \| .+ \|$", re.M)
FILE = re.compile(r"`([\w./<>]+\.(?:py|txt|md|js))`")
MADE = re.compile(r"`python (?:-m )?([\w./]+)` makes `([\w./]+)`")
TABLE = re.compile(r"^\| (?!to add|-)(.+?) \| (.+?) \|", re.M)
SIX = {"a fusion", "an ink format", "an augmentation", "a route", "a dialect", "a symbol"}


@dataclass(frozen=True)
class Change:
    name: str
    files: frozenset[str]  # that are written by hand
    instead: frozenset[str]  # touched in the place of one of these, or made of them
    examples: tuple[str, ...]


def changes() -> list[Change]:
    page = (REPOSITORY / "docs" / "contributing.md").read_text("utf-8")
    return [_change(*row) for row in ROW.findall(page)]


def _change(name: str, touched: str, examples: str) -> Change:
    made = {file for _, file in MADE.findall(touched)}
    files = frozenset(FILE.findall(re.sub(r"\(.+?\)", "", touched))) - made
    words = tuple(re.findall(r"`(.+?)`", examples))
    return Change(name, files, frozenset(FILE.findall(touched)) - files, words)


def test_the_six_changes_are_listed() -> None:
    assert {change.name for change in changes()} == SIX


@pytest.mark.parametrize("change", changes(), ids=lambda change: change.name)
def test_a_change_touches_few_files_and_its_examples_no_other(change: Change) -> None:
    assert 0 < len(change.files) <= MOST
    for example in change.examples:
        holding = {
            path.relative_to(REPOSITORY).as_posix()
            for path in SOURCES
            if stands_in(example, path.read_text("utf-8"))
        }
        assert holding & change.files, f"{example} stands nowhere"
        assert holding <= change.files | change.instead, example


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
    """As a word, in code and in sentences; a string may have two backslashes for one."""
    word = re.escape(example).replace(r"\\", r"\\{1,2}")
    return re.search(rf"(?<![\w\\]){word}(?![a-zA-Z])", text) is not None
