"""Every symbol that LaTeX text may use, with its Unicode character; other commands are unknown tokens."""

from __future__ import annotations

from contextlib import suppress
from string import ascii_letters, digits
from unicodedata import lookup, name

from inkscan.latex.alphabet import ALPHABET, COMPOSED, SymbolKind, characters, labels


def commands(names: str) -> frozenset[str]:
    """The commands with these names, which are separated by spaces."""
    return frozenset("\\" + name for name in names.split())


LIMIT_FUNCTIONS = labels(SymbolKind.LIMIT)
FUNCTIONS = labels(SymbolKind.FUNCTION) | LIMIT_FUNCTIONS
# Read as functions even without the backslash, the longest first.
SPELLED_FUNCTIONS = (
    *("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth"),
    *("sin", "cos", "tan", "log", "lim"),
)

LETTERLIKE = characters(SymbolKind.GREEK, SymbolKind.ORDINARY)
INTEGRALS = labels(SymbolKind.INTEGRAL)
LARGE = characters(SymbolKind.LARGE, SymbolKind.INTEGRAL)
OPERATORS = characters(SymbolKind.OPERATOR)
SIGNS = frozenset(("+", "-", "\\pm", "\\mp"))  # operators that may stand before everything, too
RELATIONS = characters(SymbolKind.RELATION)
OPENING = characters(SymbolKind.OPENING)
CLOSING = characters(SymbolKind.CLOSING)
BARS = characters(SymbolKind.BAR)
PUNCTUATION = labels(SymbolKind.PUNCTUATION)
DOTS = characters(SymbolKind.DOTS)
MARKS = characters(SymbolKind.MARK)
ACCENT_MARKS = characters(SymbolKind.ACCENT, SymbolKind.OVER, SymbolKind.UNDER)

_WORDS = (SymbolKind.FUNCTION, SymbolKind.LIMIT)


def _styled_letters() -> dict[str, str]:
    """`\\mathbb{R}` and the like with their characters, which Unicode names in two ways."""
    found: dict[str, str] = {}
    for style, alphabets in STYLED_ALPHABETS.items():
        for letter in ascii_letters:
            case = "CAPITAL" if letter.isupper() else "SMALL"
            for alphabet in alphabets:
                with suppress(KeyError):
                    found.setdefault(f"{style}{{{letter}}}", lookup(f"{alphabet} {case} {letter.upper()}"))
        for digit in digits:
            with suppress(KeyError):
                found[f"{style}{{{digit}}}"] = lookup(f"{alphabets[0]} {name(digit)}")
    return found


STYLED_ALPHABETS = {
    "\\mathbb": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "\\mathcal": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "\\mathfrak": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "\\mathscr": ("MATHEMATICAL SCRIPT", "SCRIPT"),
}
STYLED = tuple(STYLED_ALPHABETS)  # `\mathbb{R}` is one label
CHARACTERS = (
    characters(*(kind for kind in SymbolKind if kind not in (*COMPOSED, *_WORDS))) | _styled_letters()
)

ALIASES = {spelling: entry.label for entry in ALPHABET.values() for spelling in entry.also}
_FROM_CHARACTER = {
    character: label for label, character in reversed(CHARACTERS.items()) if not character.isascii()
}


def label_of(text: str) -> str:
    """The canonical label for a LaTeX command or a Unicode character; the text itself if it has no other."""
    if text in ALIASES:
        return ALIASES[text]
    return _FROM_CHARACTER.get(text, text)


def is_known(label: str) -> bool:
    """Whether a token is a symbol that the layout tree, MathML and LaTeX output can all show."""
    if len(label) == 1:
        return label.isascii() and label.isprintable() and label not in "\\{}^_&#%$~"
    if label in CHARACTERS or label in FUNCTIONS:
        return True
    return label.startswith(STYLED) and label.endswith("}")


def shown(label: str) -> str:
    """The character, or a function's name, that shows a label to people; the label itself if it has none."""
    entry = ALPHABET.get(label)
    return (entry.character if entry else CHARACTERS.get(label)) or label.removeprefix("\\")
