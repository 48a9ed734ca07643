"""A language model's training as the command line asks for it, from formulas to the classifier's folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from inkscan.data.corpus import Corpus
from inkscan.errors import BadCorpus
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.language_model import LanguageNetwork
from inkscan.training.command import check_selection
from inkscan.training.corpora import Corpora
from inkscan.training.extra import Extra, check_found
from inkscan.training.language_run import LanguageProgress, LanguageRun, train_language
from inkscan.training.precision import choose_precision
from inkscan.training.provenance import Ingredients, licence_of, new_provenance
from inkscan.training.recipes import LanguageRecipe, with_settings

LONGEST = 60  # tokens of a formula that is learnt from


@dataclass(frozen=True)
class LanguageRequest:
    train: tuple[Path, ...]
    valid: Path
    formulas: tuple[Path, ...]
    classifier: Path  # whose symbols it has
    precision: str = "auto"
    settings: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command that repeats the run, its files without the folders of this machine."""
        words = ["inkscan", "language"]
        for name, paths in (("train", self.train), ("valid", (self.valid,)), ("formulas", self.formulas)):
            words += [word for path in paths for word in (f"--{name}", path.name)]
        words += ["--classifier", self.classifier.resolve().name]
        words += [word for setting in self.settings for word in ("--set", setting)]
        return shlex.join(words)


@dataclass(frozen=True)
class TrainedLanguage:
    """A network that has learnt, with what its export says of it."""

    model: LanguageNetwork
    provenance: dict[str, Any]

    @property
    def licence(self) -> str:
        return licence_of(self.provenance)


def run_language(
    request: LanguageRequest, vocabulary: Vocabulary, listen: Callable[[LanguageProgress], None]
) -> TrainedLanguage:
    """Train a language model of these symbols; on a CPU with one thread."""
    torch.set_num_threads(1)
    run = _prepared(request, vocabulary)
    model, progress = train_language(run, listen)
    return TrainedLanguage(model, {**run.provenance, "progress": asdict(progress)})


def _prepared(request: LanguageRequest, vocabulary: Vocabulary) -> LanguageRun:
    check_found(request.formulas)
    corpora = Corpora.asked_for(request.train, ())
    train, valid = Corpus.read(*corpora.read_paths), Corpus.read(request.valid)
    check_selection(valid.metadata, allowed=False)
    recipe = with_settings(LanguageRecipe(), request.settings)
    extra = Extra.read((), request.formulas)
    truths = _known((sample.tokens for sample in valid), vocabulary)
    if not truths:
        raise BadCorpus("no truth of the validation corpus is written in the classifier's symbols")
    formulas = _known((one.tokens for one in extra.expressions), vocabulary)
    own = _known((sample.tokens for sample in train), vocabulary) * recipe.corpus_times
    held_out = set(truths)  # else what is learnt by heart would be measured
    learnt = [one for one in (*formulas, *own) if one not in held_out]
    if not learnt:
        raise BadCorpus("no formula and no truth is written in the classifier's symbols")
    precision = choose_precision(request.precision, cuda=False)
    made_from = Ingredients(corpora, valid.metadata, len(valid), extra, precision=precision)
    return LanguageRun(
        vocabulary, recipe, learnt, truths, new_provenance(request.command, made_from), precision
    )


def _known(sequences: Iterable[Sequence[str]], vocabulary: Vocabulary) -> list[tuple[int, ...]]:
    """Those that a vocabulary can write, as numbers."""
    return [
        vocabulary.encode(tokens)
        for tokens in sequences
        if 0 < len(tokens) <= LONGEST and all(token in vocabulary for token in tokens)
    ]
