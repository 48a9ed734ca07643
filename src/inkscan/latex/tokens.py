"""LaTeX text to tokens and back.

What happens to LaTeX that is not canonical:

    \\left \\right \\big... \\; \\quad \\displaystyle $   dropped: not written
    \\mathrm \\mathbf \\text \\mbox \\operatorname...    dropped, their letters stay
    \\mathbb{R} \\mathcal{L} \\mathfrak \\mathscr         one symbol for each letter, `\\mathbb{R}`
    \\hat \\overline \\vec \\underbrace...                a symbol with its argument inside
    \\overset \\underset \\stackrel                       limits of the symbol below or above
    \\to \\le \\dots \\lt, Unicode such as ≤ or α         the canonical name of the same symbol
    arrays, \\\\ and &, unknown commands                  UnknownToken, with the position in the text
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from inkscan.errors import LatexError, LatexSyntax, UnknownToken
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symbols import FUNCTIONS, LARGE, SPELLED_FUNCTIONS, STYLED, commands, is_known, label_of
from inkscan.latex.tree import ACCENTS, FOREIGN, INFIX_STACKS, STACKS, STRUCTURE, UNWRITABLE, Row, to_tokens

MAX_LENGTH = 25_000  # characters, read and typeset in a fraction of a second; CROHME's longest has 400

TOKENS_ARE = (
    "a token is a character, a command such as \\alpha, or a letter such as \\mathbb{R}, without blanks"
)
_TOKEN = re.compile(rf"(?:{'|'.join(map(re.escape, STYLED))})\{{[A-Za-z0-9]\}}|\\[A-Za-z]+|\\.|[^\\]")
_LEXEME = re.compile(
    r"(?P<space>\s+|%[^\n]*|~)"
    r"|(?P<environment>\\(?:begin|end)\s*\{[^{}]*\})"
    r"|(?P<command>\\(?:[lg]t(?=[A-Za-df-z](?![A-Za-z]))|[A-Za-z]+|.))"  # CROHME glues `M\ltN`
    r"|(?P<character>.)",
    re.DOTALL,
)
_SPACING = commands(
    "quad qquad thinspace enspace negthinspace displaystyle textstyle scriptstyle scriptscriptstyle "
    "nolimits nonumber rm it bf cal sf tt mathstrut strut relax n t"
) | {"\\,", "\\;", "\\:", "\\!", "\\/", "\\>", "\\ ", "\\\n", "\\\t", "\\(", "\\)", "\\[", "\\]"}
_DELIMITER_SIZES = commands(
    "left right middle big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm"
)  # a point behind them stands for no delimiter
_ANGLES = {"<": "\\langle", ">": "\\rangle"}  # what these are as delimiters
_TEXTS = commands("text textrm textit textbf textsf texttt textnormal mbox hbox")
_FONTS = _TEXTS | commands(
    "mathrm mathbf mathit mathsf mathtt mathnormal boldsymbol bm pmb operatorname operatornamewithlimits "
    "mathop mathbin mathrel mathord mathopen mathclose"
)
LIMIT_TAKERS = (FUNCTIONS | LARGE.keys() | commands("overbrace underbrace")) - commands("bigcirc")
_STRUCTURE = STACKS | ACCENTS | STRUCTURE | UNWRITABLE | {"\\sqrt"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it begins in the text."""

    text: str
    position: int
    of_word: bool = False  # a letter of a word in a font of its own, such as `\\text{using}`


def tokenize(latex: str) -> list[Token]:
    """All tokens of a LaTeX formula, spaces and `$` left out; arrays and unknown commands are tokens too."""
    if len(latex) > MAX_LENGTH:
        raise LatexSyntax(f"{len(latex)} characters; a formula has at most {MAX_LENGTH}", MAX_LENGTH)
    return list(_joined_styles(list(_lexemes(latex))))


def canonical_tokens(latex: str) -> tuple[str, ...]:
    """The canonical tokens of any LaTeX formula."""
    return to_tokens(parse_latex(latex))


def parse_latex(latex: str, *, primed_groups: bool = True) -> Row:
    """The layout tree of any LaTeX formula; errors carry the position in the text."""
    named = list(_named_functions(list(_grouped_delimiters(tokenize(latex)))))
    spelled = list(_spelled_functions(list(_written_tokens(named))))
    return _parsed(spelled, len(latex), primed_groups=primed_groups)


def parse_foreign_tokens(tokens: Sequence[str]) -> Row:
    """The layout tree of tokens from outside, which need not be canonical; errors carry the index of the token."""
    numbered = [Token(text, at) for at, text in enumerate(tokens)]
    return _parsed(list(_written_tokens(numbered)), len(tokens))


def _parsed(tokens: Sequence[Token], end: int, *, primed_groups: bool = True) -> Row:
    """The layout tree of known tokens, of which there is at least one; `end` is where their text ends."""
    for token in tokens:
        if token.text not in _STRUCTURE and not is_known(token.text):
            raise UnknownToken(_explain_unknown(token.text), token.position)
    try:
        row = parse_tokens([token.text for token in tokens], primed_groups=primed_groups)
    except LatexError as error:
        if error.position is not None:
            error.position = tokens[error.position].position if error.position < len(tokens) else end
        raise
    if not row:
        raise LatexSyntax("the formula is empty")
    return row


def is_token(text: str) -> bool:
    """Whether a text is one token: a character, a command, or a letter in a style such as `\\mathbb{R}`."""
    is_visible = text.isprintable() and " " not in text
    return is_visible and _TOKEN.fullmatch(text) is not None and text not in STYLED


def latex_from_tokens(tokens: Sequence[str]) -> str:
    """Clean LaTeX, as a person would type it, from tokens."""
    pieces: list[str] = []
    for token in _with_operators(tokens):
        if pieces and _needs_space(pieces[-1], token):
            pieces.append(" ")
        pieces.append(token)
    return "".join(pieces)


def _with_operators(tokens: Sequence[str]) -> list[str]:
    """`= \\limits` as `\\mathop { = } \\limits`: TeX takes limits at operators alone."""
    written: list[str] = []
    start, starts = 0, list[int]()  # of the last symbol, and of those whose braces are open
    for token in tokens:
        if token == "{":
            starts.append(start)
        elif token == "}":
            start = starts.pop() if starts else len(written)
        elif token != "\\limits":
            start = len(written)
        elif start < len(written) and written[start] not in LIMIT_TAKERS:
            written[start:] = ["\\mathop", "{", *written[start:], "}"]
        written.append(token)
    return written


def _lexemes(latex: str) -> Iterator[Token]:
    for match in _LEXEME.finditer(latex):
        if match.lastgroup == "space" or match.group() == "$":
            continue
        text = match.group()
        if match.lastgroup == "environment":
            text = re.sub(r"\s", "", text)
        elif text == "\\":
            raise LatexSyntax("a backslash at the end names no command", match.start())
        yield Token(text, match.start())


def _joined_styles(tokens: Sequence[Token]) -> Iterator[Token]:
    """`\\mathbb { R C }` to the labels `\\mathbb{R}` `\\mathbb{C}`; a single letter needs no braces."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.text not in STYLED:
            yield token
            continue
        letters, at = _plain_argument(tokens, at)
        if not letters:
            raise LatexSyntax(f"'{token.text}' is read only on plain letters and digits", token.position)
        for letter in letters:
            yield Token(f"{token.text}{{{letter.text}}}", letter.position)


def _plain_argument(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    if at < len(tokens) and tokens[at].text.isalnum():
        return [tokens[at]], at + 1
    letters: list[Token] = []
    if at < len(tokens) and tokens[at].text == "{":
        for end in range(at + 1, len(tokens)):
            if tokens[end].text == "}":
                return letters, end + 1
            if not (tokens[end].text.isascii() and tokens[end].text.isalnum()):
                break
            letters.append(tokens[end])
    return [], at


def _group_end(tokens: Sequence[Token], at: int) -> int:
    """Where the group that begins there ends; the same place if there is none."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end].text == "{") - (tokens[end].text == "}")
        if depth <= 0:
            return end + 1 if end > at else at
    return at


def _grouped_delimiters(tokens: Sequence[Token]) -> Iterator[Token]:
    """What stands between `\\left(` and `\\right)` is a group: `\\over` in it divides this alone."""
    stacks = list(accumulate((token.text in INFIX_STACKS for token in tokens), initial=0))
    braces: dict[int, str] = defaultdict(str)
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text == "\\left":
            opened.append(at)
        elif token.text == "\\right" and opened:
            start = opened.pop()
            if stacks[at] > stacks[start]:
                braces[start + 2] += "{"
                braces[at] = "}" + braces[at]
    for at, token in enumerate(tokens):
        yield from (Token(brace, token.position) for brace in braces[at])
        yield token


def _named_functions(tokens: Sequence[Token]) -> Iterator[Token]:
    """`\\operatorname{cosh}` is `\\cosh`; a word that names no function has no function within it either."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        yield token
        at += 1
        if token.text not in _FONTS:
            continue
        if token.text == "\\operatorname" and at < len(tokens) and tokens[at].text == "*":
            at += 1
        letters, end = _plain_argument(tokens, at)
        if not letters and token.text in _TEXTS:
            end = _group_end(tokens, at)
        word = "\\" + "".join(letter.text for letter in letters)
        if word in FUNCTIONS:
            yield Token(word, token.position)
        else:
            yield from (replace(one, of_word=one.text.isalnum()) for one in tokens[at:end])
        at = end


def _written_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    """Drop what is not written and give every symbol its canonical name."""
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.text == "." and before is not None and before.text in _DELIMITER_SIZES:
            continue
        if token.text in _SPACING or token.text in _FONTS or token.text in _DELIMITER_SIZES:
            continue
        is_delimiter = before is not None and before.text in _DELIMITER_SIZES
        angle = _ANGLES.get(token.text) if is_delimiter else None
        yield replace(token, text=angle or label_of(token.text))


def _spelled_functions(tokens: Sequence[Token]) -> Iterator[Token]:
    """`l o g` is `\\log`, with or without a backslash."""
    at = 0
    while at < len(tokens):
        word = next((name for name in SPELLED_FUNCTIONS if _is_spelled(name, tokens, at)), None)
        yield Token("\\" + word, tokens[at].position) if word else tokens[at]
        at += len(word) if word else 1


def _is_spelled(name: str, tokens: Sequence[Token], at: int) -> bool:
    letters = tokens[at : at + len(name)]
    return [token.text for token in letters] == list(name) and not any(token.of_word for token in letters)


def _explain_unknown(token: str) -> str:
    if token.startswith(FOREIGN):
        return f"'{token}' has no place in the layout tree: arrays are not read"
    return f"'{token}' is not a known symbol or command"


def _needs_space(before: str, token: str) -> bool:
    if not (before[0] == "\\" and before[1:].isalpha()):
        return False
    return token[0].isalnum() or (before in FUNCTIONS and token not in ("^", "_", "\\limits", "(", "}"))
