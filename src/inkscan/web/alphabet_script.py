"""The page's table of symbols, made from the alphabet: `python -m inkscan.web.alphabet_script` writes it anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from operator import attrgetter
from pathlib import Path

from inkscan.latex.alphabet import ALPHABET, COMPOSED, Entry
from inkscan.latex.symbols import CHARACTERS, RELATIONS
from inkscan.latex.tree import ACCENTS

SCRIPT = Path(__file__).with_name("static") / "characters.js"
WIDTH = 116
HEAD = """\
// What shows a token; what AsciiMath and Typst call a character or a function, and how they write a mark over, under or
// around something, which is %; relation signs. Made by `python -m inkscan.web.alphabet_script`, not by hand.
"""


def alphabet_script() -> str:
    """A JavaScript module of all tables."""
    plain = [entry for entry in ALPHABET.values() if entry.kind not in COMPOSED]
    marks = [entry for entry in ALPHABET.values() if entry.label in ACCENTS]
    asciimath, typst = attrgetter("asciimath"), attrgetter("typst")
    tables = {
        "CHARACTERS": {entry.label: entry.character for entry in plain if entry.label in CHARACTERS},
        "ASCIIMATH": _words(plain, asciimath),
        "ASCIIMATH_MARKS": _words(marks, asciimath),
        "TYPST": _words(plain, typst),
        "TYPST_MARKS": _words(marks, typst),
    }
    relations = _wrapped("RELATIONS", "new Set([", map(_quoted, sorted(RELATIONS)), "])")
    return "\n".join([HEAD, *(_table(name, values) for name, values in tables.items()), relations])


def _words(entries: Iterable[Entry], word: Callable[[Entry], str]) -> dict[str, str]:
    """The word for each character that is not its own."""
    return {entry.character: word(entry) for entry in entries if word(entry) != entry.character}


def _table(name: str, values: dict[str, str]) -> str:
    return _wrapped(name, "{", (f"{_quoted(key)}: {_quoted(value)}" for key, value in values.items()), "}")


def _wrapped(name: str, begin: str, items: Iterable[str], end: str) -> str:
    rows, row = [], ""
    for item in items:
        if len(row) + len(item) >= WIDTH:
            rows.append(row)
            row = ""
        row += f" {item}," if row else f"  {item},"
    return "\n".join([f"export const {name} = {begin}", *rows, row, f"{end};\n"])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    SCRIPT.write_text(alphabet_script(), encoding="utf-8")
