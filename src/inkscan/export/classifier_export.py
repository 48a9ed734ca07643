"""Export of a classifier of single symbols: classifier.onnx with its description, checked against torch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from inkscan.errors import ModelError
from inkscan.export.card import bank_lines
from inkscan.export.graph import Graph
from inkscan.features.symbol_pictures import CHANNELS, MEASURES, SIDE
from inkscan.files import whole_files
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.runtime import contract
from inkscan.runtime.classifier import Classifier, ClassifierInfo, ExportedClassifier
from inkscan.runtime.models import CARD, CLASSIFIER_GRAPH, CLASSIFIER_JSON, LANGUAGE_GRAPH

# Against torch, by the bits of a stored weight: the root of the mean squared difference of scores, as a share of their
# standard deviation. A hundredth of each weight more or less makes 0.01 to 0.03, eight bits alone 0.003 to 0.02.
TOLERANCES = {32: 1e-4, 8: 0.05}


def classifier_graph(model: SymbolClassifier, *, bits: int = 32) -> onnx.ModelProto:
    """The network in evaluation, each norm folded into the convolution before it."""
    g = Graph("classifier", bits=bits)
    pictures, measures = g.input(contract.PICTURES), g.input(contract.MEASURES)
    half = CHANNELS // 2
    parts = [
        _chain(g, tower, _channels(g, pictures, start, start + half))
        for tower, start in ((model.near, 0), (model.around, half))
    ]
    scores = _chain(g, model.head, g.op("Concat", *parts, measures, axis=1))
    last = model.head[-1]
    assert isinstance(last, nn.Linear)
    g.output(contract.classes(last.out_features), scores)
    return g.model()


def _channels(g: Graph, pictures: str, start: int, end: int) -> str:
    return g.op("Slice", pictures, g.ints(start), g.ints(end), g.ints(1))


def _chain(g: Graph, layers: nn.Sequential, x: str) -> str:
    for at, layer in enumerate(layers):
        if isinstance(layer, nn.Conv2d):
            x = _convolution(g, layer, layers[at + 1], x)
        elif isinstance(layer, nn.Linear):
            x = g.linear(x, layer.weight, layer.bias)
        elif isinstance(layer, nn.ReLU):
            x = g.op("Relu", x)
        elif isinstance(layer, nn.MaxPool2d):
            x = g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
        elif isinstance(layer, nn.Flatten):
            x = g.op("Reshape", x, g.ints(0, -1))
        elif not isinstance(layer, nn.BatchNorm2d | nn.Dropout):
            raise ModelError(f"export.classifier_export cannot write {type(layer).__name__}")
    return x


def _convolution(g: Graph, conv: nn.Conv2d, norm: nn.Module, x: str) -> str:
    assert isinstance(norm, nn.BatchNorm2d) and norm.running_var is not None and norm.running_mean is not None
    scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
    weight, bias = conv.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale
    return g.op("Conv", x, g.weight(weight), g.weight(bias), kernel_shape=[3, 3], pads=[1] * 4)


def export_classifier(
    model: SymbolClassifier,
    vocabulary: Vocabulary,
    name: str,
    licence: str,
    provenance: Mapping[str, Any],
    bits: int = 8,
) -> ExportedClassifier:
    """The exported form of a network in memory, checked against torch, in float32 too, which shows smaller faults."""
    model.eval()
    info = ClassifierInfo(name, vocabulary, licence, provenance, {})
    for stored_in in sorted({32, bits}, reverse=True):
        graph = classifier_graph(model, bits=stored_in).SerializeToString()
        digest = hashlib.sha256(graph).hexdigest()
        exported = ExportedClassifier(replace(info, sha256={CLASSIFIER_GRAPH: digest}), graph)
        _check_parity(model, exported, TOLERANCES[stored_in])
    return exported


def _check_parity(model: SymbolClassifier, exported: ExportedClassifier, tolerance: float) -> None:
    rng = np.random.default_rng(0)
    images = rng.random((3, CHANNELS, SIDE, SIDE), dtype=np.float32)
    measures = rng.normal(size=(3, MEASURES)).astype(np.float32)
    feeds = {contract.PICTURES.name: images, contract.MEASURES.name: measures}
    (found,) = Classifier(exported).session.run(None, feeds)
    with torch.no_grad():
        wanted = model(torch.from_numpy(images), torch.from_numpy(measures)).numpy()
    difference = float(np.sqrt(np.square(found - wanted).mean()) / wanted.std())
    if not difference <= tolerance:  # NaN stays
        raise ModelError(
            f"the exported classifier answers otherwise than torch, by {difference:.2g} of the spread of its scores"
        )


def classifier_card(exported: ExportedClassifier) -> str:
    """The card as Markdown: what a person should know before using the weights."""
    info = exported.info
    train, progress = info.provenance.get("train", {}), info.provenance.get("progress", {})
    resumed_by = info.provenance.get("resumed_by")
    lines = [
        f"# {info.name}",
        "",
        f"A classifier of single symbols that weighs what models read by what it looks like: "
        f"{len(info.vocabulary.symbols)} tokens, {len(exported.graph) / 1e6:.1f} MB.",
        "",
        f"* Licence of the training data, and so of the weights: {info.licence}.",
        f"* Trained on {progress.get('symbols', 0):,} symbols of generated patterns of {train.get('split', 'unknown')} "
        f"({train.get('samples', '?')} inks, fingerprint {str(train.get('fingerprint', 'unknown'))[:16]}), "
        f"{progress.get('cpu_hours', 0):.1f} CPU hours.",
        f"* Of the symbols of the validation set it knows {progress.get('accuracy', 0):.1f} %.",
        *bank_lines(info.provenance),
        f"* Command: `{info.provenance.get('command', 'unknown')}`.",
        *([f"* Gone on with by: `{resumed_by}`."] if resumed_by else ()),
    ]
    return "\n".join(lines) + "\n"


def write_classifier(exported: ExportedClassifier, folder: Path, card: str) -> None:
    """Write the folder; if anything fails, what was there stays whole."""
    hashes = {**exported.info.sha256, CARD: hashlib.sha256(card.encode()).hexdigest()}
    contents = {
        CLASSIFIER_GRAPH: exported.graph,
        **({} if exported.language is None else {LANGUAGE_GRAPH: exported.language}),
        CARD: card.encode(),
        CLASSIFIER_JSON: replace(exported.info, sha256=hashes).to_json().encode(),
    }
    with whole_files(*(folder / name for name in contents)) as partials:
        for partial, content in zip(partials, contents.values(), strict=True):
            partial.write_bytes(content)
