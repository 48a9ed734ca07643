"""A new fusion touches `models.systems`, its attention and its lowering, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.runtime.conftest import SETTINGS
from torch import Tensor, nn

from inkscan import Ink, load
from inkscan.errors import DamagedModel, ModelError
from inkscan.export import lowering
from inkscan.export.graph import Graph
from inkscan.export.lowering import LookAt, LoweredLook, contract_of
from inkscan.export.model import ExportSettings, export_model, write_model
from inkscan.latex.vocabulary import CROHME
from inkscan.models import attention, fusion, systems
from inkscan.models.attention import Attended, Attention, CoverageAttention, Kernel, Prepared
from inkscan.models.fusion import Join
from inkscan.models.memory import Memory
from inkscan.models.scan import Scan
from inkscan.models.systems import SYSTEMS, Fusion, ModelConfig, System, View, preset
from inkscan.runtime.contract import Contract, Look
from inkscan.training.start import Start, Trained, start_from


class Mean(Attention):
    """The mean of two contexts: a fusion that the package does not have."""

    def __init__(self, Ds: Sequence[int], kernels: Sequence[Kernel], config: ModelConfig) -> None:
        super().__init__()
        self.D = Ds[0]
        self.parts = [
            CoverageAttention(D, config.n, config.n_att, config.q, kernel)
            for D, kernel in zip(Ds, kernels, strict=True)
        ]
        self.modules_of_parts = nn.ModuleList(self.parts)

    def places_of(self, part: str, view: int) -> tuple[str, ...]:
        return (f"modules_of_parts.{view}.{part}",)

    def prepare(self, memories: list[Memory]) -> list[Prepared]:
        return [part.terms.prepare(memory) for part, memory in zip(self.parts, memories, strict=True)]

    def initial_coverage(self, memories: list[Memory]) -> tuple[Tensor, ...]:
        return tuple(torch.zeros_like(memory.features[..., 0]) for memory in memories)

    def forward(self, h_hat: Tensor, prepared: list[Prepared], coverage: tuple[Tensor, ...]) -> Attended:
        looks = [
            part.look(h_hat, memory, past)
            for part, memory, past in zip(self.parts, prepared, coverage, strict=True)
        ]
        alphas = tuple(alpha for _, alpha in looks)
        spent = tuple(a + b for a, b in zip(coverage, alphas, strict=True))
        return Attended((looks[0][0] + looks[1][0]) / 2, alphas, spent)


class LoweredMean:
    def __init__(self, mean: Mean, factor: Tensor) -> None:
        self.looks = [
            LoweredLook(Look(v), part.terms, part.v_att, factor / 2) for v, part in enumerate(mean.parts)
        ]
        self.queries = [part.W_att.weight for part in mean.parts]

    def attend(self, g: Graph, look_at: LookAt, queries: Sequence[str]) -> str:
        return g.op("Add", look_at(0, queries[0]), look_at(1, queries[1]))


class Gate(Join):
    """The sum of the views' features, gated by the first: a fusion in the encoder."""

    def __init__(self, Ds: Sequence[int], config: ModelConfig) -> None:
        super().__init__()
        self.D = Ds[0]
        self.gate = nn.Linear(Ds[0], Ds[0], bias=False)

    def columns(self, view: int) -> slice:
        return slice(0, self.D)

    def forward(self, memories: Sequence[Memory]) -> Memory:
        on, off = (memory.features for memory in memories)
        return Memory(on + torch.sigmoid(self.gate(on)) * off, memories[0].mask)


def lowered_gate(g: Graph, gate: Gate, memories: Sequence[str]) -> str:
    on, off = memories
    return g.op("Add", on, g.op("Mul", g.op("Sigmoid", g.linear(on, gate.gate.weight)), off))


def exported_to(folder: Path, system: str) -> Path:
    model = tiny(system, seed=3).eval()
    write_model(export_model(model, CROHME, SETTINGS, ExportSettings(system)), folder)
    return folder


LOWERED: dict[Any, Any] = lowering.ATTENTIONS  # by class, which mypy cannot infer of an abstract one
JOINED: dict[Any, Any] = lowering.JOINS


@pytest.fixture
def mean(monkeypatch: pytest.MonkeyPatch) -> str:
    views = (View.ON_STROKES, View.PIXELS)
    monkeypatch.setitem(systems.SYSTEMS, "mean", System("mean", "Mean", views, Fusion.DECODER))
    monkeypatch.setitem(attention.ATTENTIONS, Fusion.DECODER, Mean)
    monkeypatch.setitem(LOWERED, Mean, LoweredMean)
    return "mean"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(fusion.JOINS, Fusion.ENCODER, Gate)
    monkeypatch.setitem(JOINED, Gate, lowered_gate)
    return "mmscan-e"


def tiny(system: str, seed: int = 0) -> Scan:
    torch.manual_seed(seed)
    return Scan(preset("tiny", system, len(CROHME)))


def begun_from(halves: Sequence[Scan], system: str) -> Start:
    """Weights with which a model of two views begins; the first half finds a place for all that it has."""
    sources = [Trained(half.system.name, half.system, half.state_dict()) for half in halves]
    start = start_from(tiny(system, seed=9), sources)
    assert start.unplaced[sources[0].name] == []
    return start


def test_a_new_attention_is_exported_and_read(mean: str, inks: list[Ink], tmp_path: Path) -> None:
    recognizer = load(exported_to(tmp_path / "mean", mean))  # its parity with torch is checked on the way
    assert recognizer(inks[0], max_tokens=10).alignment.shape[1] == len(inks[0])


def test_a_new_attention_begins_from_halves(mean: str) -> None:
    halves = tiny("onscan"), tiny("wap", seed=1)
    start = begun_from(halves, mean)
    for view, half in enumerate(halves):
        own = half.state_dict()
        for name in ("v_att", "W_att.weight", "terms.Q.weight"):
            place = f"decoder.attention.modules_of_parts.{view}.{name}"
            assert torch.equal(start.weights[place], own[f"decoder.attention.{name}"])


def test_a_new_fusion_in_the_encoder_is_exported_and_read(gate: str, inks: list[Ink], tmp_path: Path) -> None:
    recognizer = load(exported_to(tmp_path / "gate", gate))
    assert recognizer.members[0].info.views == ("on-strokes",)
    assert recognizer(inks[0], max_tokens=10).alignment.shape[1] == len(inks[0])


def test_a_new_fusion_in_the_encoder_begins_from_halves(gate: str) -> None:
    for first, second in (("onscan", "offscan"), ("offscan", "onscan")):
        one, other = tiny(first), tiny(second, seed=1)
        start = begun_from((one, other), gate)
        projection = start.weights["W_on.weight" if one.system.online else "W_off.weight"]
        read = one.decoder.W_c.weight @ projection.T
        torch.testing.assert_close(start.weights["decoder.W_c.weight"], read)


def test_an_attention_without_lowering_is_refused(mean: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(LOWERED, Mean)
    with pytest.raises(ModelError, match="no row for Mean"):
        contract_of(Scan(preset("tiny", mean, len(CROHME))))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_view_is_shown_once(system: str) -> None:
    contract = contract_of(Scan(preset("tiny", system, len(CROHME))))
    assert len(contract.views) == len(SYSTEMS[system].attended)
    names = [value.name for value in (*contract.step_inputs, *contract.step_outputs)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("looks", [(), (Look(1),), (Look(0), Look(0)), (Look(0), Look(1, shown=False))])
def test_a_contract_that_shows_no_view_or_one_twice_is_refused(looks: tuple[Look, ...]) -> None:
    with pytest.raises(ValueError, match="each view"):
        Contract(True, False, 5, looks)


def test_a_folder_without_looks_has_one_at_each_view(inks: list[Ink], tmp_path: Path) -> None:
    folder = exported_to(tmp_path / "man", "man")
    with_looks = load(folder)(inks[0], max_tokens=10)
    path = folder / "model.json"
    values = json.loads(path.read_text("utf-8"))
    assert values.pop("looks") == [{"view": 0, "shown": True}, {"view": 1, "shown": True}]
    path.write_text(json.dumps(values), "utf-8")
    assert load(folder)(inks[0], max_tokens=10).tokens == with_looks.tokens


def test_looks_that_are_not_the_graphs_are_refused(tmp_path: Path) -> None:
    folder = exported_to(tmp_path / "e-man", "e-man")
    path = folder / "model.json"
    values = json.loads(path.read_text("utf-8"))
    del values["looks"]
    path.write_text(json.dumps(values), "utf-8")
    with pytest.raises(DamagedModel, match=r"step\.onnx differs|encoder\.onnx differs"):
        load(folder)


def test_the_size_of_a_context_is_the_attentions_own() -> None:
    config = replace(preset("tiny", "man", len(CROHME)), D=30)
    assert Scan(config).decoder.GRU_2.input_size == 30
