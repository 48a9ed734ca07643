"""The mean of checkpoints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import BadCheckpoint, BadRequest, TestSplitSelection
from inkscan.export.card import model_card
from inkscan.export.model import ExportSettings, export_checkpoint
from inkscan.training.average import average_checkpoints
from inkscan.training.checkpoint import load_checkpoint, save_checkpoint
from inkscan.training.corpora import Corpora
from inkscan.training.extra import Extra
from inkscan.training.provenance import Ingredients, new_provenance, without_repeats
from inkscan.training.run_folder import LAST


@pytest.fixture
def moved(finished: Path, tmp_path: Path) -> Path:
    """A copy of a finished run's checkpoint, every weight one higher, trained with a bank."""
    checkpoint = load_checkpoint(finished / LAST)
    tensors = {
        f"model.{name}": value + 1 if value.is_floating_point() else value
        for name, value in checkpoint.weights().items()
    }
    bank = {"bank": {"file": "bank.tar", "sha256": "0" * 64, "licence": "CC BY 4.0"}}
    path = tmp_path / "moved.safetensors"
    save_checkpoint(replace(checkpoint, tensors=tensors, provenance=checkpoint.provenance | bank), path)
    return path


def test_the_mean_lies_between_and_can_be_exported(finished: Path, moved: Path, tmp_path: Path) -> None:
    out = tmp_path / "mean.safetensors"
    arguments = ["average", str(finished / LAST), str(moved), "-o", str(out)]
    run = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "the mean of 2" in run.stdout
    first, mean = load_checkpoint(finished / LAST).weights(), load_checkpoint(out)
    assert not mean.part("optimizer") and not mean.part("ema")
    for name, value in mean.weights().items():
        expected = first[name] + 0.5 if value.is_floating_point() else first[name]
        torch.testing.assert_close(value, expected)
    assert export_checkpoint(finished / LAST, ExportSettings("one")).info.variant == ""
    again = average_checkpoints([finished / LAST, finished / LAST], half=True)
    assert {value.dtype for value in again.weights().values() if value.is_floating_point()} == {torch.float16}


def test_what_only_training_hid_is_no_matter(finished: Path, tmp_path: Path) -> None:
    checkpoint, path = load_checkpoint(finished / LAST), tmp_path / "other.safetensors"
    save_checkpoint(
        replace(checkpoint, config=replace(checkpoint.config, hide_online=0.5, dropout=0.1)), path
    )
    assert average_checkpoints([finished / LAST, path]).config == checkpoint.config
    save_checkpoint(replace(checkpoint, config=replace(checkpoint.config, stroke_kernel=9)), path)
    with pytest.raises(BadCheckpoint, match="other sizes"):
        average_checkpoints([finished / LAST, path])


def test_a_corpus_that_is_read_is_not_written_over(finished: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "train.parquet"
    corpus.write_bytes(b"ink")
    arguments = ["average", str(finished / LAST), "--statistics", str(corpus), "-o", str(corpus)]
    with pytest.raises(BadRequest, match="is what this command reads"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert corpus.read_bytes() == b"ink"


def test_a_bank_marks_the_mean(finished: Path, moved: Path) -> None:
    provenance = average_checkpoints([finished / LAST, moved]).provenance
    assert provenance["init_bank"][0]["file"] == "bank.tar"
    assert [source["file"] for source in provenance["mean_of"]] == [LAST, "moved.safetensors"]


def test_one_that_counts_several_times_is_told_once(finished: Path, moved: Path) -> None:
    mean = average_checkpoints([moved, moved, finished / LAST, moved])
    assert [(source["file"], source.get("times")) for source in mean.provenance["mean_of"]] == [
        ("moved.safetensors", 3),
        (LAST, None),
    ]
    assert mean.provenance["train"] == load_checkpoint(moved).provenance["train"]  # told there alone
    assert ["train" in source for source in mean.provenance["mean_of"]] == [False, True]
    one, other = (load_checkpoint(path).weights() for path in (moved, finished / LAST))
    for name, value in mean.weights().items():
        if value.is_floating_point():
            torch.testing.assert_close(value, 0.75 * one[name] + 0.25 * other[name])


def test_the_collections_of_a_bank_stay_named(finished: Path, moved: Path, tmp_path: Path) -> None:
    """Records of older runs have no collections; the same file is in both."""
    older = load_checkpoint(moved)
    bank = {**older.provenance["bank"], "sources": [{"name": "uji", "licence": "CC BY 4.0", "samples": 3}]}
    newer = tmp_path / "newer.safetensors"
    save_checkpoint(replace(older, provenance={**older.provenance, "bank": [bank]}), newer)
    for paths in ((newer, moved), (moved, newer)):
        assert average_checkpoints(paths).provenance["init_bank"] == [bank]
        save_checkpoint(average_checkpoints(paths), tmp_path / "mean.safetensors")
        exported = export_checkpoint(tmp_path / "mean.safetensors", ExportSettings("m"))
        assert model_card(exported).count("  * uji: 3 (licence CC BY 4.0)") == 1


def test_a_mean_of_means_tells_all_of_its_sources(finished: Path, moved: Path, tmp_path: Path) -> None:
    save_checkpoint(average_checkpoints([finished / LAST, moved]), tmp_path / "mean.safetensors")
    first, second = average_checkpoints([tmp_path / "mean.safetensors", moved]).provenance["mean_of"]
    assert [source["file"] for source in first["mean_of"]] == [LAST, "moved.safetensors"]
    assert "mean_of" not in second


def test_one_alone_is_stored_anew_and_has_come_from_nowhere_else(finished: Path) -> None:
    again = average_checkpoints([finished / LAST], half=True)
    assert "mean_of" not in again.provenance
    assert again.provenance["command"] == load_checkpoint(finished / LAST).provenance["command"]


def test_unlike_models_have_no_mean(finished: Path, tmp_path: Path) -> None:
    checkpoint = load_checkpoint(finished / LAST)
    config, features = checkpoint.config, checkpoint.recipe.features
    wider = replace(checkpoint, config=replace(config, q=config.q + 1))
    other = replace(checkpoint, recipe=replace(checkpoint.recipe, features=replace(features, spacing=0.3)))
    for unlike, words in ((wider, "sizes or symbols"), (other, "other features")):
        save_checkpoint(unlike, tmp_path / "unlike.safetensors")
        with pytest.raises(BadCheckpoint, match=words):
            average_checkpoints([finished / LAST, tmp_path / "unlike.safetensors"])


def test_an_ancestor_of_several_sources_is_told_in_full_once() -> None:
    first = {"file": "a", "licence": "L", "command": "train a", "train": {"split": "s"}, "samples": 9}
    left = {"file": "b", "licence": "L", "command": "train b", "init": first}
    right = {"file": "c", "licence": "L", "command": "train c", "init": first, "more_inits": [left]}
    shorter = without_repeats({"command": "train b", "init": first, "mean_of": [left, right]})
    again = {"file": "a", "licence": "L", "command": "train a"}
    assert shorter["init"] == first
    assert shorter["mean_of"] == [
        {**left, "init": again},
        {**right, "init": again, "more_inits": [{"file": "b", "licence": "L", "command": "train b"}]},
    ]
    assert without_repeats(shorter) == shorter


def test_a_mean_is_neither_measured_on_a_test_set_nor_written_over_what_it_is_made_of(
    finished: Path, moved: Path, samples: list[Sample], tmp_path: Path
) -> None:
    write_corpus(samples, tmp_path / "t.parquet", CorpusMetadata("test2014"))
    arguments = ["average", str(finished / LAST), str(moved)]
    out = ["-o", str(tmp_path / "m"), "--statistics", str(tmp_path / "t.parquet")]
    with pytest.raises(TestSplitSelection):
        CliRunner().invoke(app, [*arguments, *out], catch_exceptions=False)
    with pytest.raises(BadRequest, match="what this command reads"):
        CliRunner().invoke(app, [*arguments, "-o", str(moved)], catch_exceptions=False)


def test_what_a_test_set_has_chosen_stays_known(finished: Path, tmp_path: Path) -> None:
    chosen = load_checkpoint(finished / LAST)
    chosen = replace(chosen, provenance={**chosen.provenance, "selected_on_test": True})
    kept = chosen.provenance["valid"]
    valid = CorpusMetadata(kept["split"], kept["licence"], kept["fingerprint"])
    train = Corpora((tmp_path / "t.parquet",), (1,))
    write_corpus([], tmp_path / "t.parquet", CorpusMetadata("train"))
    named = (("a", chosen),)
    for inits, teachers in ((named, ()), ((), named)):
        made_from = Ingredients(train, valid, 8, Extra(), inits=inits, teachers=teachers)
        assert new_provenance("train", made_from)["selected_on_test"]
    assert not new_provenance("train", Ingredients(train, valid, 8, Extra()))["selected_on_test"]
