"""onnxruntime with its telemetry off; every part that needs it asks here."""

from __future__ import annotations

import os
from types import ModuleType

TELEMETRY_OFF = "ORT_DISABLE_TELEMETRY"


def cores() -> int:
    """The cores that this process may use, which not every system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def onnxruntime_alone() -> ModuleType:
    """onnxruntime, which from 1.29 on would name this machine in the user's cache and report home.

    It reads the variable when it is loaded. In programs that had loaded it before, the call only stops further
    events: they must set the variable themselves.
    """
    os.environ.setdefault(TELEMETRY_OFF, "1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module
