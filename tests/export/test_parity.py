"""What is exported computes what torch computes, for all ten systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.export.slow_beam import slow_beam
from tests.runtime.conftest import SETTINGS, tiny_scan

from inkscan import Ink, load
from inkscan.errors import ModelError
from inkscan.export.parity import check_parity
from inkscan.latex.vocabulary import CROHME
from inkscan.models.scan import WITH_CONTEXT
from inkscan.models.systems import SYSTEMS
from inkscan.runtime.models import read_model

LIMIT = 20  # tokens, the end token included; a slow search is slow


@pytest.mark.parametrize("system", SYSTEMS)
def test_log_probabilities_agree(system: str, model_folder: Callable[..., Path]) -> None:
    assert check_parity(tiny_scan(system), read_model(model_folder(system)), 1e-4) < 1e-4


@pytest.mark.parametrize("system", WITH_CONTEXT)
def test_log_probabilities_agree_with_context_among_strokes(
    system: str, model_folder: Callable[..., Path]
) -> None:
    exported = read_model(model_folder(system, context_layers=2))
    assert check_parity(tiny_scan(system, context_layers=2), exported, 1e-4) < 1e-4
    with pytest.raises(ModelError, match="differ from torch"):
        check_parity(tiny_scan(system), exported, 1e-4)


@pytest.mark.parametrize("system", SYSTEMS)
def test_fewer_bits_stay_close(system: str, model_folder: Callable[..., Path]) -> None:
    sizes = []
    for bits, tolerance in ((8, 0.2), (16, 5e-2), (32, 1e-4)):
        folder = model_folder(system, bits=bits)
        check_parity(tiny_scan(system), read_model(folder), tolerance)
        sizes.append((folder / "step.onnx").stat().st_size)
    assert sizes == sorted(set(sizes))


def test_a_difference_is_an_error(model_folder: Callable[..., Path]) -> None:
    other = read_model(model_folder("onscan", seed=1))
    with pytest.raises(ModelError, match="differ from torch"):
        check_parity(tiny_scan("onscan"), other, 1e-4)
    with pytest.raises(ModelError, match="differ from torch"):
        check_parity(
            tiny_scan("onscan"), replace(other, encoder=read_model(model_folder("onscan")).encoder), 1e-4
        )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("beam", [1, 10])
def test_the_search_finds_what_a_slow_search_in_torch_finds(
    system: str, beam: int, model_folder: Callable[..., Path], inks: list[Ink]
) -> None:
    recognizer = load(model_folder(system)).with_search(
        beam=beam, n_best=beam, margin=1e9, spread=1e9, max_tokens=LIMIT - 1, repeats=0.0
    )
    for ink in inks[:2]:
        wanted = slow_beam(tiny_scan(system), ink, SETTINGS, beam, min(LIMIT, 8 * len(ink) + 8))
        found = recognizer(ink)
        assert [CROHME.encode(a.tokens) for a in found.alternatives] == [one.tokens[:-1] for one in wanted]
        assert [a.score for a in found.alternatives] == pytest.approx([one.score for one in wanted], abs=1e-3)


@pytest.mark.parametrize("system", SYSTEMS)
def test_many_inks_at_once_are_read_as_one_by_one(
    system: str, model_folder: Callable[..., Path], inks: list[Ink]
) -> None:
    recognizer = load(model_folder(system)).with_search(max_tokens=40)
    chosen = inks[:6]
    for one, among in zip((recognizer(ink) for ink in chosen), recognizer.many(chosen), strict=True):
        assert one.tokens == among.tokens
        assert one.score == pytest.approx(among.score, abs=1e-3)
        np.testing.assert_allclose(one.alignment, among.alignment, atol=1e-4)
