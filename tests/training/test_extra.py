"""An extra bank: it writes its share, says what it is, and goes with its run."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from inkscan.data import corpus as corpus_module
from inkscan.data.corpus import CorpusMetadata, StoredCorpus, write_corpus
from inkscan.data.sample import Sample
from inkscan.errors import BadCorpus, BadSetting, SourceNotFound, WrongBank
from inkscan.export.model import ExportSettings, export_checkpoint, write_model
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.models import read_model
from inkscan.synthesis.bank import SymbolBank
from inkscan.synthesis.formulas import Formula, FormulaBook
from inkscan.synthesis.substitute import is_letter
from inkscan.training.checkpoint import load_checkpoint
from inkscan.training.command import run_training
from inkscan.training.extra import Extra, check_aligned
from inkscan.training.patterns import Material, PatternSource
from inkscan.training.recipes import NO_PATTERNS, Recipe
from inkscan.training.request import TrainRequest
from inkscan.training.run_folder import LAST
from inkscan.training.windows import Windows

POINTS = 237  # in every stroke of the bank, and in no other
FOREIGN = ("Q", "W")  # CROHME has neither
QUICK = ("batch_size=8", "cooldown=0")


def write_bank(path: Path, samples: list[Sample], seed: int = 0, licence: str = "") -> Path:
    """Scribbles in one stroke, by three writers, for all one-letter labels of the samples and some foreign ones."""
    rng = np.random.default_rng(seed)
    labels = sorted({token for sample in samples for token in sample.tokens if token.isalnum()})
    lines = [
        json.dumps(
            {
                "label": label,
                "writer": f"w{i % 3}",
                "strokes": [(1000 * np.cumsum(rng.normal(size=(POINTS, 2)), 0)).tolist()],
            }
        )
        for label in (*labels, *FOREIGN)
        for i in range(4)
    ]
    members = {"chars/1a.jsonl.gz": gzip.compress("\n".join(lines).encode())}
    if licence:
        members["chars/LICENSE"] = f"{licence}\n\nand so on\n".encode()
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


@pytest.fixture(scope="module")
def bank(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "characters.tar"
    return write_bank(path, samples, licence="Attribution 4.0 International")


def bank_strokes(sample: Sample) -> int:
    return sum(len(stroke) == POINTS for stroke in sample.ink.strokes)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["exchange", "recombine"])
def test_the_bank_writes_its_share(samples: list[Sample], bank: Path, kind: str, share: float) -> None:
    rates = replace(NO_PATTERNS, exchange_rate=1.0, extra=share)
    rates = replace(rates, exchange=1.0) if kind == "exchange" else replace(rates, recombine=1.0)
    extra = Extra.read([bank], []).bank(CROHME.tokens)
    source = PatternSource(samples, Recipe(patterns=rates), extra=Material(extra))
    made = [sample for epoch in range(4) for sample in source.epoch(epoch)]
    marked = sum(bank_strokes(sample) > 0 for sample in made) / len(made)
    assert (
        0.6 * share <= marked <= share * 1.3
    )  # some expressions have no such symbol, some pens are the font's
    assert {token for sample in made for token in sample.tokens} <= {t for s in samples for t in s.tokens}


def test_without_a_bank_its_share_changes_nothing(samples: list[Sample]) -> None:
    none, all_ = (
        PatternSource(samples, Recipe(patterns=replace(Recipe().patterns, extra=share))) for share in (0, 1)
    )
    assert none.epoch(0) == all_.epoch(0)


def test_letters_are_renamed_to_those_of_the_corpus_only(samples: list[Sample], bank: Path) -> None:
    everything = SymbolBank.read(bank)
    assert set(FOREIGN) <= set(everything.entries)
    known = Extra.read([bank], []).bank(CROHME.tokens)
    assert known is not None and not set(FOREIGN) & set(known.entries)
    rates = replace(NO_PATTERNS, recombine=1.0, rename=1.0, extra=1.0)
    source = PatternSource(samples, Recipe(patterns=rates), extra=Material(everything))
    made = source.epoch(0)
    assert {token for sample in made for token in sample.tokens} <= {t for s in samples for t in s.tokens}


def test_all_windows_have_the_bank(
    samples: list[Sample], bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_module, "ROW_GROUP_SAMPLES", 16)
    write_corpus(samples, tmp_path / "train.parquet", CorpusMetadata("train"))
    extra = Extra.read([bank], []).bank(CROHME.tokens)
    rates = replace(NO_PATTERNS, exchange=1.0, exchange_rate=1.0, extra=1.0)
    windows = Windows(
        StoredCorpus(tmp_path / "train.parquet"), Recipe(patterns=rates, window=16), Material(extra)
    )
    plan = windows.plan(0)
    assert len(plan) == 3
    for window in plan:
        assert any(map(bank_strokes, windows.held(window).epoch(0)))


def test_a_run_says_what_it_wrote_with_and_resumes_with_that_only(
    corpora: tuple[Path, Path], samples: list[Sample], bank: Path, tmp_path: Path
) -> None:
    def run(out: str, file: Path | None, epochs: float, **options: object) -> dict[str, torch.Tensor]:
        settings = (*QUICK, f"epochs={epochs}")
        request = TrainRequest(
            "onscan", corpora[:1], corpora[1], tmp_path / out, preset="tiny", settings=settings
        )
        run_training(replace(request, bank=(file,) if file else (), **options))  # type: ignore[arg-type]
        return load_checkpoint(tmp_path / out / LAST).tensors

    whole = run("whole", bank, 2)
    run("halves", bank, 0.5)
    for wrong, said in (
        (None, "none is given"),
        (write_bank(tmp_path / "b.tar", samples, 1), "other files are"),
    ):
        with pytest.raises(WrongBank, match=said) as caught:
            run("halves", wrong, 2, resume=True)
        assert caught.value.code == "train.bank"
    copied = Path(shutil.copy(bank, tmp_path / "copied.tar"))  # the same bank, whatever its name
    halves = run("halves", copied, 2, resume=True)
    assert all(torch.equal(value, halves[name]) for name, value in whole.items())

    provenance = json.loads((tmp_path / "whole" / "config.json").read_text())["provenance"]
    (record,) = provenance["bank"]
    assert (record["file"], record["licence"], len(record["sha256"])) == ("characters.tar", "CC BY 4.0", 64)
    assert "--bank characters.tar" in provenance["command"]
    write_model(export_checkpoint(tmp_path / "whole" / LAST, ExportSettings("m")), tmp_path / "m")
    assert read_model(tmp_path / "m").info.variant == "extra symbols"
    card = (tmp_path / "m" / "card.md").read_text()
    assert f"Extra symbols: characters.tar (licence CC BY 4.0, SHA-256 {record['sha256']})" in card

    run("built", None, 0.5, init=(tmp_path / "whole" / LAST,))
    run("built", None, 1, resume=True)
    done = export_checkpoint(tmp_path / "built" / LAST, ExportSettings("m")).info
    assert (done.variant, "bank" in done.provenance) == ("extra symbols", False)

    run("plain", None, 0.5)
    with pytest.raises(WrongBank, match="without --bank: leave it out"):
        run("plain", bank, 1, resume=True)


def test_a_bank_without_use_or_content_is_refused(
    corpora: tuple[Path, Path], samples: list[Sample], bank: Path, tmp_path: Path
) -> None:
    request = TrainRequest("onscan", corpora[:1], corpora[1], tmp_path / "run", preset="tiny", bank=(bank,))
    for settings in (("patterns.extra=0",), ("patterns.exchange=0", "patterns.recombine=0")):
        with pytest.raises(BadSetting, match="no use"):
            run_training(replace(request, settings=settings))
    with pytest.raises(SourceNotFound):
        run_training(replace(request, bank=(tmp_path / "absent.tar",)))
    with pytest.raises(BadCorpus, match="no character"):
        Extra.read([bank], []).bank(("\\alpha",))
    assert Extra.read([write_bank(tmp_path / "n.tar", samples)], []).banks[0].licence == "unknown"
    assert (
        Extra.read([write_bank(tmp_path / "o.tar", samples, licence="Ours")], []).banks[0].licence == "Ours"
    )
    assert not (tmp_path / "run").exists()


def test_a_bank_needs_a_corpus_that_says_which_strokes_make_a_symbol(
    corpora: tuple[Path, Path], samples: list[Sample], bank: Path, tmp_path: Path
) -> None:
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples]
    write_corpus(bare, tmp_path / "bare.parquet", CorpusMetadata("train"))
    paths = (tmp_path / "bare.parquet",)
    for settings in ((), ("window=20",)):
        request = TrainRequest(
            "onscan", paths, corpora[1], tmp_path / "run", preset="tiny", settings=settings
        )
        with pytest.raises(BadCorpus, match="says of no symbol"):
            run_training(replace(request, bank=(bank,)))


def test_letters_are_renamed_with_formulas_and_without_a_bank(samples: list[Sample]) -> None:
    book = FormulaBook.of([Formula("f", "CC0", ("x", "+", "y"))], ("x", "y", "+"))
    recipe = Recipe(patterns=replace(NO_PATTERNS, recombine=1.0, formula=1.0, rename=1.0))
    source = PatternSource(samples, recipe, extra=Material(None, book))
    letters = {token for pattern in source.epoch(0) for token in pattern.tokens if is_letter(token)}
    assert letters - {"x", "y"}


def test_one_aligned_corpus_of_several_is_enough_wherever_it_stands(
    samples: list[Sample], bank: Path, tmp_path: Path
) -> None:
    bare = [replace(sample, alignment=((),) * len(sample.tokens)) for sample in samples]
    write_corpus(bare, tmp_path / "bare.parquet", CorpusMetadata("train"))
    write_corpus(samples, tmp_path / "aligned.parquet", CorpusMetadata("train"))
    both = StoredCorpus(tmp_path / "bare.parquet", tmp_path / "aligned.parquet")
    assert len(list(both)) == 2 * len(samples)
    check_aligned(both, Extra.read([bank], []))
    with pytest.raises(BadCorpus):
        check_aligned(StoredCorpus(tmp_path / "bare.parquet"), Extra.read([bank], []))
