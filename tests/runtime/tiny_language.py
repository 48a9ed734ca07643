"""A language model with random weights."""

from __future__ import annotations

from functools import cache

import torch
from tests.runtime.tiny_classifier import exported_classifier

from inkscan.export.language_export import with_language
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.models.language_model import LanguageNetwork
from inkscan.runtime.classifier import ExportedClassifier


def tiny_language(tokens: int = len(CROHME), seed: int = 0) -> LanguageNetwork:
    """So sharp that tokens differ by some nats."""
    torch.manual_seed(seed)
    model = LanguageNetwork(tokens).eval()
    for weights in (model.out.weight, model.embedding.weight):
        weights.data.mul_(2.0)
    return model


@cache
def classifier_with_language(vocabulary: Vocabulary = CROHME) -> ExportedClassifier:
    model = tiny_language(len(vocabulary))
    provenance = {"command": "inkscan language"}
    return with_language(exported_classifier(vocabulary), model, "CC0-1.0", provenance, bits=32)
