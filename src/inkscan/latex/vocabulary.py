"""Vocabularies: which tokens a model knows, and their numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from inkscan.errors import DamagedModel, UnknownToken
from inkscan.latex.alphabet import ALPHABET, Group

END = "<eos>"


@dataclass(frozen=True)
class Vocabulary:
    """Distinct tokens in a fixed order; the end token is the first."""

    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.tokens or self.tokens[0] != END:
            raise DamagedModel(
                f"the vocabulary is damaged or of another version: its first token is not {END}"
            )
        if len(set(self.tokens)) != len(self.tokens) or not all(self.tokens):
            raise DamagedModel(
                "the vocabulary is damaged or of another version: its tokens are not distinct, or one is empty"
            )

    @classmethod
    def learn(cls, token_sequences: Iterable[Sequence[str]]) -> Vocabulary:
        """All tokens that occur, in an order that does not depend on that of the sequences."""
        return cls((END, *sorted({token for tokens in token_sequences for token in tokens} - {END})))

    @classmethod
    def from_json(cls, text: str) -> Vocabulary:
        """What `to_json` wrote."""
        try:
            tokens = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DamagedModel(f"the vocabulary is not JSON: {error}") from error
        if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
            raise DamagedModel("a vocabulary is a JSON list of strings")
        return cls(tuple(tokens))

    def to_json(self) -> str:
        """A JSON list of the tokens."""
        return json.dumps(list(self.tokens), ensure_ascii=False)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each token."""
        return {token: number for number, token in enumerate(self.tokens)}

    @property
    def symbols(self) -> tuple[str, ...]:
        """The tokens that an answer may have: all but the end token."""
        return self.tokens[1:]

    @property
    def end(self) -> int:
        """The number of the end token."""
        return 0

    @property
    def start(self) -> int:
        """The number that stands before the first token, where there is none: one that no token has."""
        return len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self.index

    def encode(self, tokens: Sequence[str]) -> tuple[int, ...]:
        """The numbers of tokens; the end token is not added."""
        try:
            return tuple(self.index[token] for token in tokens)
        except KeyError:
            at = next(at for at, token in enumerate(tokens) if token not in self.index)
            raise UnknownToken(f"{tokens[at]!r} is not in the vocabulary", at) from None

    def decode(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """The tokens of numbers, up to the end token."""
        said = tuple(numbers)
        if self.end in said:
            said = said[: said.index(self.end)]
        if said and not (min(said) >= 0 and max(said) < len(self.tokens)):
            at = next(at for at, number in enumerate(said) if not 0 <= number < len(self.tokens))
            raise UnknownToken(f"the vocabulary has no token {said[at]}", at)
        return tuple(map(self.tokens.__getitem__, said))


def _of(*groups: Group) -> Vocabulary:
    return Vocabulary((END, *(entry.label for entry in ALPHABET.values() if entry.group in groups)))


CROHME = _of(Group.CROHME)
WIDE = _of(Group.CROHME, Group.WIDE)  # CROHME's tokens keep their numbers
