"""A training run as the command line asks for it: corpora read, config settled, processes started."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from lightning_fabric import Fabric
from lightning_fabric.strategies.ddp import DDPStrategy

from inkscan.data.ancestry import learnt_from
from inkscan.data.corpus import VALIDATION_SPLIT, Corpus, CorpusMetadata, StoredCorpus
from inkscan.errors import BadCheckpoint, BadCorpus, BadSetting, TestSplitSelection
from inkscan.files import whole_file
from inkscan.latex.vocabulary import CROHME, WIDE, Vocabulary
from inkscan.models.systems import ModelConfig, preset, system_named
from inkscan.training.beginning import Beginning
from inkscan.training.checkpoint import Checkpoint, load_checkpoint
from inkscan.training.corpora import Corpora
from inkscan.training.extra import Extra, check_aligned, check_found, check_resumed, check_used
from inkscan.training.listener import Listener
from inkscan.training.loop import Run, train
from inkscan.training.patterns import Material
from inkscan.training.precision import choose_precision
from inkscan.training.provenance import Ingredients, new_provenance, resumed_provenance
from inkscan.training.recipes import Recipe, recipe_named, to_plain, with_settings
from inkscan.training.request import TrainRequest, check_options, command_of
from inkscan.training.run_folder import BEST, CONFIG, LAST, REPORT, hold_run
from inkscan.training.teachers import Teachers

SEEN = f"--valid is among what the weights have learnt from, so its scores choose nothing: take {LAST}"


@dataclass(frozen=True)
class Settled:
    """Recipe and model sizes after presets, the resumed run and --set."""

    recipe: Recipe
    model: ModelConfig


def run_training(request: TrainRequest) -> None:
    """Run or resume a training; on a CPU every process has one thread."""
    system_named(request.system)  # a misspelt name is reported before any work
    check_found((*request.bank, *request.formulas))
    cuda = torch.cuda.is_available()
    begun_in = precision_of_run(request.out) if request.resume else None
    precision = choose_precision(request.precision, cuda=cuda, begun_in=begun_in)
    fabric = Fabric(
        accelerator="cuda" if cuda else "cpu",
        precision=precision,
        devices=request.devices,
        num_nodes=request.nodes,
        # Gradients live in the buckets that are exchanged, which saves copying them.
        strategy=DDPStrategy(gradient_as_bucket_view=True) if request.devices * request.nodes > 1 else "auto",
    )
    fabric.launch()
    with leaving_the_group(), hold_run(request.out) if fabric.is_global_zero else nullcontext():
        train_with(request, fabric, precision)


@contextmanager
def leaving_the_group() -> Iterator[None]:
    """Processes part before Python ends: gloo's threads that are still there then abort theirs now and then."""
    try:
        yield
    finally:
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()


def train_with(request: TrainRequest, fabric: Fabric, precision: str) -> None:
    """What each process of a run does."""
    if fabric.device.type == "cpu" and fabric.world_size > 1:
        torch.set_num_threads(1)
    corpora = Corpora.asked_for(request.train, request.repeat)
    train_corpus, valid_corpus = StoredCorpus(*corpora.read_paths), Corpus.read(request.valid)
    if not len(train_corpus) or not len(valid_corpus):
        raise BadCorpus("the training and the validation corpus each need at least one sample")
    check_selection(valid_corpus.metadata, allowed=request.select_on_test)
    resumed = run_to_resume(request)
    extra = Extra.read(request.bank, request.formulas)
    if resumed:
        check_options(resumed.provenance.get("command"), request)
        check_resumed(resumed.provenance, extra)
        check_corpora(resumed.provenance, train_corpus.metadata, valid_corpus.metadata)
    check_beginning(request)
    beginning = Beginning()
    if resumed is None:
        beginning = Beginning.read(request.init, request.encoder, request.add_symbols, request.recipe)
    base = beginning.inits[0][1] if request.add_symbols and not resumed else resumed
    vocabulary = base.vocabulary if base else choose_vocabulary(train_corpus, request.alphabet)
    settled = settle(request, vocabulary, base)
    check_plan(resumed, settled.recipe)
    check_used(settled.recipe.patterns, extra)
    teachers = Teachers.read(request.teacher, vocabulary)
    command = command_of(request)
    if resumed:
        check_teachers(resumed.provenance, teachers)
        provenance = resumed_provenance(resumed.provenance, command)
    else:
        valid = (valid_corpus.metadata, len(valid_corpus))
        made_from = Ingredients(
            corpora, *valid, extra, beginning.sources, teachers.checkpoints, precision=precision
        )
        provenance = new_provenance(command, made_from)
    if fabric.is_global_zero:
        write_config(request.out, settled, provenance)
    start = beginning.start(settled.model, settled.recipe, vocabulary)
    train_samples = train_corpus if settled.recipe.window else Corpus.read(*corpora.read_paths)
    check_aligned(train_samples, extra)
    run = Run(
        config=settled.model,
        vocabulary=vocabulary,
        recipe=settled.recipe,
        train=train_samples,
        valid=valid_corpus,
        out=request.out,
        provenance=provenance,
        resume=resumed,
        extra=Material(extra.bank(vocabulary.tokens), extra.book(vocabulary.tokens)),
        init=start.weights if start else None,
        ahead=request.ahead,
        teachers=teachers,
    )
    complaints = [
        *beginning.complaints(settled.model, settled.recipe.features),
        *(start.complaints if start else ()),
        *([SEEN] if valid_corpus.metadata.fingerprint in learnt_from(provenance) else ()),
    ]
    train_aloud(run, fabric, [f"precision {precision} on {fabric.world_size} process(es)", *complaints])


def train_aloud(run: Run, fabric: Fabric, before: Sequence[str]) -> None:
    """Train, with what there is to say before and after."""
    with Listener(run, active=fabric.is_global_zero) as listener:
        for line in before:
            listener.say(line)
        progress = train(run, fabric, listener)
        if run.resume and progress.step == run.resume.progress.step:
            has_patience = 0 < run.recipe.patience <= progress.stale
            goes_on = "its patience is at an end; --set patience=N" if has_patience else "--set epochs=N"
            listener.say(f"the run is at its end, so there was nothing to train: {goes_on} goes on")
        listener.say(f"curves and mistakes: {run.out / REPORT}")
        listener.say(f"next: inkscan export {run.out / BEST} -o MODEL")


def precision_of_run(out: Path) -> str | None:
    """In which a run began, if there is one to go on with."""
    last = out / LAST
    return load_checkpoint(last).provenance.get("precision") if last.exists() else None


def run_to_resume(request: TrainRequest) -> Checkpoint | None:
    """The run in the folder that is asked for, if it is to go on."""
    last = request.out / LAST
    if last.exists() and not request.resume:
        raise BadCheckpoint(
            f"{request.out} already holds a run; --resume goes on with it, another --out starts anew"
        )
    return load_checkpoint(last) if last.exists() else None


OF_THE_PLAN = ("batch_size", "max_points", "max_pixels", "window", "seed")  # settings that make the batches


def settle(request: TrainRequest, vocabulary: Vocabulary, base: Checkpoint | None) -> Settled:
    """Presets, or the values of the run that is resumed or extended, with the request's --set on top."""
    recipe = base.recipe if base else recipe_named(request.recipe)
    model = base.config if base else preset(request.preset, request.system, len(vocabulary))
    if model.system != request.system:
        raise BadSetting(f"the checkpoint to go on from is of {model.system}, not {request.system}")
    own = [s for s in request.settings if not s.startswith("model.")]
    sizes = [s.removeprefix("model.") for s in request.settings if s.startswith("model.")]
    settled = Settled(with_settings(recipe, own), with_settings(model, sizes))
    check_sizes(settled.model, model)
    return settled


def check_sizes(model: ModelConfig, unchanged: ModelConfig) -> None:
    if (model.system, model.vocabulary_size) != (unchanged.system, unchanged.vocabulary_size):
        raise BadSetting(
            "the system and the corpus's vocabulary are given: model.system and vocabulary_size stay"
        )


def check_beginning(request: TrainRequest) -> None:
    if request.add_symbols and request.alphabet != "corpus":
        raise BadSetting("--add-symbols adds to the alphabet of --init: leave --alphabet out")


def check_plan(begun: Checkpoint | None, recipe: Recipe) -> None:
    """Within an epoch its batches stay, for by their count it is known which patterns are done."""
    if begun is None or not (begun.progress.window or begun.progress.batch):
        return
    changed = [name for name in OF_THE_PLAN if getattr(begun.recipe, name) != getattr(recipe, name)]
    if changed:
        raise BadSetting(
            f"{', '.join(changed)}: the run stands within an epoch, whose batches would be others; go to its end first"
        )


def check_corpora(begun: dict[str, Any], train: CorpusMetadata, valid: CorpusMetadata) -> None:
    """A run goes on with the corpora that it began with: its patterns and its best rate come from them."""
    for name, given in (("train", train), ("valid", valid)):
        if begun[name]["fingerprint"] != given.fingerprint:
            raise BadSetting(
                f"the run to go on with began with another --{name} (fingerprint {begun[name]['fingerprint'][:16]}, "
                f"not {given.fingerprint[:16]}); --init with its checkpoint starts a new run on other data"
            )


def check_teachers(begun: dict[str, Any], teachers: Teachers) -> None:
    """A run goes on learning from those that it began with."""
    before = [(teacher["file"], teacher.get("sha256")) for teacher in begun.get("teachers", ())]
    given = [(name, checkpoint.sha256) for name, checkpoint in teachers.checkpoints]
    if before != given:
        names, others = (" and ".join(name for name, _ in group) for group in (before, given))
        raise BadSetting(
            f"the run to go on with has {names or 'no model'} for its teacher, not {others or 'none'} or not this "
            "one of that name: name the same with --teacher"
        )


def check_selection(valid: CorpusMetadata, *, allowed: bool) -> None:
    """Refuse to select a checkpoint on a test set, unless that is said aloud."""
    if valid.is_test and not allowed:
        raise TestSplitSelection(
            f"--valid is the split {valid.split!r}: choosing a checkpoint on a test set makes its figures worthless. "
            f"Use CROHME's {VALIDATION_SPLIT}, or --select-on-test, which stamps the run."
        )


def choose_vocabulary(corpus: StoredCorpus, alphabet: str = "corpus") -> Vocabulary:
    """Of a corpus CROHME's where it suffices, else its own tokens; the wide one has to know all of these."""
    learnt = Vocabulary.learn([sorted(corpus.token_set())])
    if alphabet == "corpus":
        return CROHME if set(learnt.tokens) <= set(CROHME.tokens) else learnt
    if alphabet != "wide":
        raise BadSetting(f"no alphabet {alphabet!r}; there are corpus and wide")
    if unknown := sorted(set(learnt.tokens) - set(WIDE.tokens)):
        raise BadSetting(
            f"the wide alphabet lacks {' '.join(unknown)}, which the corpus has: leave --alphabet out"
        )
    return WIDE


def write_config(out: Path, settled: Settled, provenance: dict[str, Any]) -> None:
    """config.json repeats a run: its command with every setting spelled out."""
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(
        {"model": asdict(settled.model), "recipe": to_plain(settled.recipe), "provenance": provenance},
        indent=2,
    )
    with whole_file(out / CONFIG) as partial:
        partial.write_text(text + "\n", encoding="utf-8")
