"""Export: from a checkpoint to the folder that the runtime loads, with its numbers checked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch

from inkscan import __version__
from inkscan.errors import ModelError
from inkscan.features import FeatureSettings, ink_features, pad_batch
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan, TensorBatch
from inkscan.runtime.models import CARD, ENCODER, MODEL_JSON, STEP, ExportedModel, ModelInfo
from inkscan.runtime.network import Network
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.encoder_graph import encoder_graph
from inkscan.training.extra import recorded
from inkscan.training.provenance import licence_of
from inkscan.training.step_graph import step_graph

TOLERANCE = 1e-4  # of log-probabilities, float32 against torch
HALF_TOLERANCE = 5e-2  # weights rounded to float16; what it does to answers is measured on a corpus
PARITY_TOKENS = 12


@dataclass(frozen=True)
class ExportSettings:
    name: str
    half: bool = False  # weights stored as float16
    length_power: float = 0.0  # of the search, where a call does not say otherwise


def export_checkpoint(path: Path, settings: ExportSettings) -> ExportedModel:
    """The exported model of a checkpoint's weights, checked against torch."""
    checkpoint = load_checkpoint(path)
    model = Scan(checkpoint.config).eval()
    model.load_state_dict(checkpoint.weights())
    provenance = {**checkpoint.provenance, "progress": asdict(checkpoint.progress), "checkpoint": path.name}
    return export_model(model, checkpoint.vocabulary, checkpoint.recipe.features, settings, provenance)


def export_model(
    model: Scan,
    vocabulary: Vocabulary,
    features: FeatureSettings,
    settings: ExportSettings,
    provenance: dict[str, Any] | None = None,
) -> ExportedModel:
    """The exported model of a network in memory, checked against torch."""
    provenance = provenance or {}
    encoder = encoder_graph(model, half=settings.half).SerializeToString()
    step = step_graph(model, half=settings.half).SerializeToString()
    system = model.system
    views = tuple(view.value for view in system.views)
    info = ModelInfo(
        name=settings.name,
        system=system.name,
        # After encoder fusion one attention looks at the strokes of both modalities.
        views=views if model.decoder.attention.views == len(views) else views[:1],
        online=system.online,
        offline=system.offline,
        vocabulary=vocabulary,
        features=features,
        sizes=asdict(model.config),
        provenance={
            **provenance,
            "exported": datetime.now(UTC).isoformat(timespec="seconds"),
            "exporter": __version__,
        },
        licence=licence_of(provenance),
        length_power=settings.length_power,
        sha256={ENCODER: hashlib.sha256(encoder).hexdigest(), STEP: hashlib.sha256(step).hexdigest()},
    )
    exported = ExportedModel(info, encoder, step)
    check_parity(model, exported, HALF_TOLERANCE if settings.half else TOLERANCE)
    return exported


def check_parity(model: Scan, exported: ExportedModel, tolerance: float) -> float:
    """The largest difference of log-probabilities on random inks; raises if it is too large."""
    info = exported.info
    network = Network(exported.encoder, exported.step)
    inks = [_scribble(strokes, seed) for seed, strokes in enumerate((1, 3, 12))]
    batch = pad_batch(
        [ink_features(ink, info.features, online=info.online, offline=info.offline) for ink in inks]
    )
    tokens = np.random.default_rng(7).integers(1, len(info.vocabulary), (len(inks), PARITY_TOKENS))
    with torch.no_grad():
        decoded = model(TensorBatch.of(batch), torch.from_numpy(tokens))
        wanted = torch.log_softmax(decoded.logits, dim=2).numpy()
    encoded = network.encode(batch)
    state, before, worst = encoded.state, np.full(len(inks), len(info.vocabulary)), 0.0
    for t in range(PARITY_TOKENS):
        result = network.step(before, np.arange(len(inks)), state, encoded.memories)
        worst = max(worst, float(np.abs(result.log_probs - wanted[:, t]).max()))
        state, before = result.state, tokens[:, t]
    if not worst <= tolerance:
        raise ModelError(
            f"the graphs differ from torch by {worst:.2g} in log-probability, more than {tolerance:.0e}"
        )
    return worst


def write_model(exported: ExportedModel, folder: Path, card: str | None = None) -> None:
    """Write the folder; model.json comes last, so that a half-written folder is no model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MODEL_JSON).unlink(missing_ok=True)
    (folder / ENCODER).write_bytes(exported.encoder)
    (folder / STEP).write_bytes(exported.step)
    card = card or model_card(exported)
    info = replace(
        exported.info, sha256={**exported.info.sha256, CARD: hashlib.sha256(card.encode()).hexdigest()}
    )
    (folder / CARD).write_text(card, encoding="utf-8")
    (folder / MODEL_JSON).write_text(info.to_json(), encoding="utf-8")


def model_card(exported: ExportedModel) -> str:
    """What a person should know before using the weights."""
    info = exported.info
    train = info.provenance.get("train", {})
    size = (len(exported.encoder) + len(exported.step)) / 1e6
    lines = [
        f"# {info.name}",
        "",
        f"Handwritten mathematics (pen strokes) to LaTeX: system {info.system}, "
        f"{len(info.vocabulary.symbols)} tokens, {size:.1f} MB.",
        "",
        f"* Licence of the training data, and so of the weights: {info.licence}.",
        f"* Trained on: {train.get('split', 'unknown')} ({train.get('samples', '?')} inks, fingerprint "
        f"{str(train.get('fingerprint', 'unknown'))[:16]}).",
        *_init_lines(info.provenance),
        *_bank_lines(info.provenance),
        f"* Command: `{info.provenance.get('command', 'unknown')}`.",
        f"* Checkpoint chosen on a test set: {'yes' if info.provenance.get('selected_on_test') else 'no'}.",
        f"* Confidence calibrated: {'yes' if info.calibration else 'no'}.",
        "",
        "It reads one expression at a time, written with a pen: no arrays, no text, no photographs.",
    ]
    return "\n".join(lines) + "\n"


def _init_lines(provenance: Mapping[str, Any]) -> list[str]:
    init = provenance.get("init")
    if not init:
        return []
    split = init.get("train", {}).get("split") or "ink that is not named"
    return [f"* Started from the weights {init['file']} (trained on {split}; licence {init['licence']})."]


def _bank_lines(provenance: Mapping[str, Any]) -> list[str]:
    titles = {"bank": "Extra symbols", "formulas": "Formulas"}
    titles |= {f"init_{key}": f"{title} of the weights it started from" for key, title in titles.items()}
    return [
        f"* {title}: {file['file']} (licence {file['licence']}, SHA-256 {file['sha256']})."
        for key, title in titles.items()
        for file in recorded(provenance, key)
    ]


def _scribble(strokes: int, seed: int) -> Ink:
    """Random strokes side by side: parity needs no meaning."""
    rng = np.random.default_rng(seed)
    walks = [np.cumsum(rng.normal(size=(rng.integers(1, 30), 2)), axis=0) for _ in range(strokes)]
    return Ink.from_points([walk + np.array([12.0 * j, 0.0]) for j, walk in enumerate(walks)])
