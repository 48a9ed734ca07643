"""The paper's Table 7: what the ten systems take for the same inks, in CPU seconds summed over them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import torch

from inkscan.data.sample import Sample
from inkscan.export.model import ExportSettings, export_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import SYSTEMS, preset
from inkscan.runtime.member import member_of
from inkscan.runtime.recognizer import Recognizer
from research.fixed_length import time_at_length

Timer = Callable[[Sample], float]  # CPU seconds for an ink


def trained_timer(recognizer: Recognizer, beam: int) -> Timer:
    """The time of a whole answer by a trained model, as users get it."""

    def seconds(sample: Sample) -> float:
        start = time.process_time()
        recognizer(sample.ink, beam=beam)
        return time.process_time() - start

    return seconds


def random_timer(system: str, preset_name: str, beam: int) -> Timer:
    """The time to decode as many tokens as the truth has with a full beam, by random weights."""
    torch.manual_seed(0)
    model = Scan(preset(preset_name, system, len(CROHME))).eval()
    exported = export_model(model, CROHME, FeatureSettings(trace="tap"), ExportSettings(system))
    recognizer = Recognizer([member_of(exported)])
    return lambda sample: time_at_length(recognizer, sample.ink, len(sample.tokens), beam)


def random_timers(preset_name: str, beam: int) -> dict[str, Timer]:
    return {system: random_timer(system, preset_name, beam) for system in SYSTEMS}


def summed_seconds(
    timers: Mapping[str, Timer], samples: Sequence[Sample], on_done: Callable[[], None] = lambda: None
) -> dict[str, float]:
    """The sum over all inks. Every ink is read by all systems in turn, so that a busy hour slows them alike."""
    sums = dict.fromkeys(timers, 0.0)
    for timer in timers.values():
        timer(samples[0])  # to warm up
    for sample in samples:
        for system, timer in timers.items():
            sums[system] += timer(sample)
        on_done()
    return sums
