"""Evaluation with a recogniser whose mistakes are known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from tests.runtime.tiny_classifier import exported_classifier
from typer.testing import CliRunner

from inkscan.cli import eval as eval_command
from inkscan.cli.eval import has_learnt_from
from inkscan.cli.main import app
from inkscan.data.corpus import CorpusMetadata, write_corpus
from inkscan.data.rejection import NOT_INK, Rejection, rejection_path, write_rejections
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, BadRequest, NoTruth
from inkscan.evaluation.dataset import Dataset, read_dataset
from inkscan.evaluation.evaluate import evaluate
from inkscan.evaluation.score_files import write_expressions
from inkscan.runtime.classifier import Classifier
from inkscan.synthesis.generate import Generator

from .oracle import Oracle, made_samples

SAMPLES = made_samples(40)
WRONG = {
    "sample3": ("x", "^", "{", "3", "}"),  # a wrong label
    "sample4": ("x", "_", "{", "2", "}"),  # a wrong relation
    "sample5": (),
}
METADATA = CorpusMetadata(split="test2014", licence="none", fingerprint="f" * 64)


def _corpus(folder: Path, samples: list[Sample] = SAMPLES) -> Path:
    path = folder / "test2014.parquet"
    write_corpus(samples, path, METADATA)
    return path


def test_planted_mistakes_are_found() -> None:
    done = evaluate(Oracle(SAMPLES, WRONG, frozenset({"sample6"})), Dataset(METADATA, SAMPLES))
    scored = done.report
    assert scored.count == 40
    assert scored.token.value("exp_rate") == 90.0
    assert scored.token.value("le1") == 95.0
    assert scored.symlg.value("le1") == 92.5
    assert scored.symlg.value("stru_rate") == 92.5
    assert dict(scored.failures) == {"missing": 1, "ink.too_large": 1}
    assert [(group.name, group.count) for group in scored.by_source] == [("even", 20), ("odd", 20)]
    assert scored.symbols is not None
    assert scored.symbols.value("segmentation_recall") == pytest.approx(100 * 76 / 80)
    assert scored.symbols.value("recognition_recall") == pytest.approx(100 * 75 / 80)
    assert scored.calibration is not None
    assert scored.calibration.count == 39
    assert scored.calibration.error == pytest.approx((36 * 0.05 + 3 * 0.25) / 39)


def test_one_failing_ink_takes_no_other_with_it() -> None:
    oracle = Oracle(SAMPLES, {}, frozenset({"sample6"}))
    done = evaluate(oracle, Dataset(METADATA, SAMPLES))
    assert [p.failure for p in done.predictions].count("ink.too_large") == 1
    assert sum(bool(p.tokens) for p in done.predictions) == 39


def test_files_left_out_of_the_corpus_count_as_wrong(tmp_path: Path) -> None:
    path = _corpus(tmp_path)
    left_out = [
        Rejection("set/bad.inkml", "ink.empty", "empty"),
        Rejection("set/readme.txt", NOT_INK, "no ink"),
    ]
    write_rejections(left_out, rejection_path(path))
    done = evaluate(Oracle(SAMPLES, {}), read_dataset(path))
    assert done.report.count == 41
    assert done.report.token.value("exp_rate") == pytest.approx(100 * 40 / 41)
    assert done.report.failures["ink.empty"] == 1


def test_ink_without_a_truth_is_not_scored(tmp_path: Path) -> None:
    path = _corpus(tmp_path)
    left_out = [
        Rejection("a.inkml", NoTruth.code, "no truth"),
        Rejection("b.inkml", "ink.malformed", "broken"),
    ]
    write_rejections(left_out, rejection_path(path))
    assert [one.name for one in read_dataset(path).rejected] == ["b.inkml"]


def test_a_limit_beyond_the_set_changes_nothing(tmp_path: Path) -> None:
    path = _corpus(tmp_path)
    write_rejections([Rejection("b.inkml", "ink.malformed", "broken")], rejection_path(path))
    dataset = read_dataset(path).with_pen("sparse")
    assert dataset.first(40) is dataset
    some = dataset.first(3)
    assert (len(some.samples), some.rejected, some.condition) == (3, (), dataset.condition)


def test_a_new_corpus_has_no_report_of_an_older_one(tmp_path: Path) -> None:
    path = _corpus(tmp_path)
    write_rejections([Rejection("b.inkml", "ink.malformed", "broken")], rejection_path(path))
    assert read_dataset(_corpus(tmp_path)).rejected == ()


def test_a_raw_folder_scores_like_its_corpus(tmp_path: Path) -> None:
    from inkscan.synthesis.generate import sample_to_inkml

    folder = tmp_path / "own-test2014"
    folder.mkdir()
    for sample in SAMPLES:
        (folder / f"{sample.id}.inkml").write_bytes(sample_to_inkml(sample))
    (folder / "empty.inkml").write_bytes(b"")
    dataset = read_dataset(folder)
    done = evaluate(Oracle(dataset.samples, WRONG), dataset)
    assert done.report.count == 41
    assert done.report.token.value("exp_rate") == pytest.approx(100 * 37 / 41)
    assert done.report.symbols is not None
    assert (dataset.name, dataset.metadata.is_test) == ("CROHME 2014", True)


@pytest.mark.parametrize(
    ("train", "has_learnt"),
    [
        ({"fingerprint": "f" * 64}, True),
        ({"fingerprint": "a" * 64, "corpora": [{"fingerprint": "b" * 64}, {"fingerprint": "f" * 64}]}, True),
        ({"fingerprint": "a" * 64, "corpora": [{"fingerprint": "b" * 64}, {"fingerprint": "c" * 64}]}, False),
    ],
)
def test_a_classifier_may_be_the_one_who_has_learnt_from_a_set(
    train: dict[str, Any], has_learnt: bool
) -> None:
    oracle, exported = Oracle(SAMPLES, WRONG), exported_classifier()
    oracle.classifier = Classifier(
        replace(exported, info=replace(exported.info, provenance={"train": train}))
    )
    assert has_learnt_from(cast(Any, oracle), Dataset(METADATA, SAMPLES)) == has_learnt


@pytest.mark.parametrize(
    ("split", "name", "is_test"),
    [
        ("test2013", "CROHME 2013", False),
        ("crohme-test2019", "CROHME 2019", True),
        ("Test2014", "CROHME 2014", True),
        ("train", "train", False),
        ("made + test2014", "made + test2014", True),  # generated from it
    ],
)
def test_a_set_says_what_it_is(split: str, name: str, is_test: bool) -> None:
    dataset = Dataset(CorpusMetadata(split), ())
    assert (dataset.name, dataset.metadata.is_test) == (name, is_test)


def test_eval_and_score_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_command, "recognizer_of", lambda *_: Oracle(SAMPLES, WRONG))
    report, predictions, truths = tmp_path / "r.json", tmp_path / "p.tsv", tmp_path / "t.tsv"
    arguments = [
        "eval",
        "oracle",
        "--data",
        _corpus(tmp_path),
        "--json",
        report,
        "--predictions",
        predictions,
    ]
    done = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0
    assert "a test set" in done.stdout
    write_expressions({sample.id: " ".join(sample.tokens) for sample in SAMPLES}, truths)
    scored = CliRunner().invoke(
        app, ["score", str(truths), str(predictions), "--json"], catch_exceptions=False
    )
    evaluated = json.loads(report.read_text("utf-8"))
    again = json.loads(scored.stdout)
    for family in ("token", "symlg"):  # files do not say how the answers were searched for
        again[family]["signature"] += "|beam:3|length-power:0.7"
        assert evaluated[family] == again[family]
    assert f"{evaluated['token']['signature']}\n" in done.stdout
    assert len(evaluated["samples"]) == 40
    compared = CliRunner().invoke(
        app,
        ["compare", str(report), str(predictions), "--truth", str(truths), "--json"],
        catch_exceptions=False,
    )
    assert [row["difference"] for row in json.loads(compared.stdout)] == [0.0, 0.0, 0.0]


def test_reports_of_two_conventions_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_command, "recognizer_of", lambda *_: Oracle(SAMPLES, WRONG))
    corpus, reports = _corpus(tmp_path), [tmp_path / "written.json", tmp_path / "field.json"]
    for report in reports:
        arguments = ["eval", "--data", corpus, "--json", report, "--convention", report.stem]
        CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert json.loads(reports[0].read_text())["search"]["length_power"] == 0.7
    with pytest.raises(BadRequest, match="field and written"):
        CliRunner().invoke(app, ["compare", *map(str, reports)], catch_exceptions=False)


def test_what_needs_symbols_is_refused_where_their_strokes_are_unknown() -> None:
    bare = Dataset(METADATA, [replace(sample, alignment=((),) * len(sample.tokens)) for sample in SAMPLES])
    for change in (lambda: bare.with_pen("joined"), lambda: bare.reordered("late-symbol")):
        with pytest.raises(BadCorpus, match="which strokes make a symbol"):
            change()
    assert bare.with_pen("lifted").samples and bare.reordered("late-stroke").samples


def test_another_pen_is_another_measurement() -> None:
    written = list(Generator().samples(5))
    dataset = Dataset(METADATA, written)
    lifted = dataset.with_pen("lifted").reordered("late-stroke")
    assert lifted.samples == dataset.with_pen("lifted").reordered("late-stroke").samples
    assert sum(len(sample.ink) for sample in lifted.samples) > sum(len(sample.ink) for sample in written)
    score = evaluate(Oracle(lifted.samples, {}), lifted).report.token
    assert score.signature.endswith("|pen:lifted|pen-seed:0|order:late-stroke|order-seed:0")


def test_another_order_of_strokes_is_another_measurement() -> None:
    dataset = Dataset(METADATA, SAMPLES)
    shuffled = dataset.reordered("late-stroke")
    assert shuffled.samples == dataset.reordered("late-stroke").samples
    assert [sample.tokens for sample in shuffled.samples] == [sample.tokens for sample in SAMPLES]
    assert any(new.ink != old.ink for new, old in zip(shuffled.samples, SAMPLES, strict=True))
    for new, old in zip(shuffled.samples, SAMPLES, strict=True):
        assert sorted(map(len, new.ink.strokes)) == sorted(map(len, old.ink.strokes))
    done = evaluate(Oracle(shuffled.samples, {}), shuffled)
    scores = (done.report.token, done.report.symlg, done.report.symbols, done.report.by_length[0].token)
    assert all(score and score.signature.endswith("|order:late-stroke|order-seed:0") for score in scores)
    assert done.report.symbols is not None  # the alignment follows the strokes
    assert done.report.symbols.value("recognition_f1") == 100.0
    assert done.to_json()["data"]["condition"] == "order:late-stroke|order-seed:0"
    as_written = evaluate(Oracle(SAMPLES, {}), dataset)
    assert "order" not in as_written.report.token.signature


def test_an_unknown_order_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_command, "recognizer_of", lambda *_: Oracle(SAMPLES, WRONG))
    words = ["eval", "oracle", "--data", str(_corpus(tmp_path)), "--order", "backwards"]
    with pytest.raises(BadRequest, match="there are late-symbol"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_two_outputs_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_command, "recognizer_of", lambda *_: Oracle(SAMPLES, WRONG))
    out, data = str(tmp_path / "out"), str(_corpus(tmp_path))
    words = ["eval", "oracle", "--data", data, "--json", out, "--predictions", out]
    with pytest.raises(BadRequest, match="named for two outputs"):
        CliRunner().invoke(app, words, catch_exceptions=False)
