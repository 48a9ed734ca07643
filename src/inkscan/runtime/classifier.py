"""Classifier: a small network that says what single symbols look like, apart from what the expression says.

It sees pictures of some strokes (`features.symbol_pictures`) and knows the symbols of a vocabulary, and what is none:
a part of a symbol, or strokes of several. A folder of its own holds it: classifier.onnx, classifier.json, card.md; and
language.onnx, where a language model of formulas weighs answers beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from inkscan.errors import DamagedModel, InkscanError
from inkscan.features.symbol_pictures import StrokeGroup, SymbolPictures, symbol_pictures
from inkscan.ink import Ink
from inkscan.latex.vocabulary import Vocabulary
from inkscan.runtime.contract import MEASURES, NOT_A_SYMBOL, PICTURES, Value, classes
from inkscan.runtime.graph_file import check_graph
from inkscan.runtime.language import LanguageModel
from inkscan.runtime.models import (
    CARD,
    CLASSIFIER_GRAPH,
    CLASSIFIER_JSON,
    LANGUAGE_GRAPH,
    read_description,
    verified_content,
)
from inkscan.runtime.network import Float32, check_session, open_session, run_graph

CLASSIFIER_FORMAT = "inkscan-classifier-1"
AT_ONCE = 64  # groups of strokes that the network looks at


@dataclass(frozen=True)
class ClassifierInfo:
    """classifier.json: all that is known of a classifier beside its graph."""

    name: str
    vocabulary: Vocabulary
    licence: str
    provenance: Mapping[str, Any]
    sha256: Mapping[str, str]  # of each file of the folder

    @property
    def contract(self) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """What its graph takes and gives."""
        return (PICTURES, MEASURES), (classes(len(self.vocabulary) + NOT_A_SYMBOL),)

    @property
    def has_language(self) -> bool:
        """Whether a language model stands beside it."""
        return LANGUAGE_GRAPH in self.sha256

    def to_json(self) -> str:
        values = {"format": CLASSIFIER_FORMAT, **vars(self), "vocabulary": list(self.vocabulary.tokens)}
        return json.dumps(values, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> ClassifierInfo:
        """What `to_json` wrote; anything else is refused."""
        try:
            values = json.loads(text)
            if not isinstance(values, dict) or values.pop("format", None) != CLASSIFIER_FORMAT:
                raise DamagedModel(
                    f"{CLASSIFIER_JSON} is not of the format {CLASSIFIER_FORMAT}; export it with this inkscan"
                )
            info = cls(**{**values, "vocabulary": Vocabulary(tuple(values["vocabulary"]))})
            texts = (info.name, info.licence, *info.vocabulary.tokens)
            if not all(isinstance(one, str) for one in texts):
                raise TypeError("its name, licence and vocabulary are texts")
            if not all(isinstance(one, dict) for one in (info.provenance, info.sha256)):
                raise TypeError("its provenance and its hashes are objects")
            return info
        except DamagedModel:
            raise
        except (InkscanError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise DamagedModel(f"{CLASSIFIER_JSON} is damaged or of another version: {error}") from error


@dataclass(frozen=True)
class ExportedClassifier:
    """A folder's content after its check."""

    info: ClassifierInfo
    graph: bytes
    language: bytes | None = None


def read_classifier_info(folder: Path) -> ClassifierInfo:
    """Read what classifier.json says; its graph is not looked at."""
    made_by = "`inkscan classifier --out RUN` makes one in RUN/model"
    return ClassifierInfo.from_json(read_description(folder / CLASSIFIER_JSON, made_by))


def read_card(folder: Path, info: ClassifierInfo) -> str:
    """The card of a classifier, which classifier.json has the hash of; empty if it has none."""
    if CARD not in info.sha256:
        return ""
    try:
        return verified_content(folder / CARD, info.sha256[CARD], CLASSIFIER_JSON).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedModel(f"{folder / CARD} is not UTF-8 text; copy or export it again") from error


def read_classifier(folder: Path) -> ExportedClassifier:
    """Read an exported classifier and verify its graphs against classifier.json."""
    info = read_classifier_info(folder)
    graph = _verified_graph(folder, CLASSIFIER_GRAPH, info)
    language = _verified_graph(folder, LANGUAGE_GRAPH, info) if info.has_language else None
    return ExportedClassifier(info, graph, language)


def _verified_graph(folder: Path, name: str, info: ClassifierInfo) -> bytes:
    graph = verified_content(folder / name, info.sha256.get(name, ""), CLASSIFIER_JSON)
    check_graph(graph, name)
    return graph


@dataclass(frozen=True)
class Classifier:
    """A classifier, made ready when it is first asked. Calls are independent, so threads may share it."""

    exported: ExportedClassifier = field(repr=False)
    threads: int = 1

    @property
    def info(self) -> ClassifierInfo:
        return self.exported.info

    @cached_property
    def session(self) -> Any:
        session = open_session(self.exported.graph, CLASSIFIER_GRAPH, self.threads)
        check_session(session, CLASSIFIER_GRAPH, *self.info.contract, CLASSIFIER_JSON)
        return session

    @cached_property
    def language(self) -> LanguageModel | None:
        """The language model beside it, if there is one."""
        graph = self.exported.language
        return None if graph is None else LanguageModel(graph, self.info.vocabulary, self.threads)

    def open_all(self) -> None:
        """Make both networks ready, so that damaged ones are refused now."""
        _ = self.session
        if self.language:
            _ = self.language.session

    def scores(self, ink: Ink, groups: Sequence[StrokeGroup]) -> Float32:
        """Log-odds of all symbols and of none for some groups of strokes, (G, K + 1), up to a constant each."""
        parts = [groups[first : first + AT_ONCE] for first in range(0, len(groups), AT_ONCE)]
        found: Float32 = np.concatenate([self._scores(symbol_pictures(ink, part)) for part in parts])
        if not np.isfinite(found).all():
            raise DamagedModel(
                f"{self.info.name} answers with what is no number (NaN or infinity); export a sound one"
            )
        return found

    def _scores(self, seen: SymbolPictures) -> Float32:
        feeds = {PICTURES.name: seen.images, MEASURES.name: seen.measures}
        (scores,) = run_graph(self.session, CLASSIFIER_GRAPH, None, feeds)
        return np.asarray(scores)

    def __reduce__(self) -> tuple[Any, ...]:
        return Classifier, (self.exported, self.threads)
