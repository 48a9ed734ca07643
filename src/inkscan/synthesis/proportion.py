"""Proportions: something drawn as often as its share says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

import numpy as np

from inkscan.errors import BadSetting

Name = TypeVar("Name", bound=str)


def check_shares(of: str, shares: Collection[float]) -> None:
    """Shares are in proportion to one another, so they need no certain sum."""
    if min(shares) < 0 or not sum(shares) > 0:
        raise BadSetting(f"{of} are drawn in proportion: none is negative and one at least is above 0")


def draw_by_share(shares: Mapping[Name, float], rng: np.random.Generator) -> Name:
    sizes = np.array(list(shares.values()))
    at = int(np.searchsorted(np.cumsum(sizes) / sizes.sum(), rng.random(), side="right"))
    return tuple(shares)[at]
