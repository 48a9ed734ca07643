"""A classifier's training as the command line asks for it, from corpora to the folder that the runtime loads."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from inkscan.data.ancestry import learnt_from
from inkscan.data.corpus import Corpus, StoredCorpus
from inkscan.errors import BadCorpus, BadSetting
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.training.classifier_run import (
    ClassifierCheckpoint,
    ClassifierProgress,
    ClassifierRun,
    load_classifier_checkpoint,
    train_classifier,
)
from inkscan.training.command import SEEN, check_corpora, check_selection, choose_vocabulary
from inkscan.training.corpora import Corpora
from inkscan.training.extra import Extra, check_aligned, check_found, check_resumed, check_used
from inkscan.training.patterns import Material
from inkscan.training.precision import choose_precision
from inkscan.training.provenance import Ingredients, licence_of, new_provenance, resumed_provenance
from inkscan.training.recipes import ClassifierRecipe, with_settings
from inkscan.training.run_folder import LAST, hold_run


@dataclass(frozen=True)
class ClassifierRequest:
    train: tuple[Path, ...]
    valid: Path
    out: Path
    bank: tuple[Path, ...] = ()
    formulas: tuple[Path, ...] = ()
    alphabet: str = "corpus"
    symbols_of: str | None = None  # a model, whose vocabulary is
    vocabulary: Vocabulary | None = None
    precision: str = "auto"
    ahead: bool = False
    settings: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command that repeats the run, its files without the folders of this machine."""
        words = ["inkscan", "classifier"]
        for name in ("train", "valid", "bank", "formulas"):
            value = getattr(self, name)
            for path in value if isinstance(value, tuple) else (value,):
                words += [f"--{name}", path.name]
        words += ["--alphabet", self.alphabet] if self.alphabet != "corpus" else []
        words += ["--symbols-of", Path(self.symbols_of).name] if self.symbols_of else []
        words += [word for setting in self.settings for word in ("--set", setting)]
        return shlex.join(words)


@dataclass(frozen=True)
class TrainedClassifier:
    """A network that has learnt, with what its export says of it."""

    model: SymbolClassifier
    vocabulary: Vocabulary
    provenance: dict[str, Any]

    @property
    def licence(self) -> str:
        return licence_of(self.provenance)


def run_classifier(
    request: ClassifierRequest, listen: Callable[[ClassifierProgress], None], say: Callable[[str], None]
) -> TrainedClassifier:
    """Train a classifier, or go on with the one in the run's folder; on a CPU with one thread."""
    torch.set_num_threads(1)
    last = request.out / LAST
    run = _prepared(request, load_classifier_checkpoint(last) if last.exists() else None)
    if run.provenance["valid"]["fingerprint"] in learnt_from(run.provenance):
        say(SEEN)
    with hold_run(request.out):
        model, progress = train_classifier(run, listen)
    return TrainedClassifier(model, run.vocabulary, {**run.provenance, "progress": asdict(progress)})


def _prepared(request: ClassifierRequest, begun: ClassifierCheckpoint | None) -> ClassifierRun:
    """The run as it is asked for; one that goes on has the corpora, the banks and the precision that it began with."""
    check_found((*request.bank, *request.formulas))
    corpora = Corpora.asked_for(request.train, ())
    train, valid = Corpus.read(*corpora.read_paths), Corpus.read(request.valid)
    check_selection(valid.metadata, allowed=False)
    if not any(sample.is_aligned for sample in train):
        raise BadCorpus("the training corpus says of no symbol which strokes it has")
    extra = Extra.read(request.bank, request.formulas)
    recipe = with_settings(ClassifierRecipe(), request.settings)
    check_used(recipe.patterns, extra)
    check_aligned(train, extra)
    if begun:
        check_corpora(begun.provenance, train.metadata, valid.metadata)
        check_resumed(begun.provenance, extra)
    vocabulary = _chosen_vocabulary(request, corpora)
    precision = choose_precision(
        request.precision, cuda=False, begun_in=begun.provenance.get("precision") if begun else None
    )
    made_from = Ingredients(corpora, valid.metadata, len(valid), extra, precision=precision)
    return ClassifierRun(
        vocabulary=vocabulary,
        recipe=recipe,
        train=train,
        valid=valid,
        extra=Material(extra.bank(vocabulary.tokens), extra.book(vocabulary.tokens)),
        out=request.out / LAST,
        provenance=resumed_provenance(begun.provenance, request.command)
        if begun
        else new_provenance(request.command, made_from),
        precision=precision,
        ahead=request.ahead,
    )


def _chosen_vocabulary(request: ClassifierRequest, corpora: Corpora) -> Vocabulary:
    if request.vocabulary is None:
        return choose_vocabulary(StoredCorpus(*corpora.read_paths), request.alphabet)
    if request.alphabet != "corpus":
        raise BadSetting("--symbols-of has the symbols of its model: leave --alphabet out")
    return request.vocabulary
