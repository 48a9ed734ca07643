"""Ink for the tests of this package, made by the generator itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inkscan.data.sample import Sample
from inkscan.latex.tokens import parse_latex
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.generate import Generator
from inkscan.synthesis.hand import Hand
from inkscan.synthesis.handwriting import Pen
from inkscan.synthesis.layout import write_sample


def written(latex: str, seed: int = 0, care: float = 1.0) -> Sample:
    """An expression in the hand of the seed's writer."""
    rng = np.random.default_rng(seed)
    return write_sample(parse_latex(latex), Pen(Hand.sample(rng, care)), rng, latex)


@pytest.fixture(scope="session")
def samples() -> list[Sample]:
    return list(Generator().samples(300, seed=7))


@pytest.fixture(scope="session")
def bank(samples: list[Sample]) -> SymbolBank:
    return SymbolBank.harvest(replace(sample, source=sample.id[-1]) for sample in samples)


def check_alignment(sample: Sample) -> None:
    """Every stroke belongs to exactly one symbol, and structure tokens have none."""
    owned = sorted(stroke for strokes in sample.alignment for stroke in strokes)
    assert owned == list(range(len(sample.ink)))
    structure = {"{", "}", "^", "_", "\\limits"}
    assert not any(
        strokes for token, strokes in zip(sample.tokens, sample.alignment, strict=True) if token in structure
    )
