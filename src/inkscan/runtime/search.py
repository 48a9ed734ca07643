"""How an answer is searched for: settings that a call may change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from inkscan.errors import BadRequest

MAX_BEAM = 100
_TOKENS_PER_STROKE = 8
FULL_BEAM_STROKES = 40  # a longer ink is followed by fewer hypotheses: its time grows no faster than it


@dataclass(frozen=True)
class SearchSettings:
    """Beam search; a beam of one is greedy.

    `allow` names the only symbols that an answer may use, `forbid` those that it may not. Braces, scripts and
    limits need not be named in `allow`; `\\frac` and `\\sqrt` are symbols. One string names several with spaces
    between.
    """

    beam: int = 6
    n_best: int = 5  # alternatives in the answer, the answer included
    length_power: float = 0.0  # finished scores are divided by length ** length_power
    margin: float = 5.0  # a hypothesis this far (in nats) behind the best one is dropped
    spread: float = 5.0  # nats: once an answer is finished, one so much less likely is no alternative
    # Nats against an answer for each letter, small and capital alike, written in both cases.
    both_cases: float = 1.0
    # A less sure answer is read by the second model, too, if there is one; 0: never.
    doubt: float = 0.6
    max_tokens: int = 400
    allow: tuple[str, ...] | None = None
    forbid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("beam", "n_best", "max_tokens"):
            if not isinstance(value := getattr(self, name), int):
                raise BadRequest(f"{name} is a whole number, not {value!r}")
        if not 1 <= self.beam <= MAX_BEAM:
            raise BadRequest(f"the beam is between 1 and {MAX_BEAM}, not {self.beam}")
        if (
            self.n_best < 1
            or self.max_tokens < 2
            or min(self.margin, self.spread, self.both_cases) < 0
            or not 0 <= self.length_power <= 2
            or not 0 <= self.doubt <= 1
        ):
            raise BadRequest(
                "n_best >= 1, max_tokens >= 2, margin, spread and both_cases >= 0, 0 <= doubt <= 1 and "
                "0 <= length_power <= 2 are needed"
            )
        object.__setattr__(self, "allow", None if self.allow is None else _names(self.allow))
        object.__setattr__(self, "forbid", _names(self.forbid))

    def changed(self, changes: SearchChanges) -> SearchSettings:
        """The same with some settings changed; the error for an unknown one names those that exist."""
        known = self.__dataclass_fields__
        if unknown := [name for name in changes if name not in known]:
            from difflib import get_close_matches

            near = get_close_matches(unknown[0], known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise BadRequest(f"there is no setting {unknown[0]} of the search; {hint}")
        return replace(self, **changes) if changes else self  # type: ignore[arg-type]


@dataclass(frozen=True)
class Bounds:
    """How far the search goes for one ink."""

    tokens: int  # of an answer, the end token included
    hypotheses: int  # at once

    @classmethod
    def of(cls, strokes: int, settings: SearchSettings) -> Bounds:
        """A step looks at every stroke for every hypothesis, and a long ink takes many steps."""
        tokens = min(settings.max_tokens, _TOKENS_PER_STROKE * strokes + _TOKENS_PER_STROKE)
        narrowed = settings.beam * FULL_BEAM_STROKES // max(strokes, FULL_BEAM_STROKES)
        return cls(tokens, min(settings.beam, max(narrowed, 2)))


def _names(symbols: Iterable[str]) -> tuple[str, ...]:
    """Symbols as a tuple; one string has them with spaces between, as on the command line."""
    return tuple(symbols.split() if isinstance(symbols, str) else symbols)


class SearchChanges(TypedDict, total=False):
    """The settings as keywords of a call."""

    beam: int
    n_best: int
    length_power: float
    margin: float
    spread: float
    both_cases: float
    doubt: float
    max_tokens: int
    allow: Sequence[str] | None
    forbid: Sequence[str]
