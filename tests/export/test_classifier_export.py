"""An exported classifier of single symbols computes what torch computes, and its folder is written whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
import torch
from tests.runtime.tiny_classifier import exported_classifier, tiny_classifier
from tests.test_faults import each_fault
from torch import nn

from inkscan.errors import ModelError
from inkscan.export import classifier_export
from inkscan.export.classifier_export import (
    classifier_card,
    classifier_graph,
    export_classifier,
    write_classifier,
)
from inkscan.features.symbol_pictures import CHANNELS, MEASURES, SIDE, SymbolPictures, symbol_pictures
from inkscan.latex.vocabulary import CROHME, Vocabulary
from inkscan.models.symbol_classifier import SymbolClassifier
from inkscan.runtime.classifier import Classifier, ExportedClassifier, read_classifier
from inkscan.runtime.graph_file import OPERATORS, check_graph
from inkscan.synthesis.generate import Generator

Floats = npt.NDArray[np.float32]
PROVENANCE = {
    "command": "inkscan classifier --train t.parquet",
    "train": {"split": "slate", "samples": 8, "fingerprint": "7" * 64},
    "bank": [{"file": "b.tar", "sha256": "5" * 64, "licence": "ODbL 1.0"}],
    "progress": {"symbols": 12345, "cpu_hours": 1.25, "accuracy": 87.65},
}


def random_pictures(count: int = 16) -> SymbolPictures:
    rng = np.random.default_rng(1)
    images = rng.random((count, CHANNELS, SIDE, SIDE), dtype=np.float32)
    return SymbolPictures(images, rng.normal(size=(count, MEASURES)).astype(np.float32))


def real_pictures() -> SymbolPictures:
    seen = []
    for sample in Generator(max_symbols=9).samples(4, seed=2):
        numbers = range(len(sample.ink))
        seen.append(symbol_pictures(sample.ink, [*((one,) for one in numbers), tuple(numbers)]))
    return SymbolPictures(*(np.concatenate([getattr(one, name) for one in seen]) for name in vars(seen[0])))


def expected(model: SymbolClassifier, seen: SymbolPictures) -> Floats:
    with torch.no_grad():
        found: Floats = model.eval()(torch.from_numpy(seen.images), torch.from_numpy(seen.measures)).numpy()
    return found


def computed(exported: ExportedClassifier, seen: SymbolPictures) -> Floats:
    feeds = {"pictures": seen.images, "measures": seen.measures}
    (scores,) = Classifier(exported).session.run(None, feeds)
    return np.asarray(scores)


def exported(model: SymbolClassifier, bits: int = 32, **provenance: Any) -> ExportedClassifier:
    return export_classifier(model, CROHME, "shapes", "CC BY 4.0", PROVENANCE | provenance, bits)


# ---- what it computes


@pytest.mark.parametrize("seen", [random_pictures(), real_pictures()], ids=["random", "real"])
@pytest.mark.parametrize(("bits", "tolerance"), [(32, 1e-4), (8, 0.3)])
def test_scores_are_those_of_torch(seen: SymbolPictures, bits: int, tolerance: float) -> None:
    model = tiny_classifier()
    wanted = expected(model, seen)
    assert wanted.std(axis=1).min() > 4 * tolerance, "scores that hardly differ would compare with anything"
    np.testing.assert_allclose(computed(exported(model, bits), seen), wanted, atol=tolerance)


def test_fewer_bits_make_it_smaller() -> None:
    model = tiny_classifier()
    assert len(exported(model, bits=8).graph) < 0.3 * len(exported(model, bits=32).graph)


def test_many_pictures_at_once_are_scored_as_one_by_one() -> None:
    seen, whole = real_pictures(), exported(tiny_classifier())
    together = computed(whole, seen)
    for at, scores in enumerate(together):
        one = SymbolPictures(seen.images[at : at + 1], seen.measures[at : at + 1])
        np.testing.assert_allclose(computed(whole, one)[0], scores, atol=1e-4)


def test_a_classifier_scores_the_pictures_of_an_ink() -> None:
    (sample,) = Generator(max_symbols=9).samples(1, seed=2)
    groups = [(0,), (1, 0)]
    wanted = expected(tiny_classifier(), symbol_pictures(sample.ink, groups))
    scores = Classifier(exported(tiny_classifier())).scores(sample.ink, groups)
    np.testing.assert_allclose(scores, wanted, atol=1e-4)


def test_in_the_middle_of_training_it_is_exported_as_in_evaluation() -> None:
    model = tiny_classifier().train()
    whole = exported(model)
    assert whole.graph == exported(tiny_classifier()).graph


@pytest.mark.parametrize("bits", [32, 8])
def test_it_holds_only_operators_that_are_let_through(bits: int) -> None:
    whole = exported(tiny_classifier(), bits)
    graph = onnx.load_from_string(whole.graph).graph
    assert {node.op_type for node in graph.node} <= OPERATORS
    names = check_graph(whole.graph, "classifier.onnx")
    assert (names.inputs, names.outputs) == (["pictures", "measures"], ["scores"])


def test_layers_that_export_does_not_know_are_refused() -> None:
    model = tiny_classifier()
    model.head[2] = nn.GELU()
    with pytest.raises(ModelError, match="cannot write GELU"):
        classifier_graph(model)


def untrained(seed: int = 0) -> SymbolClassifier:
    """As it is before its first step, when its scores hardly differ."""
    torch.manual_seed(seed)
    return SymbolClassifier(len(CROHME) + 1)


def changed(model: SymbolClassifier, share: float) -> SymbolClassifier:
    """The same with each weight a little smaller or larger."""
    torch.manual_seed(5)
    for weights in model.parameters():
        weights.data.mul_(1 + share * torch.randn_like(weights))
    return model.eval()


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("make", [tiny_classifier, untrained], ids=["sharp", "untrained"])
def test_a_graph_of_its_own_is_let_through(make: Callable[..., SymbolClassifier], seed: int) -> None:
    for bits in (32, 8):
        exported(make(seed=seed), bits)


@pytest.mark.parametrize(
    ("other", "wrong_bits"),
    [
        (lambda make: make(seed=1), 32),
        (lambda make: make(seed=1), 8),
        (lambda make: changed(make(), 1e-3), 32),
        (lambda make: changed(make(), 0.1), 8),
    ],
    ids=["another", "another in few bits", "changed a little", "changed in few bits"],
)
@pytest.mark.parametrize("make", [tiny_classifier, untrained], ids=["sharp", "untrained"])
def test_a_graph_that_answers_otherwise_than_torch_is_refused(
    make: Callable[..., SymbolClassifier],
    other: Callable[[Callable[..., SymbolClassifier]], SymbolClassifier],
    wrong_bits: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = classifier_graph(other(make).eval(), bits=wrong_bits)
    right = classifier_graph

    def graph(model: SymbolClassifier, *, bits: int) -> onnx.ModelProto:
        return wrong if bits == wrong_bits else right(model, bits=bits)

    monkeypatch.setattr(classifier_export, "classifier_graph", graph)
    with pytest.raises(ModelError, match="otherwise than torch"):
        exported(make(), 8)


def test_scores_that_are_no_numbers_are_refused() -> None:
    model = tiny_classifier()
    nn.init.constant_(model.get_parameter("head.4.bias"), float("nan"))
    with pytest.raises(ModelError, match="otherwise than torch, by nan"):
        exported(model)


def test_a_vocabulary_of_another_size_is_refused() -> None:
    with pytest.raises(ModelError, match="differs in scores"):
        export_classifier(tiny_classifier(), Vocabulary(CROHME.tokens[:-1]), "shapes", "", {})


# ---- its card and its folder


def test_the_card_says_where_it_comes_from() -> None:
    whole = exported(tiny_classifier())
    card = classifier_card(whole).splitlines()
    assert card[0] == "# shapes"
    assert f"{len(CROHME) - 1} tokens" in card[2] and f"{len(whole.graph) / 1e6:.1f} MB" in card[2]
    assert card[4:] == [
        "* Licence of the training data, and so of the weights: CC BY 4.0.",
        "* Trained on 12,345 symbols of generated patterns of slate (8 inks, fingerprint 7777777777777777), "
        "1.2 CPU hours.",
        "* Of the symbols of the validation set it knows 87.7 %.",
        f"* Extra symbols: b.tar (licence ODbL 1.0, SHA-256 {'5' * 64}).",
        "* Command: `inkscan classifier --train t.parquet`.",
    ]


def test_the_card_says_what_a_run_went_on_with() -> None:
    longer = "inkscan classifier --train t.parquet --set epochs=18"
    card = classifier_card(exported(tiny_classifier(), resumed_by=longer)).splitlines()
    assert card[-2:] == [
        "* Command: `inkscan classifier --train t.parquet`.",
        f"* Gone on with by: `{longer}`.",
    ]


def test_the_card_of_weights_of_which_nothing_is_known_says_so() -> None:
    card = classifier_card(exported_classifier(Vocabulary(("<eos>", "x"))))
    assert "of unknown (? inks, fingerprint unknown)" in card and "Extra symbols" not in card


def test_a_folder_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = (exported_classifier(Vocabulary(("<eos>", "x")), seed) for seed in (0, 1))
    new = replace(new, info=replace(new.info, name="new"))
    failed = 0
    for faults in each_fault(monkeypatch):
        folder = tmp_path / f"fault-{faults.at}"
        with faults.held():
            write_classifier(old, folder, "old card")
            (folder / "notes.txt").write_text("mine")
        written = True
        try:
            write_classifier(new, folder, "new card")
        except OSError:
            written = False
        failed += not written
        found = read_classifier(folder)
        assert (found.info.name, found.graph) == (("new", new.graph) if written else ("shapes", old.graph))
        assert (folder / "card.md").read_text() == ("new card" if written else "old card")
        assert {file.name for file in folder.iterdir()} == {
            "classifier.onnx", "classifier.json", "card.md", "notes.txt",
        }  # fmt: skip
    assert failed > 8
