"""Vocabularies."""

from __future__ import annotations

import hashlib

import pytest

from inkscan.errors import DamagedModel, UnknownToken
from inkscan.latex.vocabulary import CROHME, END, Vocabulary


def test_crohme_is_the_reference_vocabulary(reference_tokens: dict[str, tuple[str, ...]]) -> None:
    assert len(CROHME) == 111
    assert set(CROHME.tokens) == {END} | {token for tokens in reference_tokens.values() for token in tokens}
    assert CROHME.tokens[CROHME.end] == END
    assert CROHME.start == 111  # which `step.onnx` embeds as zeros
    assert (len(CROHME.symbols), END in CROHME.symbols) == (110, False)


def test_encode_and_decode() -> None:
    numbers = CROHME.encode(["\\frac", "{", "a", "}", "{", "b", "}"])
    assert CROHME.decode((*numbers, CROHME.end, 5)) == ("\\frac", "{", "a", "}", "{", "b", "}")
    with pytest.raises(UnknownToken) as caught:
        CROHME.encode(["x", "\\foo"])
    assert caught.value.position == 1
    with pytest.raises(UnknownToken):
        CROHME.decode([111])
    with pytest.raises(UnknownToken):
        CROHME.decode([-1])


def test_learn_and_json() -> None:
    vocabulary = Vocabulary.learn([["b", "a"], ["a", "\\foo"]])
    assert vocabulary.tokens == (END, "\\foo", "a", "b")
    assert Vocabulary.learn([["\\foo", "a"], ["b"]]) == vocabulary
    assert Vocabulary.from_json(vocabulary.to_json()) == vocabulary
    assert "a" in vocabulary
    assert "c" not in vocabulary


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null"])
def test_damaged_json(text: str) -> None:
    with pytest.raises(DamagedModel):
        Vocabulary.from_json(text)


def test_what_is_no_vocabulary() -> None:
    for tokens in ((), ("a",), (END, "a", "a"), (END, "")):
        with pytest.raises(DamagedModel):
            Vocabulary(tokens)


def test_crohmes_tokens_keep_the_numbers_by_which_models_know_them() -> None:
    digest = hashlib.sha256("\n".join(CROHME.tokens).encode()).hexdigest()
    assert digest.startswith("6c965a9823c13711")
