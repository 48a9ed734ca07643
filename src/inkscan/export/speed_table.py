"""The paper's Table 7: the ten systems' times, normalised to TAP, at equal inks and equal lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import torch

from inkscan.data.sample import Sample
from inkscan.export.model import ExportSettings, export_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import SYSTEMS, preset
from inkscan.runtime.bench import time_at_length
from inkscan.runtime.recognizer import Recognizer, member_of

BEAMS = (1, 10)
ROUNDS = 3  # the fastest counts: other work on the machine only ever slows


@dataclass(frozen=True)
class SystemSpeed:
    """CPU milliseconds a median ink, by beam."""

    system: str
    title: str
    milliseconds: dict[int, float]


def speed_table(
    samples: Sequence[Sample], preset_name: str = "paper", on_done: Callable[[str], None] = lambda name: None
) -> list[SystemSpeed]:
    """Time random weights of each system; an answer has as many tokens as its truth."""
    rows = []
    for system in SYSTEMS.values():
        torch.manual_seed(0)
        model = Scan(preset(preset_name, system.name, len(CROHME))).eval()
        exported = export_model(model, CROHME, FeatureSettings(trace="tap"), ExportSettings(system.name))
        recognizer = Recognizer([member_of(exported)])
        times = {
            beam: 1000 * median(_seconds(recognizer, sample, beam) for sample in samples) for beam in BEAMS
        }
        rows.append(SystemSpeed(system.name, system.title, times))
        on_done(system.name)
    return rows


def _seconds(recognizer: Recognizer, sample: Sample, beam: int) -> float:
    length = len(sample.tokens)
    return min(time_at_length(recognizer, sample.ink, length, beam) for _ in range(ROUNDS))
