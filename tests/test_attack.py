"""A fixed share of benchmarks/attack.py: hostile input is answered or refused within its budget."""

from __future__ import annotations

import importlib
import signal
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="measures memory in /proc")
KINDS = (
    "encodings",
    "archives",
    "inkml",
    "json",
    "scgink",
    "latex",
    "mathml",
    "labels",
    "reports",
    "corpora",
)


@pytest.fixture(scope="module")
def attack() -> Any:
    folder = str(Path(__file__).parent.parent / "benchmarks")
    sys.path.insert(0, folder)
    try:
        yield importlib.import_module("attack")
    finally:
        sys.path.remove(folder)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_input(kind: str, attack: Any) -> None:
    def too_slow(number: int, frame: object) -> None:
        raise attack.TooSlow

    before = signal.signal(signal.SIGPROF, too_slow)
    try:
        for name, data in islice(attack.KINDS[kind].all(), 0, 300, 15):
            outcome = attack.attack_one(attack.KINDS[kind], name, data)
            assert not outcome.is_finding, outcome
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_finding_is_found(attack: Any) -> None:
    def greedy(data: bytes) -> None:
        bytearray(b"x") * 400_000_000

    def faulty(data: bytes) -> None:
        raise KeyError(data)

    for run, said in ((greedy, "MB"), (faulty, "KeyError")):
        outcome = attack.attack_one(attack.Kind(run, lambda: iter(())), "made", b"")
        assert outcome.is_finding and said in outcome.verdict
