"""Vocabulary: the tokens that a model can write, and the end of an expression."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from inkscan.errors import LatexSyntax, UnknownToken

END = "<eos>"

CROHME_TOKENS = tuple(
    r"""
    { } ^ _ \limits \frac \sqrt
    0 1 2 3 4 5 6 7 8 9
    a b c d e f g h i j k l m n o p q r s t u v w x y z
    A B C E F G H I L M N P R S T V X Y
    \alpha \beta \gamma \theta \lambda \mu \pi \sigma \phi \Delta
    + - \pm \times \div \cdot / ! = \neq < > \leq \geq \in \rightarrow \infty \forall \exists
    ( ) [ ] \{ \} | , . ' \prime \ldots \cdots
    \sum \int \lim \sin \cos \tan \log
    """.split()
)


@dataclass(frozen=True)
class Vocabulary:
    """Tokens by number; the end token has the number after the last."""

    tokens: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {token: number for number, token in enumerate(self.tokens)}
        if len(index) != len(self.tokens) or END in index:
            raise LatexSyntax(f"a vocabulary's tokens must be distinct, and none of them {END}")
        object.__setattr__(self, "index", index)

    @classmethod
    def crohme(cls) -> Vocabulary:
        """The 110 tokens of CROHME's training set, as the field uses them."""
        return cls(CROHME_TOKENS)

    @classmethod
    def learn(cls, expressions: Iterable[Sequence[str]]) -> Vocabulary:
        """Every token that occurs, in order of its text."""
        return cls(tuple(sorted({token for tokens in expressions for token in tokens})))

    @property
    def end(self) -> int:
        return len(self.tokens)

    def __len__(self) -> int:
        """The number of classes, the end token among them."""
        return len(self.tokens) + 1

    def __contains__(self, token: object) -> bool:
        return token in self.index

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """Numbers of the tokens, the end token last."""
        try:
            return [self.index[token] for token in tokens] + [self.end]
        except KeyError as error:
            token = error.args[0]
            raise UnknownToken(f"{token} is not in the vocabulary", list(tokens).index(token)) from None

    def decode(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Tokens up to the first end token."""
        tokens = []
        for number in numbers:
            if number == self.end:
                break
            tokens.append(self.tokens[number])
        return tuple(tokens)

    def to_json(self) -> list[str]:
        return list(self.tokens)

    @classmethod
    def from_json(cls, tokens: Sequence[str]) -> Vocabulary:
        return cls(tuple(tokens))
