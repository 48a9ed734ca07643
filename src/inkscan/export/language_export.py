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

from inkscan.data.corpus import joined_licences
from inkscan.errors import ModelError
from inkscan.export.card import bank_lines
from inkscan.export.encoder_graph import onnx_gates
from inkscan.export.graph import Graph
from inkscan.models.language_model import LanguageNetwork
from inkscan.runtime import contract
from inkscan.runtime.classifier import ExportedClassifier
from inkscan.runtime.language import LanguageModel
from inkscan.runtime.models import LANGUAGE_GRAPH

HEADING = "## Its language model"
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
    """The classifier with this language model of that licence beside it, checked against torch, in float32 too."""
    model.eval()
    vocabulary = classifier.info.vocabulary
    graph = b""
    for stored_in in sorted({32, bits}, reverse=True):
        graph = language_graph(model, bits=stored_in).SerializeToString()
        _check_parity(model, LanguageModel(graph, vocabulary), TOLERANCES[stored_in])
    # Its own licence, without that of a language model whose place is taken.
    own = classifier.info.provenance.get("language", {}).get("classifier_licence") or classifier.info.licence
    info = replace(
        classifier.info,
        licence=joined_licences((own, licence)),
        provenance={
            **classifier.info.provenance,
            "language": {**provenance, "licence": licence, "classifier_licence": own},
        },
        sha256={**classifier.info.sha256, LANGUAGE_GRAPH: hashlib.sha256(graph).hexdigest()},
    )
    return ExportedClassifier(info, classifier.graph, graph)


def _check_parity(model: LanguageNetwork, exported: LanguageModel, tolerance: float) -> None:
    answers = np.random.default_rng(0).integers(0, model.tokens, size=(3, 12))
    (found,) = exported.session.run(None, {contract.ANSWERS.name: answers})
    with torch.no_grad():
        wanted = model(torch.from_numpy(answers)).numpy()
    likely = ~(wanted <= -12)  # nobody asks how unlikely the rest is; NaN stays
    difference = float(np.abs(found - wanted)[likely].max())
    if not difference <= tolerance:
        raise ModelError(
            f"the exported language model answers otherwise than torch, by {difference:.2g} nats"
        )


def card_with_language(card: str, exported: ExportedClassifier) -> str:
    """The card of a classifier, with what is to be said of the language model beside it in the place of what was."""
    before, _, rest = card.partition(f"\n{HEADING}\n")
    _, heading, after = rest.partition("\n## ")
    provenance, graph = exported.info.provenance["language"], exported.language or b""
    train, progress = provenance.get("train", {}), provenance.get("progress", {})
    lines = [
        before.rstrip("\n"),
        "",
        HEADING,
        "",
        f"`{LANGUAGE_GRAPH}` weighs what models read by what formulas usually say: "
        f"{len(exported.info.vocabulary.symbols)} tokens, {len(graph) / 1e6:.1f} MB.",
        "",
        f"* Licence of the corpora that it is trained on: {provenance['licence']}.",
        f"* Trained on {progress.get('formulas', 0):,} formulas and truths, those of {train.get('split', 'unknown')} "
        f"among them and each as often as an epoch has it, {progress.get('epoch', 0)} epochs, "
        f"{progress.get('cpu_hours', 0):.1f} CPU hours.",
        f"* Cross entropy {progress.get('cross_entropy', 0):.3f} nats a token on the validation set's truths.",
        *bank_lines(provenance),
        f"* Command: `{provenance.get('command', 'unknown')}`.",
    ]
    return "\n".join(lines) + "\n" + (f"{heading}{after}" if heading else "")
