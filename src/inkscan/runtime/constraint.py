"""Constraint: which tokens may follow each hypothesis, by the grammar and by what a call allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
import numpy.typing as npt

from inkscan.errors import BadRequest, NothingAllowed
from inkscan.latex.grammar import DEAREST, Grammar, Kind, State
from inkscan.latex.symbols import LARGE, LIMIT_FUNCTIONS
from inkscan.latex.tree import STRUCTURE
from inkscan.latex.vocabulary import END, Vocabulary

Bool = npt.NDArray[np.bool_]
Float64 = npt.NDArray[np.float64]

_MAX_PREFIXES = 20_000  # that are remembered
_WITH_LIMITS = frozenset((*LARGE, *LIMIT_FUNCTIONS))  # symbols that `\limits` belongs to


@dataclass(eq=False, slots=True)
class Prefix:
    """A grammar's state with what was worked out about it, so that a step of the search looks it up by identity."""

    state: State
    tokens_to_finish: int
    rows: dict[int, int] = field(default_factory=dict)  # spare tokens -> row of the constraint's matrix
    after: dict[int, Prefix] = field(default_factory=dict)  # value of a token's kind -> the prefix with it


class Constraint:
    """The grammar over a vocabulary with some symbols left out; remembers what it worked out."""

    def __init__(
        self, vocabulary: Vocabulary, allow: Sequence[str] | None = None, forbid: Sequence[str] = ()
    ) -> None:
        self._grammar = Grammar(vocabulary)
        self._kinds = [kind.value for kind in self._grammar.kinds]
        self._permitted = _permitted(self._grammar, allow, forbid)
        self._closes_index = np.array([kind is Kind.BRACKET_CLOSE for kind in self._grammar.kinds])
        self._matrix: Float64 = np.zeros((0, len(vocabulary)))
        self._prefixes: dict[State, Prefix] = {}
        self._lock = Lock()

    @property
    def start(self) -> Prefix:
        """The prefix without tokens."""
        return self._prefix(self._grammar.start)

    def penalties(self, prefixes: Sequence[Prefix], budgets: Sequence[int]) -> Float64:
        """A row a prefix: 0 where a token may follow so that the rest fits into the budget, else -inf."""
        rows = []
        for prefix, budget in zip(prefixes, budgets, strict=True):
            spare = budget - prefix.tokens_to_finish
            row = prefix.rows.get(spare if spare < DEAREST else DEAREST)
            rows.append(self._new_row(prefix, budget) if row is None else row)
        return self._matrix.take(rows, axis=0)

    def allows(self, label: str) -> bool:
        """Whether an answer may have this symbol at all."""
        number = self._grammar.vocabulary.index.get(label)
        return number is not None and bool(self._permitted[number])

    def advance(self, prefix: Prefix, token: int) -> Prefix:
        """The prefix with one more token."""
        kind = self._kinds[token]
        found = prefix.after.get(kind)
        if found is None:
            found = prefix.after[kind] = self._prefix(self._grammar.advance(prefix.state, token))
        return found

    def _prefix(self, state: State) -> Prefix:
        found = self._prefixes.get(state)
        if found is None:
            if len(self._prefixes) > _MAX_PREFIXES:
                self._prefixes.clear()
            found = self._prefixes[state] = Prefix(state, state.min_tokens_to_finish)
        return found

    def _new_row(self, prefix: Prefix, budget: int) -> int:
        state_class = self._grammar.state_class(prefix.state, budget)
        mask = np.frombuffer(self._grammar.mask(state_class), dtype=np.bool_)
        permitted = self._permitted
        if state_class.closer is Kind.BRACKET_CLOSE:
            permitted = permitted | self._closes_index
        row = np.where(mask & permitted, 0.0, -np.inf)
        with self._lock:
            same = np.flatnonzero((self._matrix == row).all(axis=1))
            if not len(same):
                self._matrix = np.concatenate([self._matrix, row[None]])
            spare = min(budget - prefix.tokens_to_finish, DEAREST)
            return prefix.rows.setdefault(spare, int(same[0]) if len(same) else len(self._matrix) - 1)


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
    if not wanted & {"_", "^"} or (allow is not None and not wanted & _WITH_LIMITS):
        wanted.discard("\\limits")
    wanted |= {"{", "}", END}
    if not any(
        kind is Kind.SYMBOL and token in wanted for kind, token in zip(grammar.kinds, tokens, strict=True)
    ):
        raise NothingAllowed("no symbol is left that an answer could be made of; allow more or forbid less")
    return np.array([token in wanted for token in tokens])
