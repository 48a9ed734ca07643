"""Export of a language model: language.onnx, checked against torch, put beside the classifier that weighs with it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from inkscan.errors import ModelError
from inkscan.export.card import bank_lines
from inkscan.export.encoder_graph import onnx_gates
from inkscan.export.graph import Graph
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.language_model import LanguageNetwork
from inkscan.runtime import contract
from inkscan.runtime.classifier import ExportedClassifier
from inkscan.runtime.language import LanguageModel
from inkscan.runtime.models import LANGUAGE_GRAPH

TOLERANCES = {32: 1e-3, 8: 0.25}  # nats: the largest difference of a log-probability from torch's


def language_graph(model: LanguageNetwork, *, bits: int = 32) -> onnx.ModelProto:
    """The network in evaluation."""
    g = Graph("language", bits=bits)
    answers = g.input(contract.ANSWERS)
    first = g.op("Slice", answers, g.ints(0), g.ints(1), g.ints(1))
    start = g.op("Add", g.op("Mul", first, g.ints(0)), g.ints(model.tokens))
    before = g.op("Concat", start, g.op("Slice", answers, g.ints(0), g.ints(-1), g.ints(1)), axis=1)
    seen = g.op("Gather", g.weight(model.embedding.weight), before)  # (A, T, E)
    seen = g.op("Transpose", seen, perm=[1, 0, 2])
    for gru in model.grus:
        assert isinstance(gru, nn.GRU)
        seen = _ahead(g, gru, seen)
    seen = g.op("Transpose", seen, perm=[1, 0, 2])
    scores = g.linear(
        g.linear(seen, model.out.weight, model.out.bias), model.embedding.weight[: model.tokens], model.bias
    )
    g.output(contract.next_tokens(model.tokens), g.op("LogSoftmax", scores, axis=2))
    return g.model()


def _ahead(g: Graph, gru: nn.GRU, x: str) -> str:
    """One direction, over (T, A, any)."""
    named = gru.state_dict()
    W, R, B_W, B_R = (
        onnx_gates(named[name])[None] for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    y = g.op(
        "GRU", x, g.weight(W), g.weight(R), g.weight(torch.cat([B_W, B_R], dim=1)),
        hidden_size=gru.hidden_size, linear_before_reset=1,
    )  # (T, 1, A, units)  # fmt: skip
    return g.op("Squeeze", y, g.ints(1))


def with_language(
    classifier: ExportedClassifier,
    model: LanguageNetwork,
    licence: str,
    provenance: Mapping[str, Any],
    bits: int = 8,
) -> ExportedClassifier:
    """The classifier with this language model beside it, checked against torch, in float32 too."""
    model.eval()
    vocabulary = classifier.info.vocabulary
    graph = b""
    for stored_in in sorted({32, bits}, reverse=True):
        graph = language_graph(model, bits=stored_in).SerializeToString()
        _check_parity(model, LanguageModel(graph, vocabulary), TOLERANCES[stored_in])
    info = replace(
        classifier.info,
        licence=licence,
        provenance={**classifier.info.provenance, "language": dict(provenance)},
        sha256={**classifier.info.sha256, LANGUAGE_GRAPH: hashlib.sha256(graph).hexdigest()},
    )
    return ExportedClassifier(info, classifier.graph, graph)


def _check_parity(model: LanguageNetwork, exported: LanguageModel, tolerance: float) -> None:
    answers = np.random.default_rng(0).integers(0, model.tokens, size=(3, 12))
    (found,) = exported.session.run(None, {contract.ANSWERS.name: answers})
    with torch.no_grad():
        wanted = model(torch.from_numpy(answers)).numpy()
    likely = wanted > -12  # nobody asks how unlikely the rest is
    difference = float(np.abs(found - wanted)[likely].max())
    if not difference <= tolerance:  # NaN stays
        raise ModelError(
            f"the exported language model answers otherwise than torch, by {difference:.2g} nats"
        )


def language_lines(provenance: Mapping[str, Any], vocabulary: Vocabulary, megabytes: float) -> list[str]:
    """What the card of a classifier says of the language model beside it."""
    train, progress = provenance.get("train", {}), provenance.get("progress", {})
    return [
        "",
        "## Its language model",
        "",
        f"`{LANGUAGE_GRAPH}` weighs what models read by what formulas usually say: "
        f"{len(vocabulary.symbols)} tokens, {megabytes:.1f} MB.",
        "",
        f"* Trained on {progress.get('formulas', 0):,} formulas and truths, those of {train.get('split', 'unknown')} "
        f"among them, {progress.get('epoch', 0)} epochs, {progress.get('cpu_hours', 0):.1f} CPU hours.",
        f"* Cross entropy {progress.get('cross_entropy', 0):.3f} nats a token on the validation set's truths.",
        *bank_lines(provenance),
        f"* Command: `{provenance.get('command', 'unknown')}`.",
    ]
