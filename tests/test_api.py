"""The public API is what `inkscan/__init__.py` lists."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.conftest import REPOSITORY

import inkscan


def test_the_list_is_sorted_and_complete() -> None:
    assert inkscan.__all__ == sorted(inkscan.__all__)
    assert set(inkscan.__all__) == set(inkscan._HOME_OF)
    for name in inkscan.__all__:
        assert getattr(inkscan, name).__name__ == name
    assert set(inkscan.__all__) <= set(dir(inkscan))


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(inkscan, "no_such_name")


def test_import_alone_loads_neither_numpy_nor_onnxruntime() -> None:
    code = "import sys, inkscan; sys.exit(bool({'numpy', 'onnxruntime', 'typer'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_reference_page_has_every_public_name_once() -> None:
    page = (REPOSITORY / "docs" / "python-api.md").read_text("utf-8")
    assert sorted(re.findall(r"^::: inkscan\.(\w+)$", page, re.M)) == inkscan.__all__
