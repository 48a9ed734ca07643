"""The truth of an ink file: its LaTeX for the tokens, its MathML and trace groups for the strokes.

The LaTeX annotation is the one to trust: the field's own tokens follow it, and MathML has slips (roots with
index and radicand swapped, scripts of scripts flattened, `.` for a centred dot). MathML knows the strokes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from xml.etree.ElementTree import Element

from inkscan.errors import LatexError
from inkscan.latex.mathml import label_from_name, row_from_mathml
from inkscan.latex.tokens import parse_latex
from inkscan.latex.tree import AlignedTokens, Row, Symbol, parts, to_aligned_tokens, walk, with_rows

MAX_MATCHED = 300  # symbols compared in order, at a cost of the third power; CROHME 2014 has up to 95
# Labels that name the same ink: what files write in MathML, and what LaTeX says.
_SAME_INK = {
    "\\cdot": ".",
    "\\cdots": "\\ldots",
    "\\frac": "-",
    "\\times": "x",
    "\\prime": "'",
    "|": "1",
}
_SPELLINGS = {
    "...": "\\ldots",
    "Sin": "\\sin",
    "tg": "\\tan",
    "sin": "\\sin",
    "cos": "\\cos",
    "tan": "\\tan",
    "log": "\\log",
    "lim": "\\lim",
}


@dataclass(frozen=True)
class WrittenSymbol:
    """A trace group: a symbol's label, its strokes, and the `xml:id` by which MathML names it."""

    label: str
    strokes: tuple[int, ...]
    id: str = ""


def aligned_truth(
    latex: str | None, math: Element | None, written: Sequence[WrittenSymbol], stroke_count: int
) -> AlignedTokens:
    """Canonical tokens and the strokes of each; a symbol whose strokes the file does not say has none.

    MathML replaces the LaTeX where that cannot be read, where that has an exponent of a group with primes (`{y'}^{2}`
    does not say on which of the two it stands), and where the LaTeX has symbols that no stroke writes though MathML
    accounts for all strokes of the ink.
    """
    marked, failure = _marked_row(math, written)
    try:
        row = parse_latex(latex or "", primed_groups=marked is None)
    except LatexError as error:
        if marked is None:
            raise failure or error from None
        return to_aligned_tokens(marked)
    filled = with_strokes(row, _row_with_strokes(marked, written))
    if marked and not all(symbol.strokes for symbol in walk(filled)) and _covers(marked, stroke_count):
        return to_aligned_tokens(marked if "\\limits" in (latex or "") else _limits_as_scripts(marked))
    return to_aligned_tokens(filled)


def aligned_label(latex: str, math: Element | None, written: Sequence[WrittenSymbol]) -> AlignedTokens:
    """Canonical tokens of a label that was given apart from the file, which may be of another truth.

    Its tokens stand as they are; they get strokes only if the file's symbols are those of the label.
    """
    row = parse_latex(latex)
    marked = _row_with_strokes(_marked_row(math, written)[0], written)
    agree = sorted(map(_ink, walk(row))) == sorted(map(_ink, _joined_spellings(row, marked)))
    return to_aligned_tokens(with_strokes(row, marked) if agree else row)


def with_strokes(row: Row, marked: Row) -> Row:
    """The same tree with the strokes of another tree of the same ink."""
    for candidate in (marked, _roots_swapped(marked)):
        ours, theirs = list(walk(row)), list(_joined_spellings(row, candidate))
        if [_ink(symbol) for symbol in ours] == [_ink(symbol) for symbol in theirs]:
            return _refilled(row, iter([symbol.strokes for symbol in theirs]))
    theirs = list(_joined_spellings(row, marked))
    return _refilled(row, iter(_matched_strokes(ours, theirs)))


def _marked_row(
    math: Element | None, written: Sequence[WrittenSymbol]
) -> tuple[Row | None, LatexError | None]:
    if math is None:
        return None, None
    try:
        return row_from_mathml(math, {one.id: one.strokes for one in written if one.id}), None
    except LatexError as error:
        return None, error


def _row_with_strokes(marked: Row | None, written: Sequence[WrittenSymbol]) -> Row:
    """MathML's tree, or where that names no strokes, the symbols in the order of their trace groups."""
    named = marked is not None and any(symbol.strokes for symbol in walk(marked))
    return marked if marked is not None and named else _unordered_row(written)


def _unordered_row(written: Sequence[WrittenSymbol]) -> Row:
    return tuple(Symbol(label_from_name(one.label), one.strokes) for one in written)


def _covers(row: Row, stroke_count: int) -> bool:
    symbols = list(walk(row))
    covered = {stroke for symbol in symbols for stroke in symbol.strokes}
    return all(symbol.strokes for symbol in symbols) and len(covered) == stroke_count


def _limits_as_scripts(row: Row) -> Row:
    moved: list[Symbol] = []
    for symbol in row:
        rows = {place: _limits_as_scripts(part) for place, part in parts(symbol)}
        if symbol.has_limits:
            rows = {"sub": rows.get("below", ()), "sup": rows.get("above", ())}
        moved.append(with_rows(symbol, rows))
    return tuple(moved)


def _ink(symbol: Symbol) -> str:
    return _SAME_INK.get(symbol.label, symbol.label)


def _joined_spellings(row: Row, marked: Row) -> Iterator[Symbol]:
    """The symbols of `marked`; `t g` or `. . .` become one where `row` has a symbol for the whole."""
    wanted = {_ink(symbol) for symbol in walk(row)}
    symbols = list(walk(marked))
    at = 0
    while at < len(symbols):
        for spelling, label in _SPELLINGS.items():
            several = symbols[at : at + len(spelling)]
            if label in wanted and spelling == "".join(symbol.label for symbol in several):
                yield Symbol(label, tuple(stroke for symbol in several for stroke in symbol.strokes))
                at += len(spelling)
                break
        else:
            yield symbols[at]
            at += 1


def _matched_strokes(ours: Sequence[Symbol], theirs: Sequence[Symbol]) -> list[tuple[int, ...]]:
    """Strokes for our symbols: first equal runs, then equal labels, then the rest if as many are left."""
    strokes: list[tuple[int, ...]] = [()] * len(ours)
    if max(len(ours), len(theirs)) > MAX_MATCHED:
        return strokes
    unused: list[int] = []
    missing: list[int] = []
    matcher = SequenceMatcher(
        None, [_ink(one) for one in ours], [_ink(one) for one in theirs], autojunk=False
    )
    for kind, ours_from, ours_to, theirs_from, theirs_to in matcher.get_opcodes():
        if kind == "equal":
            for mine, other in zip(range(ours_from, ours_to), range(theirs_from, theirs_to), strict=True):
                strokes[mine] = theirs[other].strokes
        else:
            missing.extend(range(ours_from, ours_to))
            unused.extend(range(theirs_from, theirs_to))
    for same in (True, False):
        for mine in list(missing):
            partner = next((i for i in unused if not same or _ink(theirs[i]) == _ink(ours[mine])), None)
            if partner is not None and (same or len(missing) == len(unused)):
                strokes[mine] = theirs[partner].strokes
                missing.remove(mine)
                unused.remove(partner)
    return strokes


def _refilled(row: Row, strokes: Iterator[tuple[int, ...]]) -> Row:
    """The row with new strokes, given in the order of `walk`."""
    refilled: list[Symbol] = []
    for symbol in row:
        mine = next(strokes)
        rows = {place: _refilled(part, strokes) for place, part in parts(symbol)}
        refilled.append(with_rows(symbol, rows, strokes=mine))
    return tuple(refilled)


def _roots_swapped(row: Row) -> Row:
    """The row with index and radicand of every root exchanged."""
    swapped: list[Symbol] = []
    for symbol in row:
        rows = {place: _roots_swapped(part) for place, part in parts(symbol)}
        if symbol.label == "\\sqrt" and symbol.above:
            rows["above"], rows["inside"] = rows["inside"], rows["above"]
        swapped.append(with_rows(symbol, rows))
    return tuple(swapped)
