"""Which tokens may follow a prefix, so that every finished hypothesis is a canonical token sequence.

A `State` is small and immutable. What is allowed depends only on its class, of which there are few: a decoder
asks `state_class` and keeps one mask for each class it meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from typing import NamedTuple

from inkscan.errors import LatexSyntax
from inkscan.latex.tree import ACCENTS, FOREIGN, MAX_DEPTH, STACKS, UNWRITABLE
from inkscan.latex.vocabulary import END, Vocabulary

_GROUP = 3  # tokens of the shortest group, `{ x }`
DEAREST = 8  # no token adds more than this to the shortest ending


class Place(IntEnum):
    """Where the prefix ends."""

    ROW_START = 0
    BASE = 1  # behind a symbol that may take \limits
    ARGUMENT_BASE = 2  # behind a fraction or root, which takes none
    LIMITS = 3
    SUB = 4
    SUP = 5
    GROUP = 6  # before a `{` that must come
    ROOT = 7  # behind \sqrt: `{` or `[`


class Frame(IntEnum):
    """What an open group is, and so what follows when it closes."""

    SUB = 0
    SUP = 1
    FIRST = 2  # of two arguments
    LAST = 3
    INDEX = 4
    ACCENT = 5


class Kind(Enum):
    """What a token does to the state."""

    END = 0
    OPEN = 1
    CLOSE = 2
    SUB = 3
    SUP = 4
    LIMITS = 5
    SYMBOL = 6
    STACK = 7
    ROOT = 8
    ACCENT = 9
    BRACKET_OPEN = 10
    BRACKET_CLOSE = 11
    NEVER = 12


_KINDS = {
    END: Kind.END,
    "{": Kind.OPEN,
    "}": Kind.CLOSE,
    "_": Kind.SUB,
    "^": Kind.SUP,
    "\\limits": Kind.LIMITS,
    "\\sqrt": Kind.ROOT,
    "[": Kind.BRACKET_OPEN,
    "]": Kind.BRACKET_CLOSE,
}
_AFTER_CLOSE = {
    Frame.SUB: Place.SUB,
    Frame.SUP: Place.SUP,
    Frame.FIRST: Place.GROUP,
    Frame.LAST: Place.ARGUMENT_BASE,
    Frame.INDEX: Place.GROUP,
    Frame.ACCENT: Place.BASE,
}
_CLOSING_COST = {frame: 1 + _GROUP * (frame in (Frame.FIRST, Frame.INDEX)) for frame in Frame}
_PLACE_COST = {
    Place.ROW_START: 1,
    Place.LIMITS: 1 + _GROUP,
    Place.GROUP: 2,
    Place.ROOT: _GROUP,
}
_SYMBOLS = frozenset({Kind.SYMBOL, Kind.STACK, Kind.ROOT, Kind.ACCENT, Kind.BRACKET_OPEN, Kind.BRACKET_CLOSE})
_NESTING = frozenset({Kind.STACK, Kind.ROOT, Kind.ACCENT, Kind.SUB, Kind.SUP, Kind.LIMITS})


class State(NamedTuple):
    """A prefix, as far as it matters for what may follow; `done` after the end token."""

    place: Place
    stack: tuple[Frame, ...]  # open groups; at Place.GROUP the last one is still to be opened
    closing: int  # tokens needed to close them
    done: bool = False

    @property
    def min_tokens_to_finish(self) -> int:
        """Length of the shortest ending, the end token included."""
        return 0 if self.done else _PLACE_COST.get(self.place, 0) + self.closing + 1


class StateClass(NamedTuple):
    """All of a state on which its mask depends."""

    place: Place
    closer: Kind
    may_nest: bool
    slack: int
    done: bool


START_STATE = State(Place.ROW_START, (), 0)


@dataclass(frozen=True)
class Grammar:
    """The grammar of canonical tokens over one vocabulary."""

    vocabulary: Vocabulary
    max_depth: int = MAX_DEPTH

    @property
    def start(self) -> State:
        return START_STATE

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each token, by its number."""
        return tuple(_kind(token) for token in self.vocabulary.tokens)

    @cached_property
    def _masks(self) -> dict[StateClass, bytes]:
        return {}

    def state_class(self, state: State, budget: int | None = None) -> StateClass:
        """The key of a state's mask; `budget` is how many tokens may still come, the end token included."""
        slack = DEAREST if budget is None else min(budget - state.min_tokens_to_finish, DEAREST)
        return StateClass(
            state.place, _closer(state), len(state.stack) < self.max_depth, max(slack, -1), state.done
        )

    def mask(self, key: StateClass) -> bytes:
        """One byte for each token of the vocabulary: 1 where it may follow."""
        if key not in self._masks:
            kinds = {kind for kind in Kind if _permits(key, kind)}
            self._masks[key] = bytes(kind in kinds for kind in self.kinds)
        return self._masks[key]

    def allowed(self, state: State, budget: int | None = None) -> bytes:
        """The mask of a state; some token may follow unless it is done or the budget is too small."""
        return self.mask(self.state_class(state, budget))

    def advance(self, state: State, number: int) -> State:
        """The state after one more token; raises where the token may not follow."""
        kind = self.kinds[number]
        if not _permits(self.state_class(state), kind):
            raise LatexSyntax(f"{self.vocabulary.tokens[number]!r} cannot stand here")
        return _advanced(state, kind)

    def follow(self, numbers: Sequence[int]) -> State:
        """The state after a whole sequence; an error carries the index of the token that may not follow."""
        state = START_STATE
        for at, number in enumerate(numbers):
            try:
                state = self.advance(state, number)
            except LatexSyntax as error:
                error.position = at
                raise
        return state


def _kind(token: str) -> Kind:
    if token in _KINDS:
        return _KINDS[token]
    if token in STACKS:
        return Kind.STACK
    if token in ACCENTS:
        return Kind.ACCENT
    return Kind.NEVER if token in UNWRITABLE or token.startswith(FOREIGN) else Kind.SYMBOL


def _closer(state: State) -> Kind:
    """The kind of token that closes the row in which the state stands."""
    frames = state.stack[:-1] if state.place == Place.GROUP else state.stack
    if not frames:
        return Kind.END
    return Kind.BRACKET_CLOSE if frames[-1] == Frame.INDEX else Kind.CLOSE


def _permits(key: StateClass, kind: Kind) -> bool:
    if key.done or kind == Kind.NEVER or _price(key, kind) > key.slack:
        return False
    if key.place == Place.GROUP:
        return kind == Kind.OPEN
    if key.place == Place.ROOT:
        return kind in (Kind.OPEN, Kind.BRACKET_OPEN)
    if kind in _NESTING and not key.may_nest:
        return False
    if key.place == Place.LIMITS:
        return kind in (Kind.SUB, Kind.SUP)
    if key.place == Place.ROW_START:
        return kind in _SYMBOLS and kind != key.closer
    if kind == key.closer or kind in _SYMBOLS:
        return True
    if kind == Kind.LIMITS:
        return key.place == Place.BASE
    if kind == Kind.SUB:
        return key.place in (Place.BASE, Place.ARGUMENT_BASE)
    return kind == Kind.SUP and key.place != Place.SUP


def _price(key: StateClass, kind: Kind) -> int:
    """By how much a token lengthens the shortest sequence that begins with the prefix."""
    if kind == key.closer or key.place == Place.GROUP:
        return 0
    if key.place == Place.ROOT:
        return 0 if kind == Kind.OPEN else _GROUP
    if key.place == Place.LIMITS:
        return 0
    saved = 1 if key.place == Place.ROW_START else 0
    return _TOKEN_PRICE.get(kind, 0) - saved


_TOKEN_PRICE = {
    Kind.SYMBOL: 1,
    Kind.BRACKET_OPEN: 1,
    Kind.BRACKET_CLOSE: 1,
    Kind.STACK: 1 + 2 * _GROUP,
    Kind.ROOT: 1 + _GROUP,
    Kind.ACCENT: 1 + _GROUP,
    Kind.SUB: 1 + _GROUP,
    Kind.SUP: 1 + _GROUP,
    Kind.LIMITS: 2 + _GROUP,
}


def _advanced(state: State, kind: Kind) -> State:
    place, stack, closing, _ = state
    if kind == Kind.END:
        return State(place, stack, closing, done=True)
    if place == Place.GROUP:
        return State(Place.ROW_START, stack, closing)
    if place == Place.ROOT:
        frame = Frame.LAST if kind == Kind.OPEN else Frame.INDEX
        return State(Place.ROW_START, (*stack, frame), closing + _CLOSING_COST[frame])
    if kind == _closer(state) and place != Place.ROW_START:
        return _closed(stack, closing)
    if kind == Kind.LIMITS:
        return State(Place.LIMITS, stack, closing)
    if kind == Kind.ROOT:
        return State(Place.ROOT, stack, closing)
    if kind not in _OPENS:
        return State(Place.BASE, stack, closing)
    return State(Place.GROUP, (*stack, _OPENS[kind]), closing + _CLOSING_COST[_OPENS[kind]])


_OPENS = {Kind.SUB: Frame.SUB, Kind.SUP: Frame.SUP, Kind.STACK: Frame.FIRST, Kind.ACCENT: Frame.ACCENT}


def _closed(stack: tuple[Frame, ...], closing: int) -> State:
    frame, outer = stack[-1], stack[:-1]
    closing -= _CLOSING_COST[frame]
    place = _AFTER_CLOSE[frame]
    if place == Place.GROUP:
        return State(place, (*outer, Frame.LAST), closing + _CLOSING_COST[Frame.LAST])
    return State(place, outer, closing)
