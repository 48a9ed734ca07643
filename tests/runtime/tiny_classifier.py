"""A classifier of single symbols with random weights."""

from __future__ import annotations

from functools import cache

import torch

from inkscan.export.classifier_export import export_classifier
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.runtime.classifier import ExportedClassifier


def tiny_classifier(classes: int = len(CROHME) + 1, seed: int = 0) -> SymbolClassifier:
    """Random norms, too, and a head so sharp that scores differ by some nats."""
    torch.manual_seed(seed)
    model = SymbolClassifier(classes).eval()
    for name, values in model.named_buffers():
        if name.endswith("running_var"):
            values.copy_(torch.rand_like(values) + 0.5)
        elif name.endswith("running_mean"):
            values.copy_(torch.randn_like(values) * 0.1)
    for name, weights in model.named_parameters():
        if name.startswith("head"):
            weights.data.mul_(8.0)
        elif weights.dim() == 1:
            weights.data.add_(torch.randn_like(weights) * 0.2)
    return model


@cache
def exported_classifier(vocabulary: Vocabulary = CROHME, seed: int = 0) -> ExportedClassifier:
    model = tiny_classifier(len(vocabulary) + 1, seed)
    return export_classifier(
        model, vocabulary, "shapes", "CC0-1.0", {"command": "inkscan classifier"}, bits=32
    )
