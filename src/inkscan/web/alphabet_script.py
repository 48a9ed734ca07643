"""The page's table of symbols, made from the alphabet: `python -m inkscan.web.alphabet_script` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path

from inkscan.latex.alphabet import ALPHABET

SCRIPT = Path(__file__).with_name("static") / "alphabet.js"


def alphabet_script() -> str:
    """A JavaScript module with the characters that show tokens, for those that are not their own."""
    shown = {
        label: entry.character
        for label, entry in ALPHABET.items()
        if entry.character and entry.character != label
    }
    heading = "// What shows a token to people. Made by `python -m inkscan.web.alphabet_script`."
    table = json.dumps(shown, ensure_ascii=False, indent=2)
    return f"{heading}\n\nexport const CHARACTERS = {table};\n"


if __name__ == "__main__":
    SCRIPT.write_text(alphabet_script(), encoding="utf-8")
