"""Constraint: which tokens may follow each hypothesis, by the grammar and by what a call allows."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from inkscan.errors import BadRequest, NothingAllowed
from inkscan.latex.grammar import DEAREST, Grammar, Kind, State
from inkscan.latex.tree import STRUCTURE
from inkscan.latex.vocabulary import END, Vocabulary

Bool = npt.NDArray[np.bool_]
Float64 = npt.NDArray[np.float64]

_MAX_CACHED = 100_000


class Constraint:
    """The grammar over a vocabulary with some symbols left out; remembers what it worked out."""

    def __init__(
        self, vocabulary: Vocabulary, allow: Sequence[str] | None = None, forbid: Sequence[str] = ()
    ) -> None:
        self._grammar = Grammar(vocabulary)
        self._permitted = _permitted(self._grammar, allow, forbid)
        self._closes_index = np.array([kind is Kind.BRACKET_CLOSE for kind in self._grammar.kinds])
        self._matrix: Float64 = np.zeros((0, len(vocabulary)))
        self._rows: dict[tuple[State, int], int] = {}
        self._next: dict[tuple[State, Kind], State] = {}
        self._lock = Lock()

    @property
    def start(self) -> State:
        return self._grammar.start

    def penalties(self, states: Sequence[State], budgets: Sequence[int]) -> Float64:
        """A row a state: 0 where a token may follow so that the rest fits into the budget, else -inf."""
        rows = [self._row(state, budget) for state, budget in zip(states, budgets, strict=True)]
        return self._matrix.take(rows, axis=0)

    def advance(self, state: State, token: int) -> State:
        """The state after one more token."""
        key = state, self._grammar.kinds[token]
        found = self._next.get(key)
        if found is None:
            if len(self._next) > _MAX_CACHED:
                self._next.clear()
            found = self._next[key] = self._grammar.advance(state, token)
        return found

    def _row(self, state: State, budget: int) -> int:
        key = state, min(budget - state.min_tokens_to_finish, DEAREST)
        row = self._rows.get(key)
        return self._new_row(key, budget) if row is None else row

    def _new_row(self, key: tuple[State, int], budget: int) -> int:
        state_class = self._grammar.state_class(key[0], budget)
        mask = np.frombuffer(self._grammar.mask(state_class), dtype=np.bool_)
        permitted = self._permitted
        if state_class.closer is Kind.BRACKET_CLOSE:
            permitted = permitted | self._closes_index
        row = np.where(mask & permitted, 0.0, -np.inf)
        with self._lock:
            same = np.flatnonzero((self._matrix == row).all(axis=1))
            if not len(same):
                self._matrix = np.concatenate([self._matrix, row[None]])
            if len(self._rows) > _MAX_CACHED:
                self._rows.clear()
            return self._rows.setdefault(key, int(same[0]) if len(same) else len(self._matrix) - 1)


def _permitted(grammar: Grammar, allow: Sequence[str] | None, forbid: Sequence[str]) -> Bool:
    tokens = grammar.vocabulary.tokens
    unknown = [
        token for token in (*(allow or ()), *forbid) if token not in grammar.vocabulary or token == END
    ]
    if unknown:
        hint = "; put spaces between symbols" if any("," in token for token in unknown) else ""
        raise BadRequest(
            f"the model does not know the symbols {' '.join(unknown)}, so it cannot allow or forbid them{hint}"
        )
    wanted = set(tokens) if allow is None else set(allow) | STRUCTURE
    wanted -= set(forbid)
    if not wanted & {"_", "^"}:
        wanted.discard("\\limits")
    wanted |= {"{", "}", END}
    if not any(
        kind is Kind.SYMBOL and token in wanted for kind, token in zip(grammar.kinds, tokens, strict=True)
    ):
        raise NothingAllowed("no symbol is left that an answer could be made of; allow more or forbid less")
    return np.array([token in wanted for token in tokens])
