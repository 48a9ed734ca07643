"""Options that several commands share."""

from __future__ import annotations

import pytest

from inkscan.cli.shared_options import cores


def test_the_cores_are_counted_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert cores() == 3
