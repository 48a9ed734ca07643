from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import pytest

from inkscan.errors import BadRequest
from inkscan.runtime.search import SearchSettings


def test_numbers_of_numpy_are_numbers() -> None:
    settings = SearchSettings(n_best=np.int64(3), margin=np.float32(2), doubt=np.int8(1))  # type: ignore[arg-type]
    assert settings == SearchSettings(n_best=3, margin=2, doubt=1)
    assert not any(isinstance(value, np.generic) for value in astuple(settings))
    for wrong in (np.int64(0), np.float64(3), np.bool_(True), True, "3", None):
        with pytest.raises(BadRequest, match="n_best is a whole number of at least 1"):
            SearchSettings(n_best=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="margin is a number"):
        SearchSettings(margin=float("nan"))


@pytest.mark.parametrize("name", ["allow", "forbid"])
def test_symbols_are_strings_or_none_are_named(name: str) -> None:
    def named(symbols: Any) -> SearchSettings:
        return SearchSettings(**{name: symbols})

    assert getattr(named("x \\frac"), name) == getattr(named(["x", "\\frac"]), name) == ("x", "\\frac")
    assert named(None) == SearchSettings()
    for wrong in ([1, 2], 7, ["x", None]):
        with pytest.raises(BadRequest, match=f"{name} is a list of strings"):
            named(wrong)
