"""Other letters in the same expression: a corpus hardly ever writes some letters, above all the capitals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inkscan.latex.tree import Row, Symbol, parts, with_rows
from inkscan.synthesis.bank import SymbolBank

GREEK = frozenset(
    (
        r"\alpha", r"\beta", r"\gamma", r"\delta", r"\epsilon", r"\theta", r"\lambda", r"\mu", r"\pi", r"\sigma",
        r"\phi", r"\omega", r"\Delta",
    )
)  # fmt: skip
EVENNESS = 0.5  # the power of a letter's count by which it is drawn: 1 as often as written, 0 all alike


@dataclass(frozen=True)
class Letters:
    """The letters of a bank and how likely each is drawn."""

    labels: tuple[str, ...]
    steps: npt.NDArray[np.float64]  # running sum of probabilities

    @classmethod
    def of(cls, bank: SymbolBank) -> Letters:
        labels = tuple(label for label in bank.entries if is_letter(label))
        weights = np.array([len(bank.entries[label]) for label in labels], dtype=np.float64) ** EVENNESS
        return cls(labels, np.cumsum(weights) / weights.sum() if labels else weights)

    def renamed(self, row: Row, rng: np.random.Generator, rate: float) -> Row:
        """The row with a share of its letters replaced by drawn ones."""
        return tuple(self._renamed(symbol, rng, rate) for symbol in row)

    def _renamed(self, symbol: Symbol, rng: np.random.Generator, rate: float) -> Symbol:
        rows = {name: self.renamed(part, rng, rate) for name, part in parts(symbol)}
        symbol = with_rows(symbol, rows)
        if not self.labels or not is_letter(symbol.label) or rng.random() >= rate:
            return symbol
        return replace(symbol, label=self.labels[int(np.searchsorted(self.steps, rng.random()))])


def is_letter(label: str) -> bool:
    return (len(label) == 1 and label.isalpha()) or label in GREEK
