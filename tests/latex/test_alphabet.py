"""Every row of the alphabet is known to everything that reads or writes formulas."""

from __future__ import annotations

import pytest

from inkscan.latex.alphabet import ALPHABET, ARGUMENT, Entry, Group, SymbolKind
from inkscan.latex.grammar import Grammar
from inkscan.latex.mathml import label_from_name, read_mathml
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symbols import ALIASES, is_known, label_of, shown
from inkscan.latex.tokens import canonical_tokens, latex_from_tokens
from inkscan.latex.tree import ACCENTS, STACKS, to_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.latex.vocabulary import CROHME, WIDE, Vocabulary

WRITTEN = [entry for entry in ALPHABET.values() if entry.kind != SymbolKind.STRUCTURE]
EVERYTHING = Vocabulary(("<eos>", *ALPHABET))
PRIMES = ("'",)  # a prime is written as \prime


def expression(entry: Entry) -> tuple[str, ...]:
    """Canonical tokens in which the symbol stands between others, has a script, and is one."""
    tokens: list[str] = ["a"]
    if entry.label in STACKS:
        tokens += [entry.label, "{", "n", "}", "{", "k", "}"]
    elif entry.label in ACCENTS or entry.kind == SymbolKind.ROOT:
        tokens += [entry.label, "{", "x", "}"]
    else:
        tokens += [entry.label, "_", "{", "b", "}", "c", "^", "{", entry.label, "}"]
    return (*tokens, "d")


@pytest.fixture(params=WRITTEN, ids=lambda entry: entry.label)
def entry(request: pytest.FixtureRequest) -> Entry:
    return request.param  # type: ignore[no-any-return]


def test_it_is_latex(entry: Entry) -> None:
    if entry.label in PRIMES:
        assert canonical_tokens("f'") == ("f", "^", "{", "\\prime", "}")
        return
    tokens = expression(entry)
    assert canonical_tokens(" ".join(tokens)) == tokens
    assert canonical_tokens(latex_from_tokens(tokens)) == tokens


def test_the_grammar_lets_it_stand(entry: Entry) -> None:
    if entry.label in PRIMES:
        return
    grammar = Grammar(EVERYTHING)
    assert grammar.follow((*EVERYTHING.encode(expression(entry)), EVERYTHING.end)).done


def test_mathml_says_it_and_is_read_back(entry: Entry) -> None:
    if entry.label in PRIMES or entry.kind == SymbolKind.BOX:  # a box is only drawn around
        return
    tokens = expression(entry)
    assert to_tokens(read_mathml(to_mathml(parse_tokens(tokens)))) == tokens


def test_a_trace_group_may_name_it(entry: Entry) -> None:
    if entry.kind not in (
        SymbolKind.ACCENT,
        SymbolKind.OVER,
        SymbolKind.UNDER,
        SymbolKind.BOX,
        SymbolKind.STACK,
        SymbolKind.ROOT,
    ):
        expected = "\\prime" if entry.label in PRIMES else entry.label
        assert label_from_name(entry.label) == expected
        assert label_of(entry.label) == entry.label


def test_other_spellings_mean_the_symbol(entry: Entry) -> None:
    for spelling in entry.also:
        assert spelling not in ALPHABET
        assert ALIASES[spelling] == label_of(spelling) == entry.label


def test_it_is_shown_to_people(entry: Entry) -> None:
    assert shown(entry.label) == entry.character
    assert entry.asciimath and entry.typst
    for written in (entry.asciimath, entry.typst):
        assert written.count(ARGUMENT) == 1 or entry.label not in ACCENTS
    assert "\\" not in shown(entry.label) or entry.label == "\\backslash"


def test_what_looks_the_same_in_mathml_is_called_the_same(entry: Entry) -> None:
    for other in WRITTEN:
        if other.character == entry.character and (other.label in ACCENTS) == (entry.label in ACCENTS):
            assert (other.asciimath, other.typst) == (entry.asciimath, entry.typst)


def test_look_alikes_are_symbols_and_look_alike_both_ways(entry: Entry) -> None:
    assert len(set(entry.looks_like)) == len(entry.looks_like)
    for other in entry.looks_like:
        assert other != entry.label
        assert entry.label in ALPHABET[other].looks_like


def test_symbols_are_known_and_structure_is_not() -> None:
    for entry in ALPHABET.values():
        composed = (
            entry.kind in (SymbolKind.STRUCTURE, SymbolKind.STACK, SymbolKind.ROOT) or entry.label in ACCENTS
        )
        assert is_known(entry.label) != composed


def test_the_wide_vocabulary_begins_as_crohmes() -> None:
    assert WIDE.tokens[: len(CROHME)] == CROHME.tokens
    added = set(WIDE.tokens) - set(CROHME.tokens)
    assert added == {entry.label for entry in ALPHABET.values() if entry.group == Group.WIDE}
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    assert all(letter in WIDE for letter in letters)
