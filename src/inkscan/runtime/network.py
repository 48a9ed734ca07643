"""Network: an exported model's two graphs in onnxruntime. Safe to call from many threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inkscan.errors import DamagedModel
from inkscan.features import FeatureBatch
from inkscan.runtime.contract import INK, TOKEN, Contract, Value
from inkscan.runtime.engine import cores, onnxruntime_alone
from inkscan.runtime.models import ENCODER, MODEL_JSON, STEP

Arrays = dict[str, npt.NDArray[np.generic]]
Float32 = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Encoded:
    """B inks after the encoder: what every step looks at, and the state before the first step."""

    memories: Arrays
    state: Arrays


@dataclass(frozen=True)
class StepResult:
    """P hypotheses after one step."""

    log_probs: Float32  # (P, K)
    state: Arrays
    alphas: tuple[Float32, ...]  # one a view, each (P, H, W)


class Network:
    """encoder.onnx and step.onnx with explicit thread counts; graphs that break their contract are refused."""

    def __init__(self, encoder: bytes, step: bytes, contract: Contract, *, threads: int = 1) -> None:
        self._encoder = open_session(encoder, ENCODER, threads)
        self._step = open_session(step, STEP, threads)
        check_session(self._encoder, ENCODER, contract.features, contract.encoder_outputs)
        check_session(self._step, STEP, contract.step_inputs, contract.step_outputs)
        self._features = _names(contract.features)
        self._encoded = _names(contract.encoder_outputs)
        self._memories = _names(contract.memories)
        self._state = _names(contract.state)
        self._results = _names(contract.step_outputs)
        self._covered = {
            contract.coverage(i).name: contract.mask(look.view).name for i, look in enumerate(contract.looks)
        }

    def encode(self, batch: FeatureBatch) -> Encoded:
        """Run the encoder on a padded batch."""
        arrays = batch.arrays()
        feeds = {name: arrays[name] for name in self._features}
        results = run_graph(self._encoder, ENCODER, self._encoded, feeds)
        found: Arrays = dict(zip(self._encoded, results, strict=True))
        memories = {name: found.pop(name) for name in self._memories}
        nothing = {
            coverage: np.zeros(memories[mask].shape, dtype=np.float32)
            for coverage, mask in self._covered.items()
        }
        return Encoded(memories, {**found, **nothing})

    def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
        """One decoding step; `ink` is the ink of each hypothesis, or a single number if all have the same."""
        feeds = {TOKEN.name: token, INK.name: ink, **state, **memories}
        log_probs, *rest = run_graph(self._step, STEP, self._results, feeds)
        count = len(self._state)
        state = dict(zip(self._state, rest[:count], strict=True))
        return StepResult(log_probs, state, tuple(rest[count:]))


def _names(values: Sequence[Value]) -> list[str]:
    return [value.name for value in values]


def open_session(model: bytes, name: str, threads: int):  # type: ignore[no-untyped-def]
    """A graph ready to run, on one or a few threads."""
    onnxruntime = onnxruntime_alone()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(threads, cores())  # more would wait for each other
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has no public base class of its errors
        raise DamagedModel(f"onnxruntime cannot load {name}: {error}; export the model again") from error


def run_graph(session, name: str, results: Sequence[str] | None, feeds: Mapping[str, Any]):  # type: ignore[no-untyped-def]
    """What a graph answers; one that fails inside onnxruntime is damaged, for what it is given fits its inputs."""
    try:
        return session.run(results, feeds)
    except Exception as error:  # as above
        raise DamagedModel(f"onnxruntime cannot run {name}: {error}; export the model again") from error


def check_session(  # type: ignore[no-untyped-def]
    session, name: str, inputs: Sequence[Value], outputs: Sequence[Value], description: str = MODEL_JSON
) -> None:
    """Every input and output that is agreed on is there, and no other; sizes that are numbers agree, too."""
    for found, agreed in ((session.get_inputs(), inputs), (session.get_outputs(), outputs)):
        shapes = {value.name: (value.type, value.shape) for value in found}
        wanted = {value.name: value for value in agreed}
        different = [
            key
            for key in {**wanted, **shapes}
            if key not in shapes or not _fits(*shapes[key], wanted.get(key))
        ]
        if different:
            raise DamagedModel(
                f"the vocabulary, the views or the looks in {description} are not its graphs': "
                f"{name} differs in {', '.join(different)}; export it again"
            )


def _fits(kind: str, shape: Sequence[int | str], value: Value | None) -> bool:
    return (
        value is not None
        and kind == f"tensor({value.kind})"
        and len(shape) == len(value.dims)
        and all(size == dim for size, dim in zip(shape, value.dims, strict=True) if isinstance(dim, int))
    )
