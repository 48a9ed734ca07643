"""How an answer is searched for: settings that a call may change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from inkscan.errors import BadRequest

MAX_BEAM = 100


@dataclass(frozen=True)
class SearchSettings:
    """Beam search; a beam of one is greedy.

    `allow` names the only symbols that an answer may use, `forbid` those that it may not. Braces, scripts and
    limits need not be named in `allow`; `\\frac` and `\\sqrt` are symbols. One string names several with spaces
    between.
    """

    beam: int = 10
    n_best: int = 5  # alternatives in the answer, the answer included
    length_power: float = 0.0  # finished scores are divided by length ** length_power
    margin: float = 5.0  # a hypothesis this far (in nats) behind the best one is dropped
    spread: float = 5.0  # nats: once an answer is finished, one so much less likely is no alternative
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
            or min(self.margin, self.spread) < 0
            or not 0 <= self.length_power <= 2
        ):
            raise BadRequest(
                "n_best >= 1, max_tokens >= 2, margin >= 0, spread >= 0 and 0 <= length_power <= 2 are needed"
            )
        object.__setattr__(self, "allow", None if self.allow is None else _names(self.allow))
        object.__setattr__(self, "forbid", _names(self.forbid))


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
    max_tokens: int
    allow: Sequence[str] | None
    forbid: Sequence[str]
