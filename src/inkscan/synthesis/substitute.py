"""Other symbols in the same expression: a corpus hardly ever writes some letters and signs, above all the capitals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from inkscan.latex.alphabet import ALPHABET, SymbolKind, labels
from inkscan.latex.symbols import SIGNS
from inkscan.latex.tree import Row, Symbol, parts, with_rows
from inkscan.synthesis.bank import SAME_SHAPE, SymbolBank

EVENNESS = 0.5  # the power of a label's count by which it is drawn: 1 as often as written, 0 all alike
RARE = 200  # what is written less often is drawn as if it were written so often
BEFORE_SIGNS = labels(
    SymbolKind.OPERATOR, SymbolKind.RELATION, SymbolKind.OPENING, SymbolKind.PUNCTUATION
)  # behind which a sign stands as before everything
DIGIT_LIKE = frozenset("oOlI")  # beside a digit they would be taken for one
LETTERS = "letters"
# Kinds that stand for one another, and how readily, against letters.
CLASSES: dict[str, tuple[float, frozenset[SymbolKind]]] = {
    LETTERS: (1.0, frozenset((SymbolKind.LETTER, SymbolKind.GREEK))),
    "ordinary": (0.3, frozenset((SymbolKind.ORDINARY,))),
    "operators": (0.3, frozenset((SymbolKind.OPERATOR,))),
    "relations": (0.3, frozenset((SymbolKind.RELATION,))),
    "large": (0.3, frozenset((SymbolKind.LARGE,))),
    "integrals": (0.3, frozenset((SymbolKind.INTEGRAL,))),
    "functions": (0.5, frozenset((SymbolKind.FUNCTION,))),
    "limits": (0.5, frozenset((SymbolKind.LIMIT,))),
}
# How readily a dot comes down to the line. In CROHME every point stands between digits, so that a network would learn
# to look at these and not at the point's height.
LOWERED = 0.5
_CLASS_OF = {
    entry.label: name
    for entry in ALPHABET.values()
    for name, (_, kinds) in CLASSES.items()
    if entry.kind in kinds
}


@dataclass(frozen=True)
class Choice:
    """Labels of one class and how likely each is drawn."""

    labels: tuple[str, ...]
    steps: npt.NDArray[np.float64]  # running sum of probabilities

    def draw(self, rng: np.random.Generator) -> str:
        return self.labels[int(np.searchsorted(self.steps, rng.random(), side="right"))]


@dataclass(frozen=True)
class Substitutes:
    """The labels of a bank, in classes within which one may stand for another."""

    choices: Mapping[str, Choice]
    low: Mapping[str, str] = field(default_factory=dict)  # raised dots -> those on the line

    @classmethod
    def of(cls, bank: SymbolBank, counts: Mapping[str, int]) -> Substitutes:
        """The labels of a bank, by how often expressions have them: the size of a collection tells nothing."""
        choices = {}
        for name in CLASSES:
            labels = tuple(label for label in bank.entries if _CLASS_OF.get(label) == name)
            if labels:
                weights = np.array([max(counts.get(label, 0), RARE) for label in labels], dtype=np.float64)
                steps = np.cumsum(weights**EVENNESS)
                choices[name] = Choice(labels, steps / steps[-1])
        return cls(choices, {raised: low for low, raised in SAME_SHAPE if low in bank.entries})

    def exchanged(self, row: Row, rng: np.random.Generator, rate: float) -> Row:
        """The row with a share of its letters, and less of its signs, replaced by drawn ones of their class.

        A letter becomes the same one wherever it stands, as in a formula that somebody wrote; signs need not.
        """
        return self._row(row, rng, rate, {})

    def _row(self, row: Row, rng: np.random.Generator, rate: float, letters: dict[str, str]) -> Row:
        others = [self._symbol(symbol, rng, rate, letters) for symbol in row]
        return tuple(
            replace(other, label=row[at].label) if _is_mistakable(row, at, other.label) else other
            for at, other in enumerate(others)
        )

    def _symbol(
        self, symbol: Symbol, rng: np.random.Generator, rate: float, letters: dict[str, str]
    ) -> Symbol:
        rows = {name: self._row(part, rng, rate, letters) for name, part in parts(symbol)}
        label = letters.get(symbol.label) or self._drawn(symbol.label, rng, rate)
        if is_letter(symbol.label):
            letters[symbol.label] = label
        return replace(with_rows(symbol, rows), label=label)

    def _drawn(self, label: str, rng: np.random.Generator, rate: float) -> str:
        if label in self.low and rng.random() < rate * LOWERED:
            return self.low[label]
        name = _CLASS_OF.get(label, "")
        if name not in self.choices or rng.random() >= rate * CLASSES[name][0]:
            return label
        return self.choices[name].draw(rng)


def _is_mistakable(row: Row, at: int, label: str) -> bool:
    """Whether another label in this place would be read as something else, or be no mathematics: 16O, = \\times 2."""
    beside = [row[place].label for place in (at - 1, at + 1) if 0 <= place < len(row)]
    if label in DIGIT_LIKE:
        return any(one.isdigit() for one in beside)
    is_sign = row[at].label in SIGNS and (at == 0 or row[at - 1].label in BEFORE_SIGNS)
    return is_sign and label not in SIGNS


def is_letter(label: str) -> bool:
    """Whether a label is a letter or stands for something as a letter does."""
    return _CLASS_OF.get(label) == LETTERS
