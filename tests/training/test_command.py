"""`inkscan train` as a user meets it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.training.conftest import QUICK
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint, BadSetting, TestSplitSelection
from inkscan.export.model import ExportSettings, export_checkpoint
from inkscan.training.average import average_checkpoints
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.command import check_selection, run_training
from inkscan.training.corpora import Corpora
from inkscan.training.provenance import licence_of
from inkscan.training.recipes import recipe_named, with_settings
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import LAST, METRICS, REPORT


def request(corpora: tuple[Path, Path], out: Path, **options: object) -> TrainRequest:
    return TrainRequest("onscan", corpora[:1], corpora[1], out, preset="tiny", settings=QUICK, **options)  # type: ignore[arg-type]


def test_a_run_leaves_config_metrics_and_report(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    run_training(request(corpora, tmp_path / "run"))
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["recipe"]["epochs"] == 1.0
    assert config["provenance"]["train"]["samples"] == 40
    rows = [json.loads(line) for line in (tmp_path / "run" / METRICS).read_text().splitlines()]
    assert rows[-1]["exp_rate"] >= 0
    page = (tmp_path / "run" / REPORT).read_text()
    assert "Validation mistakes" in page
    assert "<svg" in page
    with pytest.raises(BadCheckpoint, match="--resume"):
        run_training(request(corpora, tmp_path / "run"))
    run_training(request(corpora, tmp_path / "run", resume=True))


def test_validating_on_what_is_learnt_from_is_said(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for valid, is_said in zip(corpora, (True, False), strict=True):
        run_training(request((corpora[0], valid), tmp_path / valid.stem))
        assert ("its scores choose nothing" in capsys.readouterr().out) == is_said


def test_a_run_goes_on_in_its_own_precision_and_not_beyond_its_patience(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = request(corpora, tmp_path / "run", precision="float32")
    run_training(replace(asked, settings=(*QUICK, "epochs=9", "patience=1")))
    done = load_checkpoint(tmp_path / "run" / LAST).progress
    assert done.epoch < 9  # a validation was no better than the one before
    with pytest.raises(BadSetting, match="began in float32"):
        run_training(replace(asked, resume=True, precision="bfloat16"))
    run_training(replace(asked, resume=True, precision="auto", settings=("epochs=9",)))
    assert "nothing to train" in capsys.readouterr().out
    assert load_checkpoint(tmp_path / "run" / LAST).progress == done


def test_selecting_on_a_test_split_is_refused() -> None:
    check_selection(CorpusMetadata("test2013"), allowed=False)
    check_selection(CorpusMetadata("test2014"), allowed=True)
    for split in ("test2014", "crohme-test2014", "CROHME_Test2014"):
        with pytest.raises(TestSplitSelection, match="est2014"):
            check_selection(CorpusMetadata(split), allowed=False)


@pytest.mark.parametrize("split", ["test2014", "made + test2014"])
def test_training_on_a_test_set_or_on_what_is_made_from_one_is_refused(
    corpora: tuple[Path, Path], samples: list[Sample], tmp_path: Path, split: str
) -> None:
    write_corpus(samples, tmp_path / "t.parquet", CorpusMetadata(split))
    asked = replace(request(corpora, tmp_path / "run"), train=(corpora[0], tmp_path / "t.parquet"))
    with pytest.raises(TestSplitSelection, match="no model is made with it"):
        run_training(asked)
    assert not (tmp_path / "run" / LAST).exists()


@pytest.mark.parametrize(
    "setting",
    [
        *("model.system=tap", "model.vocabulary_size=5", "model.D=0", "model.m=15", "model.dropout=1.5"),
        *("model.stroke_kernel=4", "model.online_blocks=3"),
    ],
)
def test_sizes_that_no_model_has_are_refused(
    corpora: tuple[Path, Path], tmp_path: Path, setting: str
) -> None:
    asked = TrainRequest(
        "onscan", corpora[:1], corpora[1], tmp_path / "run", preset="tiny", settings=(*QUICK, setting)
    )
    with pytest.raises(BadSetting, match="model"):
        run_training(asked)


@pytest.mark.parametrize("setting", ["features.spacing=0", "features.max_image_side=5", "validate_every=0.5"])
def test_features_and_steps_that_cannot_be_are_refused(setting: str) -> None:
    with pytest.raises(BadSetting, match=setting.split(".")[-1].split("=")[0]):
        with_settings(recipe_named("fast"), [setting])


def test_a_run_that_ends_within_an_epoch_says_how_far_it_came(
    corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    half = TrainRequest(
        "onscan", corpora[:1], corpora[1], tmp_path / "run", preset="tiny", settings=(*QUICK, "epochs=0.5")
    )
    run_training(half)
    *_, last = (json.loads(line) for line in (tmp_path / "run" / METRICS).read_text().splitlines())
    assert 0.5 <= last["epochs"] < 1
    assert 0.5 <= last["best_epoch"] < 1


def test_a_run_goes_on_with_its_own_corpora_alone(
    corpora: tuple[Path, Path], finished: Path, tmp_path: Path
) -> None:
    train, valid = corpora
    for other in ((valid, valid), (train, train)):
        with pytest.raises(BadSetting, match="began with another"):
            run_training(request(other, finished, resume=True))


def test_weights_of_other_sizes_are_refused(
    corpora: tuple[Path, Path], finished: Path, tmp_path: Path
) -> None:
    asked = TrainRequest(
        "onscan",
        corpora[:1],
        corpora[1],
        tmp_path / "run",
        preset="small",
        settings=QUICK,
        init=(finished / "best.safetensors",),
    )
    with pytest.raises(BadCheckpoint, match="--preset"):
        run_training(asked)


def test_a_corpus_without_alignment_is_trained_on(
    samples: list[Sample], corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples[:8]]
    write_corpus(bare, tmp_path / "bare.parquet", CorpusMetadata("train"))
    settings = (
        "epochs=1",
        "patterns.recombine=1",
        "patterns.piece=0",
        "patterns.subexpression=0",
        "patterns.lone=0",
        "patterns.exchange=1",
    )
    run_training(
        TrainRequest(
            "onscan",
            (tmp_path / "bare.parquet",),
            corpora[1],
            tmp_path / "run",
            preset="tiny",
            settings=settings,
        )
    )
    assert (tmp_path / "run" / "best.safetensors").exists()


def test_weights_inherit_the_licences_of_those_they_started_from(
    samples: list[Sample], tmp_path: Path
) -> None:
    mine, theirs = tmp_path / "mine.parquet", tmp_path / "theirs.parquet"
    write_corpus(samples, theirs, CorpusMetadata("theirs", licence="CC BY-NC-SA 3.0"))
    write_corpus(samples, mine, CorpusMetadata("mine", licence="CC BY 4.0"))
    run_training(request((theirs, theirs), tmp_path / "first"))
    start = tmp_path / "first" / LAST
    run_training(request((mine, mine), tmp_path / "second", init=(start,)))
    run_training(request((mine, mine), tmp_path / "second", resume=True))
    exported = export_checkpoint(tmp_path / "second" / LAST, ExportSettings("tuned")).info
    assert exported.licence == "CC BY 4.0; CC BY-NC-SA 3.0"
    told = json.loads((tmp_path / "second" / "config.json").read_text())["provenance"]
    assert ("--init" in told["command"], "--init" in told["resumed_by"]) == (True, False)
    mean = average_checkpoints([start, tmp_path / "second" / LAST])
    assert licence_of(mean.provenance) == "CC BY-NC-SA 3.0; CC BY 4.0"


@pytest.fixture(scope="module")
def two_corpora(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Eight samples under one licence, sixteen under another."""
    folder = tmp_path_factory.mktemp("two")
    mine, theirs = folder / "mine.parquet", folder / "theirs.parquet"
    write_corpus(samples[:8], mine, CorpusMetadata("mine", licence="CC BY 4.0"))
    write_corpus(samples[8:24], theirs, CorpusMetadata("theirs", licence="CC0-1.0"))
    return mine, theirs


@pytest.mark.parametrize("window", [0, 16])
def test_several_corpora_are_trained_on_as_one(
    corpora: tuple[Path, Path], two_corpora: tuple[Path, Path], tmp_path: Path, window: int
) -> None:
    mine, theirs = two_corpora
    out = tmp_path / "run"
    given = ["--train", theirs, "--train", mine, "--repeat", f"{mine}=3", "--valid", corpora[1], "--out", out]
    settings = [word for setting in (*QUICK, f"window={window}") for word in ("--set", setting)]
    done = CliRunner().invoke(app, ["train", "onscan", "--preset", "tiny", *map(str, given), *settings])
    assert done.exit_code == 0, done.output
    checkpoint = load_checkpoint(out / LAST)
    assert checkpoint.progress.samples == 16 + 3 * 8
    told = checkpoint.provenance["train"]
    assert (told["split"], told["samples"]) == ("theirs + mine", 24)
    assert [(one["split"], one["samples"], one["repeat"]) for one in told["corpora"]] == [
        ("theirs", 16, 1),
        ("mine", 8, 3),
    ]
    assert "--train theirs.parquet --train mine.parquet --repeat mine.parquet=3" in done_command(out)
    exported = export_checkpoint(out / LAST, ExportSettings("both")).info
    assert exported.licence == "CC0-1.0; CC BY 4.0"


def done_command(out: Path) -> str:
    return str(json.loads((out / "config.json").read_text())["provenance"]["command"])


def test_a_run_of_several_corpora_goes_on_with_these_alone(
    corpora: tuple[Path, Path], two_corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    mine, theirs = two_corpora
    begun = replace(request(corpora, tmp_path / "run"), train=(mine, theirs), repeat=(f"{mine}=2",))
    run_training(begun)
    again = replace(begun, resume=True)
    for other in (
        replace(again, repeat=()),
        replace(again, train=(theirs, mine)),
        replace(again, train=(mine,)),
        replace(again, train=(mine, theirs, corpora[0])),
    ):
        with pytest.raises(BadSetting, match="began with another --train"):
            run_training(other)
    run_training(again)


def test_within_an_epoch_the_batches_stay(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    asked = request(corpora, tmp_path / "run")
    run_training(replace(asked, settings=(*QUICK, "epochs=0.5")))
    for setting in ("batch_size=4", "seed=2", "max_points=100"):
        with pytest.raises(BadSetting, match="within an epoch"):
            run_training(replace(asked, resume=True, settings=("epochs=1", setting)))
    run_training(replace(asked, resume=True, settings=("epochs=1",)))
    run_training(replace(asked, resume=True, settings=("epochs=2", "batch_size=4")))
    progress = load_checkpoint(tmp_path / "run" / LAST).progress
    assert (progress.epoch, progress.samples) == (2, 80)


def test_a_run_that_was_killed_before_its_first_checkpoint_is_logged_anew(
    corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / METRICS).write_text('{"step": 50}\n{"step": 1')
    run_training(request(corpora, tmp_path / "run", resume=True))
    steps = [json.loads(line)["step"] for line in (tmp_path / "run" / METRICS).read_text().splitlines()]
    assert 50 not in steps


def test_added_symbols_and_another_alphabet_are_two_things(
    corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(BadSetting, match="--alphabet"):
        run_training(request(corpora, tmp_path / "run", add_symbols=("\\hbar",), alphabet="wide"))


def test_a_licence_that_one_of_several_corpora_lacks_is_said(
    corpora: tuple[Path, Path], two_corpora: tuple[Path, Path]
) -> None:
    record = Corpora.asked_for((two_corpora[0], corpora[0]), ()).record()
    assert licence_of({"train": record}) == "CC BY 4.0; not stated"


@pytest.mark.parametrize(
    "repeat", ["mine.parquet", "mine.parquet=0", "mine.parquet=x", "=2", "other.parquet=2"]
)
def test_a_repeat_names_a_corpus_and_a_number(repeat: str) -> None:
    with pytest.raises(BadSetting, match="--repeat"):
        Corpora.asked_for((Path("mine.parquet"),), (repeat,))
