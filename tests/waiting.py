"""Waiting: for a condition, and no longer than that takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def rest() -> None:
    time.sleep(0.02)


def eventually(condition: Callable[[], T], seconds: float = 10, pause: Callable[[], object] = rest) -> T:
    """What the condition gives as soon as that is true; `pause` is between two looks."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited in vain: it is still {found!r}"
        pause()
    return found
