"""The page knows the alphabet."""

from __future__ import annotations

from inkscan.web.alphabet_script import SCRIPT, alphabet_script


def test_the_pages_table_is_the_alphabet() -> None:
    again = "python -m inkscan.web.alphabet_script writes it anew"
    assert SCRIPT.read_text("utf-8") == alphabet_script(), again
