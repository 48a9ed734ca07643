"""`inkscan classifier` as a user meets it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.training.test_extra import write_bank
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import (
    BadCheckpoint,
    BadCorpus,
    BadSetting,
    InkscanError,
    SourceNotFound,
    TestSplitSelection,
    WrongBank,
)
from inkscan.latex.vocabulary import CROHME, WIDE
from inkscan.runtime.classifier import Classifier, read_classifier
from inkscan.runtime.models import find_model, read_info
from inkscan.training.classifier_command import ClassifierRequest, TrainedClassifier, run_classifier
from inkscan.training.classifier_run import ClassifierProgress
from inkscan.training.command import SEEN
from inkscan.training.run_folder import LAST, hold_run

QUICK = ("epochs=1", "batch_size=64", "patterns.recombine=0")


@pytest.fixture(scope="module")
def licensed(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A training and a validation corpus, each with a licence."""
    folder = tmp_path_factory.mktemp("licensed")
    train, valid = folder / "slate.parquet", folder / "chalk.parquet"
    write_corpus(samples[:40], train, CorpusMetadata("slate", licence="CC BY 4.0"))
    write_corpus(samples[40:], valid, CorpusMetadata("chalk", licence="CC0-1.0"))
    return train, valid


def request(corpora: tuple[Path, Path], out: Path, **changes: object) -> ClassifierRequest:
    asked = ClassifierRequest(train=corpora[:1], valid=corpora[1], out=out, settings=QUICK)
    return replace(asked, **changes)  # type: ignore[arg-type]


def trained(
    asked: ClassifierRequest, said: list[str] | None = None
) -> tuple[TrainedClassifier, list[ClassifierProgress]]:
    told: list[ClassifierProgress] = []
    return run_classifier(asked, told.append, said.append if said is not None else print), told


def invoke(corpora: tuple[Path, Path], out: Path, *options: str) -> tuple[int, str, BaseException | None]:
    given = ["--train", str(corpora[0]), "--valid", str(corpora[1]), "--out", str(out), *options]
    settings = [word for setting in QUICK for word in ("--set", setting)]
    done = CliRunner().invoke(app, ["classifier", *given, *settings])
    return done.exit_code, done.output, done.exception


def test_a_corpus_becomes_a_folder_that_the_runtime_reads(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path
) -> None:
    out = tmp_path / "shapes"
    code, output, _ = invoke(licensed, out, "--precision", "float32")
    assert code == 0, output
    assert "epoch 1: " in output and "licence: CC BY 4.0" in output
    assert {path.name for path in out.iterdir()} == {LAST, "model"}
    assert {path.name for path in (out / "model").iterdir()} == {
        "classifier.onnx", "classifier.json", "card.md",
    }  # fmt: skip
    found = read_classifier(out / "model")
    assert (found.info.name, found.info.licence, found.info.vocabulary) == ("shapes", "CC BY 4.0", CROHME)
    provenance = found.info.provenance
    assert (provenance["train"]["split"], provenance["train"]["samples"]) == ("slate", 40)
    assert (provenance["valid"]["split"], provenance["valid"]["samples"]) == ("chalk", 8)
    assert provenance["progress"]["epoch"] == 1 and provenance["progress"]["symbols"] > 40
    command = (
        "inkscan classifier --train slate.parquet --valid chalk.parquet "
        "--set epochs=1 --set batch_size=64 --set patterns.recombine=0"
    )
    assert provenance["command"] == command
    card = (out / "model" / "card.md").read_text("utf-8")
    assert command in card and "patterns of slate (40 inks" in card
    assert f"{provenance['progress']['symbols']:,} symbols" in card
    scores = Classifier(found).scores(samples[0].ink, [(0,)])
    assert scores.shape == (1, len(CROHME) + 1)


def test_a_run_of_the_command_goes_on_where_it_was(licensed: tuple[Path, Path], tmp_path: Path) -> None:
    asked = request(licensed, tmp_path, settings=(*QUICK, "cooldown=0"))
    assert [one.epoch for one in trained(asked)[1]] == [1]
    longer = replace(asked, settings=(*QUICK, "cooldown=0", "epochs=2"))
    whole, told = trained(longer)
    assert [one.epoch for one in told] == [2]
    assert whole.provenance["progress"]["epoch"] == 2
    with pytest.raises(BadCheckpoint, match="other settings"):
        trained(replace(longer, settings=(*longer.settings, "batch_size=8")))
    with pytest.raises(BadCheckpoint, match="other symbols"):
        trained(replace(longer, alphabet="wide"))


def test_a_finished_run_is_told_as_it_was(licensed: tuple[Path, Path], tmp_path: Path) -> None:
    asked = request(licensed, tmp_path)
    first, again = trained(asked)[0].provenance, trained(asked)[0].provenance
    assert again == first and again["progress"]["symbols"] > 40


def test_a_run_goes_on_with_the_material_that_it_began_with(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path
) -> None:
    out, bank = tmp_path / "run", write_bank(tmp_path / "bank.tar", samples)
    asked = request(licensed, out, precision="float32")
    begun, _ = trained(asked)
    free = tmp_path / "slate.parquet"
    write_corpus(samples[:30], free, CorpusMetadata("slate", licence="CC0-1.0"))
    with pytest.raises(BadSetting, match="began with another --train"):
        trained(replace(asked, train=(free,)))
    with pytest.raises(WrongBank, match="began without --bank"):
        trained(replace(asked, bank=(bank,), settings=(*QUICK, "patterns.exchange=1")))
    with pytest.raises(BadSetting, match="began in float32"):
        trained(replace(asked, precision="bfloat16"))
    longer, _ = trained(replace(asked, precision="auto", settings=(*QUICK, "epochs=2")))
    assert (longer.licence, longer.provenance["precision"]) == (begun.licence, "32-true")
    assert longer.provenance["command"] == begun.provenance["command"] != longer.provenance["resumed_by"]


@pytest.mark.parametrize("more", [(), (0,)], ids=["alone", "among others"])
def test_who_measures_on_what_it_learns_from_is_told(
    licensed: tuple[Path, Path], tmp_path: Path, more: tuple[int, ...]
) -> None:
    asked = request(licensed, tmp_path / "run", train=(licensed[1], *(licensed[i] for i in more)))
    for _ in ("begins", "goes on"):
        said: list[str] = []
        trained(asked, said)
        assert said == [SEEN]
    said.clear()
    trained(request(licensed, tmp_path / "other"), said)
    assert not said
    code, output, _ = invoke((licensed[1], licensed[1]), tmp_path / "told")
    assert code == 0 and SEEN in output


def test_it_can_learn_the_symbols_of_a_model(
    licensed: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def graphs(*_: object) -> None:
        raise AssertionError("a vocabulary stands in model.json; the graphs are not asked")

    monkeypatch.setattr("inkscan.runtime.models.verified_content", graphs)
    code, output, _ = invoke(licensed, tmp_path / "run", "--symbols-of", "onscan-wide")
    assert code == 0, output
    info = read_classifier(tmp_path / "run" / "model").info
    assert info.vocabulary == read_info(find_model("onscan-wide")).vocabulary
    assert "--symbols-of onscan-wide" in info.provenance["command"]
    code, _, error = invoke(licensed, tmp_path / "other", "--symbols-of", "onscan-wide", "--alphabet", "wide")
    assert code and isinstance(error, BadSetting)


def test_alphabet_precision_and_a_process_ahead_can_be_asked_for(
    licensed: tuple[Path, Path], tmp_path: Path
) -> None:
    whole, _ = trained(request(licensed, tmp_path, alphabet="wide", precision="float32", ahead=True))
    assert (whole.vocabulary, whole.provenance["precision"]) == (WIDE, "32-true")
    assert "--alphabet wide" in whole.provenance["command"]


def test_it_says_what_it_was_written_with(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path
) -> None:
    bank = write_bank(tmp_path / "bank.tar", samples, licence="Attribution 4.0 International")
    out = tmp_path / "shapes"
    code, output, _ = invoke(licensed, out, "--bank", str(bank), "--set", "patterns.exchange=1")
    assert code == 0, output
    (file,) = read_classifier(out / "model").info.provenance["bank"]
    assert file["file"] == "bank.tar"
    card = (out / "model" / "card.md").read_text("utf-8")
    assert f"* Extra symbols: bank.tar (licence {file['licence']}, SHA-256 {file['sha256']})." in card
    assert "--bank bank.tar" in card and str(tmp_path) not in card


def test_it_learns_from_what_is_given_beside_the_corpus(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path
) -> None:
    bank = write_bank(tmp_path / "bank.tar", samples)
    settings = (*QUICK, "patterns.exchange=1", "patterns.extra=1")
    with_bank, without = (
        trained(request(licensed, tmp_path / str(len(banks)), bank=banks, settings=settings))[0]
        for banks in ((bank,), ())
    )
    assert "bank" in with_bank.provenance and "bank" not in without.provenance
    weights = (one.model.state_dict()["head.1.weight"] for one in (with_bank, without))
    assert not torch.equal(*weights)


@pytest.mark.parametrize("split", ["test2014", "crohme-test2014"])
def test_a_test_set_neither_trains_nor_measures_it(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path, split: str
) -> None:
    test_set = tmp_path / "t.parquet"
    write_corpus(samples, test_set, CorpusMetadata(split))
    out = tmp_path / "run"
    with pytest.raises(TestSplitSelection, match="--valid"):
        trained(request(licensed, out, valid=test_set))
    with pytest.raises(TestSplitSelection, match="no model is made with it"):
        trained(request(licensed, out, train=(licensed[0], test_set)))
    code, _, error = invoke((licensed[0], test_set), out)
    assert code != 0 and isinstance(error, TestSplitSelection | SystemExit)
    assert not out.exists()


def test_what_cannot_be_trained_with_is_refused_before_any_work(
    licensed: tuple[Path, Path], samples: list[Sample], tmp_path: Path
) -> None:
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples[:8]]
    write_corpus(bare, tmp_path / "bare.parquet", CorpusMetadata("bare"))
    bank = write_bank(tmp_path / "bank.tar", samples)
    asked = request(licensed, tmp_path / "run")
    refused: list[tuple[ClassifierRequest, type[InkscanError], str]] = [
        (replace(asked, train=(tmp_path / "bare.parquet",)), BadCorpus, "of no symbol which strokes"),
        (replace(asked, train=()), BadSetting, "--train"),
        (replace(asked, bank=(tmp_path / "none.tar",)), SourceNotFound, "there is no file .*none.tar"),
        (
            replace(asked, bank=(bank,), settings=(*QUICK, "patterns.extra=0")),
            BadSetting,
            "--bank has no use",
        ),
        (replace(asked, settings=("epoch=1",)), BadSetting, "did you mean epochs"),
        (replace(asked, settings=("epochs=0.5",)), BadSetting, "epochs=0.5: a classifier .* whole epochs"),
        (replace(asked, settings=("clip_norm=0.01",)), BadSetting, "no setting 'clip_norm'"),
        (replace(asked, alphabet="greek"), BadSetting, "greek"),
        (replace(asked, precision="half"), BadSetting, "half"),
    ]
    for one, error, said in refused:
        with pytest.raises(error, match=said):
            trained(one)
        assert not (tmp_path / "run").exists()


def test_one_process_at_a_time_trains_in_a_folder(licensed: tuple[Path, Path], tmp_path: Path) -> None:
    with hold_run(tmp_path), pytest.raises(BadCheckpoint, match="another process"):
        trained(request(licensed, tmp_path))
    assert not (tmp_path / LAST).exists()
