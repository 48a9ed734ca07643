"""`inkscan language` as a user meets it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.runtime.tiny_classifier import exported_classifier
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import (
    BadCorpus,
    BadSetting,
    DamagedModel,
    InkscanError,
    SourceNotFound,
    TestSplitSelection,
)
from inkscan.export.classifier_export import classifier_card, write_classifier
from inkscan.latex.vocabulary import CROHME
from inkscan.models.language_model import LanguageNetwork
from inkscan.runtime.classifier import Classifier, read_classifier
from inkscan.training.language_command import LanguageRequest, run_language
from inkscan.training.language_run import LanguageProgress, LanguageRun, train_language
from inkscan.training.recipes import LanguageRecipe

HEADING = "source\tlicence\ttokens\n"
BOOK = ("a ^ { 2 } + b ^ { 2 } = c ^ { 2 }", "x + 1", "\\alpha = 3", "\\unknown + 1")
QUICK = ("epochs=1", "batch_size=8")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "book.tsv"
    path.write_text(HEADING + "".join(f"book\tCC BY-SA\t{tokens}\n" for tokens in BOOK), "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    exported = exported_classifier()
    write_classifier(exported, tmp_path / "shapes", classifier_card(exported))
    return tmp_path / "shapes"


@pytest.fixture
def corpora(samples: list[Sample], tmp_path: Path) -> tuple[Path, Path]:
    train, valid = tmp_path / "slate.parquet", tmp_path / "chalk.parquet"
    write_corpus(samples[:40], train, CorpusMetadata("slate", licence="CC BY 4.0"))
    write_corpus(samples[40:], valid, CorpusMetadata("chalk", licence="CC0-1.0"))
    return train, valid


@pytest.fixture
def request_(corpora: tuple[Path, Path], table: Path, folder: Path) -> LanguageRequest:
    return LanguageRequest(corpora[:1], corpora[1], (table,), folder, "float32", QUICK)


def run(asked: LanguageRequest) -> list[LanguageProgress]:
    told: list[LanguageProgress] = []
    run_language(asked, CROHME, told.append)
    return told


def test_formulas_become_a_language_model_beside_the_classifier(
    corpora: tuple[Path, Path], table: Path, folder: Path, tmp_path: Path
) -> None:
    def invoke(classifier: Path, out: Path) -> str:
        options = ["--train", str(corpora[0]), "--valid", str(corpora[1]), "--formulas", str(table)]
        options += ["--classifier", str(classifier), "--out", str(out), "--precision", "float32"]
        done = CliRunner().invoke(app, ["language", *options, "--set", QUICK[0], "--set", QUICK[1]])
        assert done.exit_code == 0, done.output
        return done.output

    out = tmp_path / "with"
    assert "epoch 1: " in invoke(folder, out)
    before, found = read_classifier(folder), read_classifier(out)
    assert found.graph == before.graph and found.info.vocabulary == before.info.vocabulary
    assert found.info.licence == "CC0-1.0; CC BY 4.0"
    provenance = found.info.provenance["language"]
    assert provenance["command"] == (
        "inkscan language --train slate.parquet --valid chalk.parquet --formulas book.tsv --classifier shapes "
        "--set epochs=1 --set batch_size=8"
    )
    assert provenance["formulas"][0]["licence"] == "CC BY-SA"
    model = Classifier(found).language
    assert model is not None and len(model.fluency([CROHME.encode(["x", "+", "1"])])) == 1
    card = (out / "card.md").read_text("utf-8")
    assert card.startswith((folder / "card.md").read_text("utf-8").rstrip("\n"))
    assert "  * book: 4 (licence CC BY-SA)\n" in card
    assert "Licence of the corpora that it is trained on: CC BY 4.0.\n" in card
    more = card + "\n## By hand\n\nmore\n"
    write_classifier(found, out, more)
    invoke(out, out)  # another one takes its place
    again = read_classifier(out)
    assert again.info.licence == found.info.licence
    renamed = (out / "card.md").read_text("utf-8").replace("--classifier with", "--classifier shapes")
    assert re.sub(r"[\d.]+ CPU", "CPU", renamed) == re.sub(r"[\d.]+ CPU", "CPU", more)


def test_a_damaged_card_is_told_before_the_training(
    corpora: tuple[Path, Path], table: Path, folder: Path
) -> None:
    (folder / "card.md").write_text("another", "utf-8")
    options = ["--train", str(corpora[0]), "--valid", str(corpora[1]), "--formulas", str(table)]
    done = CliRunner().invoke(app, ["language", *options, "--classifier", str(folder), "--out", str(folder)])
    assert isinstance(done.exception, DamagedModel) and "epoch" not in done.output


def test_it_learns_from_what_the_classifier_can_write_but_not_from_what_it_is_measured_on(
    request_: LanguageRequest, samples: list[Sample], table: Path
) -> None:
    truths = {sample.tokens for sample in samples[40:]}
    own = [sample for sample in samples[:40] if sample.tokens not in truths]
    (told,) = run(request_)
    assert told.formulas == len(BOOK) - 1 + 2 * len(own)
    measured = " ".join(samples[40].tokens)
    table.write_text(f"{table.read_text('utf-8')}book\tCC BY-SA\t{measured}\n", "utf-8")
    assert run(request_)[0].formulas == told.formulas


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"formulas": (Path("none.tsv"),)}, SourceNotFound),
        ({"settings": ("epochs=1.5",)}, BadSetting),
        ({"settings": ("epoch=1",)}, BadSetting),
        ({"settings": ("learning_rate=0",)}, BadSetting),
        ({"precision": "half"}, BadSetting),
    ],
)
def test_what_cannot_be_done_is_refused(
    request_: LanguageRequest, changes: dict[str, object], error: type[InkscanError]
) -> None:
    with pytest.raises(error):
        run(replace(request_, **changes))  # type: ignore[arg-type]


def test_test_sets_teach_and_measure_nothing(
    request_: LanguageRequest, samples: list[Sample], tmp_path: Path
) -> None:
    test = tmp_path / "test2014.parquet"
    write_corpus(samples[:8], test, CorpusMetadata("test2014", licence="CC BY 4.0"))
    for changes in ({"train": (test,)}, {"valid": test}):
        with pytest.raises(TestSplitSelection):
            run(replace(request_, **changes))


def test_nothing_to_learn_from_is_said(request_: LanguageRequest) -> None:
    few = replace(CROHME, tokens=CROHME.tokens[:1])
    with pytest.raises(BadCorpus, match="validation"):
        run_language(request_, few, print)
    with pytest.raises(BadCorpus, match="no formula and no truth"):
        run(replace(request_, train=(request_.valid,), formulas=()))


def test_a_rule_is_learnt_and_the_same_seed_learns_the_same() -> None:
    a, b = CROHME.encode(["a", "b"])
    pairs = [(first, first) for first in (a, b)] * 40
    recipe = LanguageRecipe(epochs=40, batch_size=16, warmup_steps=5, learning_rate=5e-3)
    learnt = [
        train_language(LanguageRun(CROHME, replace(recipe, seed=seed), pairs, pairs)) for seed in (1, 1, 2)
    ]
    assert all(
        progress.cross_entropy < 0.4 for _, progress in learnt
    )  # log 2 of three tokens, the rest is known
    one, same, other = (parameters(model) for model, _ in learnt)
    assert torch.equal(one, same) and not torch.equal(one, other)
    _, unclipped = train_language(LanguageRun(CROHME, replace(recipe, clip_norm=0), pairs, pairs))
    assert unclipped.cross_entropy < 0.4


def parameters(model: LanguageNetwork) -> torch.Tensor:
    return torch.cat([values.flatten() for values in model.parameters()])
