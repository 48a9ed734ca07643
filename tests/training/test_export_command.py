"""`inkscan export` on a finished run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, BadRequest, TestSplitSelection
from inkscan.runtime.models import find_model, read_model
from inkscan.training.checkpoint import load_checkpoint, save_checkpoint
from inkscan.training.recipes import with_settings
from inkscan.training.run_folder import LAST


def test_measured_figures_are_kept_for_lists_of_models(finished: Path, tmp_path: Path) -> None:
    figures = ["--figure", "CROHME 2014 ExpRate = 60.65", "--figure", "p=0.05 or less=7"]
    arguments = ["export", str(finished / LAST), "-o", str(tmp_path / "model"), *figures]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert read_model(tmp_path / "model").info.summary == {
        "CROHME 2014 ExpRate": 60.65,
        "p=0.05 or less": 7.0,
    }


@pytest.mark.parametrize("text", ["60.65", "=60.65", "rate=", "rate=high", "rate=nan"])
def test_a_figure_without_name_or_number_is_refused(text: str, finished: Path, tmp_path: Path) -> None:
    arguments = ["export", str(finished / LAST), "-o", str(tmp_path / "model"), "--figure", text]
    with pytest.raises(BadRequest, match="NAME=VALUE"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert not (tmp_path / "model").exists()


def exported(finished: Path, out: Path, *options: object) -> int:
    arguments = ["export", str(finished / LAST), "-o", str(out), *map(str, options)]
    return CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code


def test_confidences_are_not_fitted_on_what_was_learnt_from(
    finished: Path, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(BadCorpus, match="learnt from this corpus"):
        exported(finished, tmp_path / "model", "--calibrate", corpora[0])
    assert not (tmp_path / "model").exists()


def test_confidences_say_what_they_were_fitted_on_and_no_test_set_is(
    finished: Path, samples: list[Sample], tmp_path: Path
) -> None:
    for split in ("mine", "test2014"):
        write_corpus([*samples, *samples], tmp_path / f"{split}.parquet", CorpusMetadata(split))
    assert exported(finished, tmp_path / "model", "--calibrate", tmp_path / "mine.parquet") == 0
    assert read_model(tmp_path / "model").info.provenance["calibrated_on"]["split"] == "mine"
    with pytest.raises(TestSplitSelection):
        exported(finished, tmp_path / "other", "--calibrate", tmp_path / "test2014.parquet")


def test_confidences_may_be_those_of_another_model(finished: Path, tmp_path: Path) -> None:
    assert exported(finished, tmp_path / "model", "--confidences-of", "onscan") == 0
    bundled = read_model(find_model("onscan")).info
    assert read_model(tmp_path / "model").info.calibration == bundled.calibration
    with pytest.raises(BadRequest, match="not both"):
        exported(finished, tmp_path / "b", "--confidences-of", "onscan", "--calibrate", "any.parquet")
    assert exported(finished, tmp_path / "never") == 0
    with pytest.raises(BadRequest, match="never calibrated"):
        exported(finished, tmp_path / "b", "--confidences-of", tmp_path / "never")


def test_scores_on_what_was_learnt_from_say_so(
    finished: Path, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    exported(finished, tmp_path / "model")
    for corpus, is_seen in zip(corpora, (True, False), strict=True):
        arguments = ["eval", str(tmp_path / "model"), "--data", str(corpus), "--limit", "2"]
        output = CliRunner().invoke(app, arguments, catch_exceptions=False).output
        assert ("says nothing about other ink" in output) == is_seen
        assert ("seen:in-training" in output) == is_seen


@pytest.mark.parametrize("setting", ["patterns.reorder=0", "patterns.orders.reading=0"])
def test_reading_order_is_for_models_that_have_seen_it(finished: Path, tmp_path: Path, setting: str) -> None:
    assert exported(finished, tmp_path / "seen", "--reading-order") == 0
    assert read_model(tmp_path / "seen").info.reading_order
    seen = load_checkpoint(finished / LAST)
    without = replace(seen, recipe=with_settings(seen.recipe, [setting]))
    save_checkpoint(without, tmp_path / LAST)
    assert exported(tmp_path, tmp_path / "as-written") == 0
    with pytest.raises(BadRequest, match="no ink in reading order"):
        exported(tmp_path, tmp_path / "model", "--reading-order")
    assert not (tmp_path / "model").exists()


def test_reading_order_that_earlier_weights_may_have_seen_is_in_doubt(finished: Path, tmp_path: Path) -> None:
    seen = load_checkpoint(finished / LAST)
    begun = {**seen.provenance, "init": {"file": "old.safetensors", "licence": "CC0-1.0"}}
    recipe = with_settings(seen.recipe, ["patterns.reorder=0"])
    save_checkpoint(replace(seen, recipe=recipe, provenance=begun), tmp_path / LAST)
    arguments = ["export", str(tmp_path / LAST), "-o", str(tmp_path / "model")]
    for options, is_said in (["--reading-order"], True), ([], False):
        done = CliRunner().invoke(app, [*arguments, *options], catch_exceptions=False)
        assert (done.exit_code, "is not recorded" in done.stderr) == (0, is_said)
