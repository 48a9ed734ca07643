"""Presentation MathML to the layout tree, as CROHME writes it (`xml:id` on the leaves) and as others do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from inkscan.errors import LatexTooDeep, MathmlSyntax
from inkscan.latex.alphabet import SymbolKind, characters
from inkscan.latex.symbols import ACCENT_MARKS, ALIASES, CHARACTERS, FUNCTIONS, is_known, label_of, shown
from inkscan.latex.tree import ACCENTS, MAX_DEPTH, STACKS, Row, Symbol, parts, walk, with_rows

MAX_LENGTH = 500_000  # characters of a MathML document; what the longest LaTeX becomes
MAX_WRITTEN = 50_000  # characters of its leaves, each a symbol at most; InkML may hold MathML of any length

_ID = "{http://www.w3.org/XML/1998/namespace}id"
_GROUPS = frozenset({"math", "mrow", "mstyle", "mpadded", "merror"})
_LEAVES = frozenset({"mi", "mo", "mn", "mtext", "ms"})
_IGNORED = frozenset(
    {"mspace", "mphantom", "annotation", "annotation-xml", "maligngroup", "malignmark", "none"}
)
_INVISIBLE = "\u2061\u2062\u2063\u2064\u200b\u00a0\u2009"
# Names that CROHME's files use for a symbol without a backslash, or in the spelling of HTML entities.
_NAMES = {
    character: label for label, character in CHARACTERS.items() if character.isascii() and character != label
} | {
    "'": "\\prime",
    "′": "\\prime",
    "ctdot": "\\cdots",
    "hellip": "\\ldots",
    "infin": "\\infty",
    "rarr": "\\rightarrow",
    "le": "\\leq",
    "ge": "\\geq",
    "ne": "\\neq",
    "exist": "\\exists",
    "im": "\\lim",
    "...": "\\ldots",
    "·": "\\cdot",
}
_FUNCTION_NAMES = {shown(label): label for label in FUNCTIONS}


def _by_mark(marks: dict[str, str]) -> dict[str, str]:
    """The first accent that has each mark."""
    return {mark: label for label, mark in reversed(marks.items())}


# An accent by its mark and by what the mark's `stretchy` says: some have one that stretches and one that does not.
_ACCENTS = {
    "": _by_mark(ACCENT_MARKS) | {"ˆ": "\\hat", "¯": "\\overline", "~": "\\tilde"},
    "true": _by_mark(characters(SymbolKind.OVER, SymbolKind.UNDER)),
    "false": _by_mark(characters(SymbolKind.ACCENT)),
}
_SLOTS = {
    "msub": ("sub",),
    "msup": ("sup",),
    "msubsup": ("sub", "sup"),
    "munder": ("below",),
    "mover": ("above",),
    "munderover": ("below", "above"),
}
_ENCLOSURES = {"box": "\\boxed", "radical": "\\sqrt"}
_STRUCTURAL = frozenset("{}^_&~")
_VARIANTS = {"double-struck": "\\mathbb", "script": "\\mathcal", "fraktur": "\\mathfrak"}
_NO_STROKES: Mapping[str, tuple[int, ...]] = {}


def read_mathml(text: str) -> Row:
    """The layout tree of a MathML document, whose symbols LaTeX can say."""
    if len(text) > MAX_LENGTH:
        raise MathmlSyntax(f"{len(text)} characters; at most {MAX_LENGTH} are read")
    try:
        row = row_from_mathml(fromstring(text))
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise MathmlSyntax(f"not well-formed XML: {error}") from error
    for symbol in walk(row):
        if symbol.label in _STRUCTURAL or (symbol.label.startswith("\\") and not _is_read(symbol.label)):
            raise MathmlSyntax(f"{symbol.label[:40]!r} is no symbol")
    return row


def row_from_mathml(math: Element, strokes_by_id: Mapping[str, tuple[int, ...]] = _NO_STROKES) -> Row:
    """The layout tree of a `math` element; the strokes of each symbol are those its `xml:id` names."""
    return _Reader(strokes_by_id).row([math], 0)


class _Reader:
    def __init__(self, strokes_by_id: Mapping[str, tuple[int, ...]]) -> None:
        self.strokes_by_id = strokes_by_id
        self.written = 0  # characters of the leaves so far

    def row(self, elements: list[Element], level: int) -> Row:
        if level > MAX_DEPTH:
            raise LatexTooDeep(f"more than {MAX_DEPTH} MathML elements within one another")
        row: list[Symbol] = []
        bracketed = -1  # where a binomial stands that has got its brackets
        for element in _ungrouped(elements):
            row.extend(self._symbols(element, level))
            if row[-3:-2] and _is_binomial(row[-3:]) and bracketed != len(row) - 2:
                bracketed = len(row) - 3
                opening, stack, closing = row[-3:]
                strokes = (*opening.strokes, *stack.strokes, *closing.strokes)
                row[-3:] = [replace(stack, strokes=strokes)]
        return tuple(row)

    def _strokes(self, element: Element) -> tuple[int, ...]:
        name = element.get(_ID) or element.get("id") or ""
        return tuple(self.strokes_by_id.get(name, ()))

    def _symbols(self, element: Element, level: int) -> Row:
        tag, children = _tag(element), list(element)
        if tag in _LEAVES:
            return self._leaf(element)
        if tag == "mfrac":
            above, below = self._arguments(element, 2, level)
            label = "\\binom" if element.get("linethickness") in ("0", "0pt", "0px") else "\\frac"
            return (Symbol(label, self._strokes(element), above=above, below=below),)
        if tag == "msqrt":
            inside = self.row(children, level + 1)
            return (Symbol("\\sqrt", self._strokes(element), inside=_filled(inside, tag)),)
        if tag == "mroot":
            inside, index = self._arguments(element, 2, level)
            return (Symbol("\\sqrt", self._strokes(element), above=index, inside=inside),)
        if tag in _SLOTS:
            return self._scripted(element, level)
        if tag == "mfenced":
            return self._fenced(element, level)
        if tag == "maction":
            return self._chosen(element, level)
        if tag == "menclose":
            inside = self.row(children, level + 1)
            around = _ENCLOSURES.get(element.get("notation", "").strip())
            return (
                (Symbol(around, self._strokes(element), inside=_filled(inside, tag)),) if around else inside
            )
        raise MathmlSyntax(f"<{tag}> has no place in the layout tree")

    def _arguments(self, element: Element, count: int, level: int) -> tuple[Row, ...]:
        children, tag = list(element), _tag(element)
        if len(children) != count:
            raise MathmlSyntax(f"<{tag}> needs {count} children and has {len(children)}")
        return tuple(_filled(self.row([child], level + 1), tag) for child in children)

    def _scripted(self, element: Element, level: int) -> Row:
        tag = _tag(element)
        slots = _SLOTS[tag]
        if len(element) == 1:  # CROHME leaves out a script that was not written
            return self._arguments(element, 1, level)[0]
        base, *scripts = self._arguments(element, 1 + len(slots), level)
        if tag in ("mover", "munder") and len(scripts[0]) == 1:
            mark = "".join(element[1].itertext()).strip()
            stretchy = element[1].get("stretchy", "")
            accent = _ACCENTS.get(stretchy, {}).get(mark) or _ACCENTS[""].get(mark)
            if accent and ("true" in (element.get("accent"), element.get("accentunder")) or len(base) > 1):
                return (Symbol(accent, scripts[0][0].strokes, inside=base),)
        if element[0].get("movablelimits") == "true":  # in LaTeX these are scripts, wherever they are drawn
            slots = tuple({"below": "sub", "above": "sup"}.get(slot, slot) for slot in slots)
        last = base[-1]
        for slot, script in zip(slots, scripts, strict=True):
            last = _attached(last, slot, script)
        return (*base[:-1], last)

    def _fenced(self, element: Element, level: int) -> Row:
        opening, closing = element.get("open", "("), element.get("close", ")")
        separators = element.get("separators", ",").replace(" ", "")
        row: list[Symbol] = [Symbol(label_from_name(opening))] if opening else []
        for index, child in enumerate(element):
            if index and separators:
                row.append(Symbol(label_from_name(separators[min(index, len(separators)) - 1])))
            row.extend(self.row([child], level + 1))
        return (*row, Symbol(label_from_name(closing))) if closing else tuple(row)

    def _chosen(self, element: Element, level: int) -> Row:
        """The child of an `maction` that is shown."""
        number = element.get("selection", "1").strip()
        place = int(number) - 1 if number.isascii() and number.isdigit() else 0
        return self.row(list(element)[place : place + 1] if place >= 0 else [], level + 1)

    def _leaf(self, element: Element) -> Row:
        text = "".join(element.itertext()).strip().strip(_INVISIBLE)
        if not text:
            return ()
        self.written += len(text)
        if self.written > MAX_WRITTEN:
            raise MathmlSyntax(f"more than {MAX_WRITTEN} characters are written")
        strokes = self._strokes(element)
        if _tag(element) != "mtext":  # `in` as a text is a word
            label = _styled(label_from_name(text), element.get("mathvariant", ""))
            if len(label) == 1 or label.startswith("\\"):
                return (Symbol(label, strokes),)
        return tuple(
            Symbol(label_from_name(character), strokes) for character in text if not character.isspace()
        )


def _is_read(label: str) -> bool:
    return label in STACKS or label in ACCENTS or label == "\\sqrt" or is_known(label)


def _styled(label: str, variant: str) -> str:
    """A letter in the style that an attribute names, as LaTeX has it; the label itself where there is none."""
    styled = f"{_VARIANTS.get(variant)}{{{label}}}"
    return styled if styled in CHARACTERS else label


def _is_binomial(symbols: list[Symbol]) -> bool:
    """Whether these are the brackets of a binomial coefficient and what they hold; MathML has no element for it."""
    opening, stack, closing = symbols
    plain = not any(parts(opening)) and not any(parts(closing)) and not (stack.sub or stack.sup)
    return plain and (opening.label, stack.label, closing.label) == ("(", "\\binom", ")")


def _ungrouped(elements: list[Element]) -> Iterator[Element]:
    """The elements with all plain groups opened; without recursion, for CROHME nests one group a symbol."""
    stack = list(reversed(elements))
    while stack:
        element = stack.pop()
        tag = _tag(element)
        if tag in _GROUPS:
            stack.extend(reversed(element))
        elif tag == "semantics":
            stack.extend(list(element)[:1])
        elif tag not in _IGNORED:
            yield element


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "annotation"


def _attached(symbol: Symbol, slot: str, script: Row) -> Symbol:
    """The symbol with one more script; where it has one already, the new one belongs to that one's end."""
    if symbol.label in STACKS or symbol.label == "\\sqrt" or symbol.sub or symbol.sup:
        slot = {"below": "sub", "above": "sup"}.get(slot, slot)
    elif symbol.has_limits:
        slot = {"sub": "below", "sup": "above"}.get(slot, slot)
    present: Row = getattr(symbol, slot)
    if present:
        script = (*present[:-1], _attached(present[-1], slot, script))
    return with_rows(symbol, dict(parts(symbol)) | {slot: script})


def _filled(row: Row, tag: str) -> Row:
    if not row:
        raise MathmlSyntax(f"<{tag}> has an empty argument")
    return row


def label_from_name(text: str) -> str:
    """The canonical label of a MathML leaf or of a trace group."""
    if text in _NAMES:
        return _NAMES[text]
    if text in _FUNCTION_NAMES:
        return _FUNCTION_NAMES[text]
    named = "\\" + text
    if len(text) > 1 and (named in CHARACTERS or (named in ALIASES and len(text) > 2)):  # `to` is a word
        return label_of(named)
    return label_of(text)
