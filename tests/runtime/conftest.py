"""Tiny models with random weights, exported once a session, and ink that the project makes itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from inkscan import Ink, Recognizer, load
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.features import FeatureSettings
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import Scan
from inkscan.models.systems import preset
from inkscan.synthesis.generate import Generator

SETTINGS = FeatureSettings(trace="even")


@cache
def tiny_scan(system: str, seed: int = 0, context_layers: int = 0) -> Scan:
    """Random weights, sharpened so that some tokens are clearly more likely than others."""
    torch.manual_seed(seed)
    model = Scan(replace(preset("tiny", system, len(CROHME)), context_layers=context_layers)).eval()
    for name, values in model.named_buffers():
        random = (
            torch.rand_like(values) + 0.5 if name.endswith("running_var") else torch.randn_like(values) * 0.3
        )
        values.copy_(random)
    for values in model.decoder.parameters():
        values.data.mul_(2.5)
    if model.context is not None:
        for values in model.context.parameters():
            values.data.add_(torch.randn_like(values) * 0.1)  # new layers do nothing
    return model


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of an exported tiny model."""

    @cache
    def folder(system: str, seed: int = 0, bits: int = 32, context_layers: int = 0) -> Path:
        out = tmp_path_factory.mktemp("model") / f"{system}-{seed}"
        model = tiny_scan(system, seed, context_layers)
        write_model(export_model(model, CROHME, SETTINGS, ExportSettings(system, bits)), out)
        return out

    return folder


@pytest.fixture(scope="session")
def recognizer(model_folder: Callable[..., Path]) -> Recognizer:
    return load(model_folder("onscan"))


@pytest.fixture(scope="session")
def inks() -> list[Ink]:
    """Expressions of several lengths in generated handwriting."""
    return [sample.ink for sample in Generator(max_symbols=12).samples(16, seed=5)]
