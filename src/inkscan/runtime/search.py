"""How an answer is searched for: settings that a call may change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from numbers import Integral, Real
from typing import Any, TypedDict

from inkscan.errors import BadRequest

MAX_BEAM = 100
MAX_AGAINST = 1000.0  # nats that one thing may count against an answer
RANGES: dict[str, tuple[type, float, float]] = {
    "beam": (int, 1, MAX_BEAM),
    "n_best": (int, 1, inf),
    "max_tokens": (int, 1, inf),
    "margin": (float, 0, inf),
    "spread": (float, 0, inf),
    "both_cases": (float, 0, MAX_AGAINST),
    "integral_limits": (float, 0, MAX_AGAINST),
    "bare_times": (float, 0, MAX_AGAINST),
    "standing": (float, 0, MAX_AGAINST),
    "length_power": (float, 0, 2),
    "repeats": (float, 0, 10),
    "shapes": (float, 0, 10),
    "fluency": (float, 0, 10),
    "doubt": (float, 0, 1),
}
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
    # Nats against an answer for each integral whose bounds it puts above and below the sign.
    integral_limits: float = 3.0
    # Nats against an answer for each \times that has nothing to multiply.
    bare_times: float = 2.0
    # Nats against an answer whose dots or roots stand elsewhere than it says (`runtime.standing`); 0: not looked at.
    standing: float = 3.0
    # In votes, how much it counts for an answer that it says a letter again (`runtime.voting`); 0: not at all.
    repeats: float = 1.0
    # In votes, how much a nat of what single symbols look like counts, where there is a classifier; 0: not at all.
    shapes: float = 0.2
    # In votes, how much a nat of what formulas usually say counts, where there is a language model; 0: not at all.
    fluency: float = 0.1
    # A less sure answer is read by the second model, too, if there is one; 0: never.
    doubt: float = 0.6
    max_tokens: int = 400  # of an answer at most
    allow: tuple[str, ...] | None = None
    forbid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in RANGES:
            object.__setattr__(self, name, _number(name, getattr(self, name)))
        for name, nothing in (("allow", None), ("forbid", ())):
            symbols = getattr(self, name)
            object.__setattr__(self, name, nothing if symbols is None else _names(name, symbols))

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
        tokens = min(settings.max_tokens + 1, _TOKENS_PER_STROKE * (strokes + 1))
        narrowed = settings.beam * FULL_BEAM_STROKES // max(strokes, FULL_BEAM_STROKES)
        return cls(tokens, min(settings.beam, max(narrowed, 2)))


def _number(name: str, value: Any) -> int | float:
    """The value of a setting, if it is in its range; NumPy's numbers become Python's."""
    kind, least, most = RANGES[name]
    is_number = isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        what = "a whole number" if kind is int else "a number"
        reach = f"of at least {least:g}" if most == inf else f"from {least:g} to {most:g}"
        raise BadRequest(f"{name} is {what} {reach}, not {value!r}")
    number: int | float = value if isinstance(value, int) else kind(value)
    return number


def _names(name: str, symbols: Any) -> tuple[str, ...]:
    """Symbols as a tuple; one string has them with spaces between, as on the command line."""
    if isinstance(symbols, str):
        return tuple(symbols.split())
    listed = tuple(symbols) if isinstance(symbols, Iterable) else (symbols,)
    if not all(isinstance(symbol, str) for symbol in listed):
        raise BadRequest(f"{name} is a list of strings")
    return listed


class SearchChanges(TypedDict, total=False):
    """The settings as keywords of a call."""

    beam: int
    n_best: int
    length_power: float
    margin: float
    spread: float
    both_cases: float
    integral_limits: float
    bare_times: float
    standing: float
    repeats: float
    shapes: float
    fluency: float
    doubt: float
    max_tokens: int
    allow: Sequence[str] | None
    forbid: Sequence[str] | None
