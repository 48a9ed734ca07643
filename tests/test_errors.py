"""The tree of errors as it is drawn in errors.py, and as docs/errors.md tells what to do about each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.conftest import REPOSITORY

from inkscan import errors
from inkscan.data.rejection import NOT_INK
from inkscan.errors import InkscanError
from inkscan.web import failures

PAGE = (REPOSITORY / "docs" / "errors.md").read_text("utf-8")
ROW = re.compile(
    r"^\| `(?P<code>[\w.]+)` \|(?: (?P<status>\d*) ?\|)? (?:`(?P<name>\w+)` )?\| .+ \| .+ \|$", re.M
)
WITHOUT_CLASS = {*failures.CODES.values(), failures.INTERNAL, NOT_INK, "io"}


@dataclass(frozen=True)
class Row:
    code: str
    status: str
    name: str


def rows() -> list[Row]:
    return [Row(r["code"], r["status"] or "", r["name"] or "") for r in ROW.finditer(PAGE)]


def classes(error: type[InkscanError] = InkscanError) -> Iterator[type[InkscanError]]:
    for child in error.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from classes(child)


def leaves() -> dict[str, str]:
    return {error.code: error.__name__ for error in classes() if not error.__subclasses__()}


def test_the_page_has_every_code_once_with_its_class() -> None:
    found = {row.code: row.name for row in rows()}
    assert len(found) == len(rows()) == PAGE.count("\n| `")
    assert found == {**leaves(), **dict.fromkeys(WITHOUT_CLASS, "")}


def test_the_page_names_every_family() -> None:
    for error in classes():
        if error.__subclasses__():
            assert f"`{error.__name__}`" in PAGE


def test_the_statuses_of_the_page_are_those_of_the_server() -> None:
    by_status = {code: status for status, code in failures.CODES.items()}
    for row in rows():
        if row.status:
            assert int(row.status) == by_status.get(row.code, failures.status_of(row.code)), row.code
        else:
            assert not row.code.startswith(("ink.", "latex.")), row.code


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = dict(re.findall(r"[├└]── (\w+) +([a-z]+\.\w+)$", errors.__doc__ or "", re.M))
    assert drawn == {name: code for code, name in leaves().items()}
