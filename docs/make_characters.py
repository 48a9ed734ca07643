"""Write the page's table of characters from the package's own: what shows a token, and AsciiMath's word for it.

python docs/make_characters.py [OUT.js]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inkscan.latex.symbols import CHARACTERS, STYLED
from inkscan.latex.tree import Symbol
from inkscan.web.asciimath import to_asciimath

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "src" / "inkscan" / "web" / "static" / "characters.js"
WIDTH = 116
HEAD = """// What shows a token, and AsciiMath's word for a character that has one.
// Written by docs/make_characters.py from the package's tables; not by hand.
"""


def main(out: Path) -> None:
    out.write_text(text(), encoding="utf-8")


def text() -> str:
    """The module."""
    characters = {token: sign for token, sign in CHARACTERS.items() if not token.startswith(STYLED)}
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
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE)
