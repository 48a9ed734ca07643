"""AsciiMath, JIIX and the candidates know every symbol of the wide vocabulary; the page's table is the alphabet."""

from __future__ import annotations

import json

import numpy as np
import pytest

from inkscan.ink import Ink, Stroke
from inkscan.latex.alphabet import ALPHABET, Entry, SymbolKind
from inkscan.latex.parser import parse_tokens
from inkscan.latex.tree import ACCENTS, STACKS, STRUCTURE
from inkscan.latex.vocabulary import WIDE
from inkscan.web.alphabet_script import SCRIPT, alphabet_script
from inkscan.web.asciimath import to_asciimath
from inkscan.web.candidates import Candidates
from inkscan.web.jiix import Scale, to_jiix

from . import fake

ENTRIES = [
    ALPHABET[label] for label in WIDE.symbols if label not in {*STRUCTURE, "'"}
]  # `'` is read as \prime
VOCABULARY = frozenset(WIDE.symbols)


@pytest.fixture(params=ENTRIES, ids=lambda entry: entry.label)
def entry(request: pytest.FixtureRequest) -> Entry:
    return request.param  # type: ignore[no-any-return]


def expression(entry: Entry) -> str:
    if entry.label in STACKS:
        return f"a {entry.label} {{ b }} {{ c }}"
    if entry.label in ACCENTS or entry.kind == SymbolKind.ROOT:
        return f"a {entry.label} {{ b }}"
    return f"a {entry.label} b"


def test_asciimath_has_its_name(entry: Entry) -> None:
    text = to_asciimath(parse_tokens(expression(entry).split()))
    if entry.label in ACCENTS:
        assert text == f"a {entry.asciimath.replace('%', 'b')}"
    elif entry.kind not in (SymbolKind.STACK, SymbolKind.ROOT):
        assert text == f"a {entry.asciimath} b"


def test_asciimath_names_are_all_different() -> None:
    names = [entry.asciimath for entry in ENTRIES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("label", sorted(ACCENTS))
def test_asciimath_has_words_of_its_own_for_a_mark(label: str) -> None:
    text = to_asciimath(parse_tokens([label, "{", "b", "}"]))
    assert text == ALPHABET[label].asciimath.replace("%", "b")
    word = text.partition("(")[0].partition(" ")[0]
    assert word in {"hat", "bar", "ul", "vec", "tilde", "dot", "ddot", "obrace", "ubrace", "overset", "{:"}


def test_jiix_and_the_candidates_know_it(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    text = expression(entry)
    written = [token for token in text.split() if token not in STRUCTURE]
    monkeypatch.setitem(fake.ANSWERS, len(written), (text, (1,) * len(written)))
    strokes = (Stroke(np.array([[x, 0.0], [x + 1.0, 1.0]])) for x in range(len(written)))
    answer = fake.answer(Ink(tuple(strokes)))
    document = json.dumps(to_jiix(answer, Scale(1, 1), VOCABULARY), ensure_ascii=False)
    assert json.dumps(entry.character, ensure_ascii=False) in document
    found = [candidate.token for candidate in Candidates(answer, VOCABULARY).of(1)]
    alike = [label for label in entry.looks_like if label in WIDE]
    assert found == alike[:6] or entry.label in ACCENTS | STACKS | {r"\sqrt"} | set(fake.RIVALS)


def test_the_pages_table_is_the_alphabet() -> None:
    again = "python -m inkscan.web.alphabet_script writes it anew"
    assert SCRIPT.read_text("utf-8") == alphabet_script(), again
