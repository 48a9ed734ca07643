"""The page's table of symbols, made from the alphabet: `python -m inkscan.web.alphabet_script` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path

from inkscan.latex.alphabet import ALPHABET
from inkscan.latex.symbols import CHARACTERS, STYLED
from inkscan.latex.tree import Symbol
from inkscan.web.asciimath import to_asciimath

SCRIPT = Path(__file__).with_name("static") / "characters.js"
WIDTH = 116
HEAD = """// What shows a token, and AsciiMath's word for a character that has one.
// Made by `python -m inkscan.web.alphabet_script`, not by hand.
"""


def alphabet_script() -> str:
    """A JavaScript module of both tables."""
    characters = {
        token: sign for token, sign in CHARACTERS.items() if token in ALPHABET or not token.startswith(STYLED)
    }
    words: dict[str, str] = {}
    for token, sign in characters.items():
        word = to_asciimath((Symbol(token),))
        if word != sign and word.isascii():
            words.setdefault(sign, word)
    return f"{HEAD}\n{_table('CHARACTERS', characters)}\n{_table('ASCIIMATH', words)}"


def _table(name: str, values: dict[str, str]) -> str:
    pairs = [f"{_quoted(key)}: {_quoted(value)}," for key, value in values.items()]
    rows, row = [], ""
    for pair in pairs:
        if len(row) + len(pair) > WIDTH:
            rows.append(row)
            row = ""
        row += f" {pair}" if row else f"  {pair}"
    return "\n".join([f"export const {name} = {{", *rows, row, "};\n"])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    SCRIPT.write_text(alphabet_script(), encoding="utf-8")
