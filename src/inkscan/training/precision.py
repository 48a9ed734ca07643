"""Precision: bfloat16 where the processor has the instructions for it, else float32."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal

import torch

from inkscan.errors import BadSetting

Precision = Literal["bf16-mixed", "32-true"]  # Lightning Fabric's names
CHOICES: dict[str, Precision] = {"bfloat16": "bf16-mixed", "float32": "32-true"}
INSTRUCTIONS = frozenset(("avx512_bf16", "amx_bf16"))  # without them bfloat16 is many times slower
CPU_INFO = Path("/proc/cpuinfo")


def choose_precision(
    wish: str, *, cuda: bool, cpu_info: Path = CPU_INFO, begun_in: str | None = None
) -> Precision:
    """The precision that is asked for; `auto` takes that of the run that goes on, or bfloat16 where it is faster."""
    if wish not in (*CHOICES, "auto"):
        raise BadSetting(f"no precision {wish!r}; there are auto, {', '.join(CHOICES)}")
    for name, precision in CHOICES.items():
        if precision == begun_in:
            if wish not in (name, "auto"):
                raise BadSetting(
                    f"the run to go on with began in {name} and stays in it: leave --precision out"
                )
            return precision
    if wish != "auto":
        return CHOICES[wish]
    fast = torch.cuda.is_bf16_supported() if cuda else _has_instructions(cpu_info)
    return CHOICES["bfloat16" if fast else "float32"]


def computed_in(precision: Precision) -> AbstractContextManager[Any]:
    """A network on a CPU computes in this precision within it; its weights stay float32."""
    return torch.autocast("cpu", torch.bfloat16) if precision == "bf16-mixed" else nullcontext()


def _has_instructions(cpu_info: Path) -> bool:
    """Whether the first processor's flags, as Linux lists them, name the instructions."""
    try:
        text = cpu_info.read_text()
    except OSError:
        return False
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return not INSTRUCTIONS.isdisjoint(flags.split())
