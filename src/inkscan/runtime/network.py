"""Network: an exported model's two graphs in onnxruntime. Safe to call from many threads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.errors import DamagedModel
from inkscan.features import FeatureBatch

Arrays = dict[str, npt.NDArray[np.generic]]
Float32 = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]

_MEMORY = ("values", "mask", "keys")


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
    """encoder.onnx and step.onnx with explicit thread counts."""

    def __init__(self, encoder: bytes, step: bytes, *, threads: int = 1) -> None:
        self._encoder = _session(encoder, "encoder.onnx", threads)
        self._step = _session(step, "step.onnx", threads)
        self._encoder_inputs = [value.name for value in self._encoder.get_inputs()]
        self._encoder_outputs = [value.name for value in self._encoder.get_outputs()]
        outputs = {value.name: at for at, value in enumerate(self._step.get_outputs())}
        self._log_probs = outputs["log_probs"]
        self._next_state = {
            name.removeprefix("next_"): at for name, at in outputs.items() if name.startswith("next_")
        }
        self.vocabulary_size = self._step.get_outputs()[self._log_probs].shape[-1]
        self._alphas = [outputs[name] for name in sorted(outputs) if name.startswith("alpha")]
        grids = {
            value.name: value.shape for value in self._step.get_inputs() if value.name.startswith("coverage")
        }
        masks = {
            tuple(value.shape[1:]): value.name
            for value in self._step.get_inputs()
            if value.name.startswith("mask")
        }
        self._grids = {name: masks[tuple(shape[1:])] for name, shape in grids.items()}
        self.views = len(self._alphas)
        self.online, self.offline = (name in self._encoder_inputs for name in ("pmask_on", "pmask_off"))

    def encode(self, batch: FeatureBatch) -> Encoded:
        """Run the encoder on a padded batch."""
        arrays = batch.arrays()
        results = self._encoder.run(None, {name: arrays[name] for name in self._encoder_inputs})
        found: Arrays = dict(zip(self._encoder_outputs, results, strict=True))
        memories = {name: value for name, value in found.items() if name.startswith(_MEMORY)}
        state = {name: value for name, value in found.items() if name not in memories}
        for coverage, mask in self._grids.items():
            state[coverage] = np.zeros(memories[mask].shape, dtype=np.float32)
        return Encoded(memories, state)

    def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
        """One decoding step; `ink` is the ink of each hypothesis, or a single number if all have the same."""
        results = self._step.run(None, {"token": token, "ink": ink, **state, **memories})
        log_probs = results[self._log_probs]
        if np.isnan(log_probs.max()):
            raise DamagedModel("the model answers with what is no number (NaN); export a sound checkpoint")
        return StepResult(
            log_probs=log_probs,
            state={name: results[at] for name, at in self._next_state.items()},
            alphas=tuple(results[at] for at in self._alphas),
        )


def _session(model: bytes, name: str, threads: int):  # type: ignore[no-untyped-def]
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has no public base class of its errors
        raise DamagedModel(f"onnxruntime cannot load {name}: {error}; export the model again") from error
