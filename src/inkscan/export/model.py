"""Export: from a checkpoint to the folder that the runtime loads, with its numbers checked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import onnx

from inkscan import __version__
from inkscan.errors import BadRequest
from inkscan.export.card import model_card
from inkscan.export.encoder_graph import encoder_graph
from inkscan.export.lowering import contract_of
from inkscan.export.parity import check_parity
from inkscan.export.quantize import quantized
from inkscan.export.step_graph import step_graph
from inkscan.features import FeatureSettings
from inkscan.files import whole_files
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.runtime.models import CARD, ENCODER, MODEL_JSON, STEP, ExportedModel, ModelInfo
from inkscan.training.checkpoint import Checkpoint, load_checkpoint
from inkscan.training.provenance import began_from_others, licence_of
from inkscan.training.recipes import to_plain

# Of log-probabilities against torch, by the bits of a stored weight; what rounding does to answers a corpus tells.
TOLERANCES = {32: 1e-4, 16: 5e-2, 8: 1.0}
TOLERANCE_QUANTIZED = 3.0


@dataclass(frozen=True)
class ExportSettings:
    name: str
    bits: int = 32  # of a stored weight: 32, 16 or 8
    length_power: float = 0.0  # of the search, where a call does not say otherwise
    reading_order: bool = False  # each ink is read in reading order, too
    quantize_on: Sequence[Ink] | None = None  # images are convolved in eight bits, ranged by these inks
    figures: Mapping[str, float] = field(default_factory=dict)  # measured results, for lists of models


def export_checkpoint(path: Path, settings: ExportSettings) -> ExportedModel:
    """The exported model of a checkpoint's weights, checked against torch."""
    checkpoint = load_checkpoint(path)
    if settings.reading_order:
        check_reading_order(checkpoint, path)
    model = checkpoint.model()
    provenance = {
        **checkpoint.provenance,
        "progress": asdict(checkpoint.progress),
        "recipe": to_plain(checkpoint.recipe),
        "checkpoint": path.name,
    }
    return export_model(model, checkpoint.vocabulary, checkpoint.recipe.features, settings, provenance)


def check_reading_order(checkpoint: Checkpoint, path: Path) -> None:
    """Weights that have only seen ink as it was written misread it in any other order."""
    if not checkpoint.recipe.patterns.in_reading_order and not began_from_others(checkpoint.provenance):
        raise BadRequest(
            f"{path} has learnt from no ink in reading order, which its recipe had none of (patterns.orders.reading): "
            "leave --reading-order out, or train with some"
        )


def export_model(
    model: Scan,
    vocabulary: Vocabulary,
    features: FeatureSettings,
    settings: ExportSettings,
    provenance: dict[str, Any] | None = None,
) -> ExportedModel:
    """The exported model of a network in memory, checked against torch."""
    provenance = provenance or {}
    encoder = _encoder(model, features, settings).SerializeToString()
    step = step_graph(model, bits=settings.bits).SerializeToString()
    system = model.system
    info = ModelInfo(
        name=settings.name,
        system=system.name,
        views=tuple(view.value for view in system.attended),
        looks=contract_of(model).looks,
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
        reading_order=settings.reading_order,
        summary=dict(settings.figures),
        sha256={ENCODER: hashlib.sha256(encoder).hexdigest(), STEP: hashlib.sha256(step).hexdigest()},
    )
    exported = ExportedModel(info, encoder, step)
    tolerance = TOLERANCES[settings.bits] if settings.quantize_on is None else TOLERANCE_QUANTIZED
    check_parity(model, exported, tolerance)
    return exported


def _encoder(model: Scan, features: FeatureSettings, settings: ExportSettings) -> onnx.ModelProto:
    if settings.quantize_on is None:
        return encoder_graph(model, bits=settings.bits)
    if model.offline is None:
        raise BadRequest(f"{model.system.name} sees no image whose convolutions could be quantized")
    encoder = encoder_graph(model, bits=settings.bits, image_bits=32)
    return quantized(encoder, contract_of(model), features, settings.quantize_on)


def write_model(exported: ExportedModel, folder: Path, card: str | None = None) -> None:
    """Write the folder; if anything fails, the model that was there stays whole."""
    card = card or model_card(exported)
    info = replace(
        exported.info, sha256={**exported.info.sha256, CARD: hashlib.sha256(card.encode()).hexdigest()}
    )
    contents = {
        ENCODER: exported.encoder,
        STEP: exported.step,
        CARD: card.encode(),
        MODEL_JSON: info.to_json().encode(),
    }
    with whole_files(*(folder / name for name in contents)) as partials:
        for partial, content in zip(partials, contents.values(), strict=True):
            partial.write_bytes(content)
