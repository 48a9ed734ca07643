"""Score: the rates of a set of samples in one family of metrics, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inkscan import __version__
from inkscan.evaluation.bootstrap import CONFIDENCE, Bootstrap, Estimate, Floats, Ratio, estimate
from inkscan.evaluation.convention import Convention
from inkscan.evaluation.counts import SampleCounts

TOLERANCES = (1, 2, 3)


@dataclass(frozen=True)
class Score:
    """Percentages by name; None where there is nothing to divide by."""

    estimates: Mapping[str, Estimate | None]
    signature: str

    def under(self, condition: str) -> Score:
        """The same, with a condition of the measurement in the signature."""
        return replace(self, signature=f"{self.signature}|{condition}")

    def value(self, name: str) -> float | None:
        found = self.estimates[name]
        return found.value if found else None

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: self.value(name) for name in self.estimates},
            "intervals": {name: [e.low, e.high] if e else None for name, e in self.estimates.items()},
            "signature": self.signature,
        }


def token_score(
    samples: Sequence[SampleCounts], bootstrap: Bootstrap, convention: Convention = Convention.WRITTEN
) -> Score:
    """ExpRate and <=k by token edit distance; token error rate = edits / tokens of the truths.

    A truth without a prediction has all its tokens as errors.
    """
    errors = [s.truth_tokens if s.token_errors is None else s.token_errors for s in samples]
    lengths = [s.truth_tokens for s in samples]
    ratios = [*tolerance_ratios([s.token_errors for s in samples])]
    ratios.append(Ratio("error_rate", _floats(errors), _floats(lengths)))
    signature = _signature("token", len(samples), "truths", bootstrap, convention)
    return Score(estimate(ratios, bootstrap), signature)


def symlg_score(
    samples: Sequence[SampleCounts], bootstrap: Bootstrap, convention: Convention = Convention.WRITTEN
) -> Score:
    """ExpRate, <=k and StruRate by symbol label graphs, as the CROHME 2019 tool counts them."""
    ratios = [*tolerance_ratios([s.symlg_errors for s in samples]), structure_ratio(samples)]
    signature = _signature("symLG", len(samples), "truths", bootstrap, convention)
    return Score(estimate(ratios, bootstrap), signature)


def symbol_score(samples: Sequence[SampleCounts], bootstrap: Bootstrap) -> Score | None:
    """Segmentation, alone and with recognition, over all symbols; None if no truth has groups."""
    counts = [s.symbols for s in samples if s.symbols is not None]
    if not counts:
        return None
    truth, predicted = _floats([c.truth for c in counts]), _floats([c.predicted for c in counts])
    ratios = []
    for kind, right in (
        ("segmentation", _floats([c.segmented for c in counts])),
        ("recognition", _floats([c.recognized for c in counts])),
    ):
        ratios += [
            Ratio(f"{kind}_precision", right, predicted),
            Ratio(f"{kind}_recall", right, truth),
            Ratio(f"{kind}_f1", 2 * right, truth + predicted),
        ]
    return Score(estimate(ratios, bootstrap), _signature("symbols", len(counts), "symbols", bootstrap))


def tolerance_ratios(errors: Sequence[int | None]) -> list[Ratio]:
    """ExpRate and the share of samples with at most k errors; the denominator is all samples."""
    return [
        _share(name, [e is not None and e <= allowed for e in errors])
        for name, allowed in (("exp_rate", 0), *((f"le{k}", k) for k in TOLERANCES))
    ]


def structure_ratio(samples: Sequence[SampleCounts]) -> Ratio:
    """StruRate: the share of samples whose structure is right, whatever their symbols."""
    return _share("stru_rate", [s.same_structure for s in samples])


def _share(name: str, right: Sequence[bool]) -> Ratio:
    return Ratio(name, _floats(right), np.ones(len(right)))


def _floats(values: Sequence[float]) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _signature(
    family: str, count: int, denominator: str, bootstrap: Bootstrap, convention: Convention | None = None
) -> str:
    limits = f"|limits:{convention}" if convention else ""
    return (
        f"metric:{family}|unit:percent|tokens:canonical{limits}|n:{count}|denominator:{denominator}"
        f"|interval:{CONFIDENCE:.0%}|bootstrap:{bootstrap.draws}|seed:{bootstrap.seed}|inkscan:{__version__}"
    )
