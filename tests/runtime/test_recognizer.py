from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from inkscan import Ink, Recognizer, load
from inkscan.errors import BadRequest, Cancelled, DamagedModel, InkTooLarge, NothingAllowed
from inkscan.ink.inkml import read_inkml
from inkscan.latex.parser import parse_tokens
from inkscan.models.systems import SYSTEMS
from inkscan.runtime import recognizer as recognizer_module
from inkscan.runtime.beam import Hypothesis
from inkscan.runtime.interpretation import evidence_of
from inkscan.runtime.search import SearchSettings


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_answer_parses_and_every_stroke_belongs_to_one_symbol_or_is_unread(
    system: str, model_folder: Callable[..., Path], inks: list[Ink]
) -> None:
    answers = load(model_folder(system)).many(inks[:8], max_tokens=60)
    for ink, answer in zip(inks[:8], answers, strict=True):
        assert parse_tokens(answer.tokens)
        fromstring(answer.mathml)
        read = [stroke for symbol in answer.symbols for stroke in symbol.strokes]
        assert sorted([*read, *answer.unread]) == list(range(len(ink)))
        assert answer.to_json()["unread"] == list(answer.unread)
        assert answer.alignment.shape == (len(answer.tokens), len(ink))
        np.testing.assert_allclose(answer.alignment.sum(axis=1), 1, atol=1e-4)


def test_alternatives_begin_with_the_answer_and_are_distinct(recognizer: Recognizer, inks: list[Ink]) -> None:
    for answer in recognizer.many(inks, n_best=10):
        assert answer.alternatives[0].tokens == answer.tokens
        assert answer.alternatives[0].probability == answer.confidence
        assert len({alternative.tokens for alternative in answer.alternatives}) == len(answer.alternatives)
        probabilities = [alternative.probability for alternative in answer.alternatives]
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) <= 1 + 1e-9


def test_probabilities_do_not_hang_on_how_many_are_asked_for(recognizer: Recognizer, inks: list[Ink]) -> None:
    for ink in inks[:4]:
        assert recognizer(ink, n_best=2).alternatives == recognizer(ink, n_best=10).alternatives[:2]


def test_a_lead_is_over_the_two_nearest_rivals_and_unknown_to_a_greedy_search() -> None:
    hypotheses = [
        Hypothesis(tokens=(5,), log_probs=(np.log(0.5), np.log(p)), score=np.log(p / 2))
        for p in (0.8, 0.1, 0.3, 0.2)
    ]
    assert evidence_of(hypotheses[:1], beam=1).lead is None
    assert evidence_of(hypotheses[:1], beam=10).lead == np.inf
    assert evidence_of(hypotheses, beam=10).lead == pytest.approx(np.log(0.8 / (0.3 + 0.2)))


@pytest.mark.parametrize("ink", ["examples/ink/euler.inkml", [[(0, 0), (1, 1)]]])
def test_what_is_no_ink_is_told_how_to_become_one(recognizer: Recognizer, ink: Any) -> None:
    for call in (recognizer, lambda ink: recognizer.many([ink])):
        with pytest.raises(TypeError, match=r"not a (str|list): Ink\.read.*Ink\.from_points"):
            call(ink)


def test_one_ink_is_no_list_of_inks(recognizer: Recognizer, inks: list[Ink]) -> None:
    one: Any = inks[0]
    for call in (recognizer.many, recognizer.answers, recognizer.features):
        with pytest.raises(TypeError, match=r"a list of inks is taken here, as by many\(\[ink\]\)"):
            call(one)


def test_a_recognizer_says_what_it_is(recognizer: Recognizer) -> None:
    assert repr(recognizer) == f"<Recognizer {recognizer.name}: onscan, 110 symbols, beam 6>"


def test_a_recognizer_goes_to_other_processes(recognizer: Recognizer, inks: list[Ink]) -> None:
    changed = recognizer.with_search(beam=2, allow="x +")
    copy = pickle.loads(pickle.dumps(changed))
    assert repr(copy) == repr(changed)
    assert copy(inks[0]).to_json() == changed(inks[0]).to_json()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(changed, inks[0]).result().latex == changed(inks[0]).latex


def test_an_answer_reads_as_its_latex(recognizer: Recognizer, inks: list[Ink]) -> None:
    answer = recognizer(inks[0])
    assert str(answer) == f"{answer}" == answer.latex


def test_ten_threads_answer_as_one(recognizer: Recognizer, inks: list[Ink]) -> None:
    alone = [recognizer(ink) for ink in inks[:8]]
    with ThreadPoolExecutor(10) as pool:
        together = list(pool.map(recognizer, inks[:8] * 3))
    assert [answer.to_json() for answer in together] == [answer.to_json() for answer in alone] * 3


def test_only_allowed_symbols_are_used(recognizer: Recognizer, inks: list[Ink]) -> None:
    structure = {"{", "}", "^", "_", "\\limits"}
    for answer in recognizer.many(inks[:4], allow=["x", "+", "\\sqrt"]):
        assert {"x", "+", "\\sqrt"} | structure >= set(answer.tokens)
        assert parse_tokens(answer.tokens)
    assert (
        recognizer(inks[0], allow="x + \\sqrt").tokens
        == recognizer(inks[0], allow=["x", "+", "\\sqrt"]).tokens
    )


def test_forbidden_symbols_are_not_used(recognizer: Recognizer, inks: list[Ink]) -> None:
    usual = recognizer(inks[0])
    forbidden = {*usual.tokens, "^", "_", "]"} - {"{", "}"}
    answer = recognizer(inks[0], forbid=sorted(forbidden))
    assert not forbidden & set(answer.tokens)
    assert parse_tokens(answer.tokens)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"allow": []}, NothingAllowed),
        ({"allow": ["\\frac"]}, NothingAllowed),
        ({"allow": ["no-symbol"]}, BadRequest),
        ({"forbid": ["<eos>"]}, BadRequest),
        ({"beam": 0}, BadRequest),
        ({"beam": 1000}, BadRequest),
        ({"n_best": 0}, BadRequest),
        ({"beam": 2.5}, BadRequest),
        ({"max_tokens": "9"}, BadRequest),
        ({"nbest": 3}, BadRequest),
    ],
)
def test_requests_that_cannot_be_met_say_so(
    recognizer: Recognizer, inks: list[Ink], changes: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        recognizer(inks[0], **changes)  # type: ignore[arg-type]


def test_a_misspelt_setting_is_told_its_name(recognizer: Recognizer, inks: list[Ink]) -> None:
    with pytest.raises(BadRequest, match="no setting nbest of the search; did you mean n_best"):
        recognizer(inks[0], nbest=3)  # type: ignore[call-arg]
    with pytest.raises(BadRequest, match="there are beam, n_best"):
        recognizer.with_search(colour="red")  # type: ignore[call-arg]


def test_a_call_takes_the_settings_of_a_search_whole(recognizer: Recognizer, inks: list[Ink]) -> None:
    settings = SearchSettings(beam=3, n_best=2, allow=("x", "+"))
    assert (
        recognizer(inks[0], search=settings).to_json()
        == recognizer(inks[0], beam=3, n_best=2, allow=["x", "+"], length_power=0).to_json()
    )
    assert len(recognizer.many(inks[:2], search=settings, n_best=1)[0].alternatives) == 1


def test_a_recognition_that_nobody_waits_for_is_given_up(recognizer: Recognizer, inks: list[Ink]) -> None:
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 2

    for call in (
        lambda: recognizer(inks[0], cancelled=cancelled),
        lambda: recognizer.answers(inks, cancelled=cancelled),
    ):
        asked.clear()
        with pytest.raises(Cancelled):
            call()
        assert len(asked) == 3
    assert recognizer(inks[0], cancelled=lambda: False) == recognizer(inks[0])


@pytest.mark.parametrize("max_tokens", [1, 2, 4, 8, 19])
def test_the_token_limit_still_gives_a_whole_expression(
    recognizer: Recognizer, inks: list[Ink], max_tokens: int
) -> None:
    for answer in recognizer.many(inks[:6], max_tokens=max_tokens):
        assert 1 <= len(answer.tokens) <= max_tokens
        assert parse_tokens(answer.tokens)


def test_length_power_divides_the_score(recognizer: Recognizer, inks: list[Ink]) -> None:
    answer = recognizer(inks[0], length_power=1.0)
    assert answer.score == pytest.approx(sum(answer.evidence.log_probs) / len(answer.evidence.log_probs))


def test_an_ensemble_averages_probabilities(model_folder: Callable[..., Path], inks: list[Ink]) -> None:
    one = load(model_folder("onscan"))
    twins = load(model_folder("onscan"), model_folder("onscan"))
    mixed = load(model_folder("onscan"), model_folder("wap"))
    for ink in inks[:3]:
        assert twins(ink).tokens == one(ink).tokens
        assert twins(ink).score == pytest.approx(one(ink).score, abs=1e-3)
        assert mixed(ink).alignment.shape[1] == len(ink)
    assert any(mixed(ink).tokens != one(ink).tokens for ink in inks[:6])


def test_an_ensemble_needs_one_vocabulary(recognizer: Recognizer) -> None:
    from dataclasses import replace

    from inkscan.latex.vocabulary import Vocabulary

    member = recognizer.members[0]
    other = replace(member, info=replace(member.info, vocabulary=Vocabulary(("<eos>", "x"))))
    with pytest.raises(DamagedModel, match="vocabulary"):
        Recognizer([member, other])


def test_ink_too_large_is_refused_and_takes_no_neighbour_with_it(
    recognizer: Recognizer, inks: list[Ink]
) -> None:
    many_strokes = Ink.from_points([[(i, 0), (i, 1)] for i in range(recognizer_module.MAX_STROKES + 1)])
    scribble = np.random.default_rng(0).uniform(0, 100, (2000, 2))
    long_strokes = Ink.from_points([scribble + i for i in range(100)])
    answers = recognizer.answers([inks[0], many_strokes, long_strokes, inks[1]])
    assert [isinstance(answer, InkTooLarge) for answer in answers] == [False, True, True, False]
    with pytest.raises(InkTooLarge, match="split"):
        recognizer.many([inks[0], many_strokes])


@pytest.mark.parametrize(
    "strokes",
    [
        [[(0, 0)]],
        [[(0, 0), (0, 10)]],
        [[(0, 0), (10, 0)]],
        [[(5, 5)]] * 3,
        [[(1e9, -1e9), (-1e9, 1e9)]],
        [[(0, 0), (1e-9, 0)]],
    ],
)
def test_degenerate_ink_is_answered(
    strokes: list[list[tuple[float, float]]], model_folder: Callable[..., Path]
) -> None:
    for system in ("onscan", "mmscan-e"):
        answer = load(model_folder(system))(Ink.from_points(strokes))
        assert parse_tokens(answer.tokens)
        assert np.isfinite(answer.score)
        assert 0 <= answer.confidence <= 1


def test_inkml_holds_the_answer_and_its_segmentation(recognizer: Recognizer, inks: list[Ink]) -> None:
    answer = recognizer(inks[0])
    document = read_inkml(answer.to_inkml())
    assert document.ink == answer.ink
    assert document.annotations["truth"] == f"${answer.latex}$"
    written = [(symbol.token, symbol.strokes) for symbol in answer.symbols if symbol.strokes]
    assert [
        (group.label, group.strokes) for group in document.groups if group.label != "Segmentation"
    ] == written


def test_no_inks_give_no_answers(recognizer: Recognizer) -> None:
    assert recognizer.many([]) == []


def test_a_notebook_shows_the_ink_by_symbols_and_the_formula(recognizer: Recognizer, inks: list[Ink]) -> None:
    answer = recognizer(inks[0])
    shown = fromstring(answer._repr_html_())
    paths = shown.findall(".//{http://www.w3.org/2000/svg}path")
    tokens = {stroke: symbol.token for symbol in answer.symbols for stroke in symbol.strokes}
    assert ["".join(path.itertext()) for path in paths] == [tokens[i] for i in range(len(answer.ink))]
    assert shown.find("{http://www.w3.org/1998/Math/MathML}math") is not None
    assert answer.ink._repr_svg_().count("<path") == len(answer.ink)
