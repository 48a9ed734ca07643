"""The search on networks that say what a test wants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from inkscan.errors import Cancelled
from inkscan.latex.vocabulary import CROHME
from inkscan.runtime.beam import BeamSearch, Found
from inkscan.runtime.constraint import Constraint
from inkscan.runtime.judge import Judge
from inkscan.runtime.network import Arrays, Encoded, Int64, Network, StepResult
from inkscan.runtime.search import FULL_BEAM_STROKES, Bounds, SearchSettings

STROKES = 6


class Scripted(Network):
    """After `n` tokens the next ones have the probabilities `script(n)`, and stroke `looks(n)` is looked at."""

    def __init__(self, script: Callable[[int], dict[str, float]], looks: Callable[[int], int]) -> None:
        self.script, self.looks = script, looks
        self.rows: list[int] = []  # hypotheses of each step

    def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
        done = len(self.rows)
        self.rows.append(len(token))
        log_probs = np.full((len(token), len(CROHME)), -60.0, dtype=np.float32)
        for name, probability in self.script(done).items():
            log_probs[:, CROHME.index[name]] = np.log(probability)
        alpha = np.zeros((len(token), 1, STROKES), dtype=np.float32)
        alpha[:, 0, self.looks(done) % STROKES] = 1
        return StepResult(log_probs, state, (alpha,))


def search(network: Scripted, settings: SearchSettings, inks: int = 1, limit: int = 400) -> list[Found]:
    encoded = Encoded({}, {"h": np.zeros((inks, 1), dtype=np.float32)})
    bounds = [Bounds(limit, settings.beam)] * inks
    return BeamSearch([network], [encoded], CROHME, Constraint(CROHME), Judge(CROHME), settings).run(bounds)


def texts(found: Found) -> list[str]:
    return [" ".join(CROHME.decode(one.tokens)) for one in found.hypotheses]


def after_two(done: int) -> dict[str, float]:
    """`x y` is nearly sure to be all; what goes on loses a little with every token."""
    if done < 2:
        return {"xy"[done]: 0.99}
    return {"<eos>": 0.98, "+": 0.02} if done == 2 else {"+": 0.6, "2": 0.3}


@pytest.mark.parametrize("power", [0.0, 0.7, 1.0])
def test_a_hypothesis_that_can_no_longer_win_is_dropped(power: float) -> None:
    network = Scripted(after_two, looks=lambda done: done)
    found = search(network, SearchSettings(beam=4, length_power=power))[0]
    assert texts(found)[0] == "x y"
    assert len(network.rows) < 20  # of 400


def test_what_is_dropped_would_not_have_been_the_answer() -> None:
    settings = SearchSettings(beam=4, length_power=0.7)
    patient = SearchSettings(beam=4, length_power=0.7, spread=1e9)
    first, last = (
        search(Scripted(after_two, lambda done: done), one, limit=60)[0] for one in (settings, patient)
    )
    assert texts(first)[0] == texts(last)[0]
    assert first.hypotheses[0] == last.hypotheses[0]


def test_a_longer_answer_still_overtakes_a_finished_one() -> None:
    def script(done: int) -> dict[str, float]:
        return {"<eos>": 0.55, "+": 0.45} if done == 1 else {"x": 0.99} if done < 8 else {"<eos>": 0.99}

    found = search(Scripted(script, lambda done: done), SearchSettings(beam=4, length_power=1.0, spread=0.1))[
        0
    ]
    assert texts(found) == ["x + x x x x x x", "x"]


def test_a_hypothesis_that_reads_nothing_new_is_brought_to_an_end() -> None:
    def circle(done: int) -> dict[str, float]:
        return {"x": 1.0} if done % 3 == 0 else {"^": 1.0} if done % 3 == 1 else {"{": 1.0}

    network = Scripted(circle, looks=lambda done: done)
    found = search(network, SearchSettings(beam=2))[0]
    assert len(network.rows) < 100  # of 400
    assert CROHME.decode(found.hypotheses[0].tokens).count("{") == CROHME.decode(
        found.hypotheses[0].tokens
    ).count("}")


def test_only_the_hypothesis_that_reads_nothing_new_is_dropped() -> None:
    class Two(Scripted):
        """`x` is followed by `x`, always about stroke 0; `1` by `1`."""

        def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
            result = super().step(token, ink, state, memories)
            for row, last in enumerate(token.tolist()):
                if last == CROHME.index["x"]:
                    result.alphas[0][row] = np.eye(STROKES, dtype=np.float32)[:1]
                for other in {"x", "1"} - {CROHME.tokens[last] if last < len(CROHME) else "x"}:
                    result.log_probs[row, CROHME.index[other]] -= 9 * (last < len(CROHME))
            return result

    network = Two(
        lambda done: {"1": 0.5, "x": 0.5} if done < 56 else {"<eos>": 1.0}, looks=lambda done: done // 10
    )
    found = search(network, SearchSettings(beam=4))[0]
    assert texts(found) == [" ".join("1" * 56)]
    assert (network.rows[47], network.rows[-1]) == (2, 1)


def test_a_long_formula_that_reads_stroke_by_stroke_is_no_circle() -> None:
    """The six strokes are looked at for 60 steps each."""
    network = Scripted(
        lambda done: {"1": 1.0} if done < 120 else {"<eos>": 1.0}, looks=lambda done: done // 20
    )
    assert texts(search(network, SearchSettings(beam=2))[0]) == [" ".join("1" * 120)]


def test_a_circling_ink_does_not_end_its_neighbours() -> None:
    class Two(Scripted):
        """Stroke 0 is all that the first ink looks at."""

        def step(self, token: Int64, ink: Int64, state: Arrays, memories: Arrays) -> StepResult:
            result = super().step(token, ink, state, memories)
            result.alphas[0][ink == 0] = np.eye(STROKES, dtype=np.float32)[:1]
            return result

    network = Two(lambda done: {"1": 1.0} if done < 120 else {"<eos>": 1.0}, looks=lambda done: done // 20)
    short, long = search(network, SearchSettings(beam=2), inks=2)
    assert len(short.hypotheses[0].tokens) < 60
    assert len(long.hypotheses[0].tokens) == 120


def test_a_search_that_nobody_waits_for_stops_between_steps() -> None:
    network = Scripted(lambda done: {"1": 1.0}, looks=lambda done: done)
    encoded = Encoded({}, {"h": np.zeros((1, 1), dtype=np.float32)})
    search = BeamSearch(
        [network],
        [encoded],
        CROHME,
        Constraint(CROHME),
        Judge(CROHME),
        SearchSettings(),
        cancelled=lambda: len(network.rows) == 3,
    )
    with pytest.raises(Cancelled) as caught:
        search.run([Bounds(100, 5)])
    assert caught.value.code == "request.cancelled"
    assert len(network.rows) == 3


@pytest.mark.parametrize(
    ("strokes", "beam", "hypotheses"),
    [(1, 6, 6), (FULL_BEAM_STROKES, 6, 6), (2 * FULL_BEAM_STROKES, 6, 3), (1000, 6, 2), (1000, 1, 1)],
)
def test_long_ink_is_followed_by_fewer_hypotheses(strokes: int, beam: int, hypotheses: int) -> None:
    assert Bounds.of(strokes, SearchSettings(beam=beam)).hypotheses == hypotheses


def test_a_step_of_a_long_ink_costs_no_more_than_its_length_allows() -> None:
    """Hypotheses times strokes, which a step's time follows, stays within twice its value at the full beam."""
    work = [n * Bounds.of(n, SearchSettings()).hypotheses for n in range(1, 2 * FULL_BEAM_STROKES)]
    assert max(work) <= 2 * FULL_BEAM_STROKES * SearchSettings().beam


@pytest.mark.parametrize(("cost", "answer"), [(1.0, "x x"), (0.0, "x X")])
def test_a_letter_written_in_both_cases_counts_against_an_answer(cost: float, answer: str) -> None:
    def script(done: int) -> dict[str, float]:
        return [{"x": 0.9}, {"X": 0.6, "x": 0.4}, {"<eos>": 0.9}][done]

    settings = SearchSettings(beam=2, both_cases=cost)
    found = search(Scripted(script, looks=lambda done: done), settings)[0]
    assert texts(found)[0] == answer
    assert len(texts(found)) == 2  # the other one is still an alternative


@pytest.mark.parametrize(("cost", "answer"), [(3.0, r"\int _ { x }"), (0.0, r"\int \limits _ { x }")])
def test_an_integral_with_limits_counts_against_an_answer(cost: float, answer: str) -> None:
    def script(done: int) -> dict[str, float]:
        first = [{r"\int": 0.9}, {r"\limits": 0.7, "_": 0.3}]
        return first[done] if done < 2 else dict.fromkeys(("_", "{", "x", "}", "<eos>"), 0.9)

    found = search(Scripted(script, looks=lambda done: done), SearchSettings(beam=6, integral_limits=cost))[0]
    assert {r"\int _ { x }", r"\int \limits _ { x }"} <= set(texts(found))
    assert texts(found)[0] == answer


def test_limits_of_sums_are_judged_by_the_network_alone() -> None:
    judge = Judge(CROHME)
    tokens = [r"\sum", r"\limits", "_", "{", "x", "}", r"\int", "_", "{", "x", "}", r"\int", r"\limits"]
    assert judge.integrals_with_limits(CROHME.encode(tokens)) == 1


def test_letters_whose_cases_differ_in_shape_are_judged_by_the_network_alone() -> None:
    judge = Judge(CROHME)
    assert judge.letters_in_both_cases(CROHME.encode(["x", "X", "p", "P", "a", "A", "b", "B"])) == 2


@pytest.mark.parametrize(
    ("tokens", "count"),
    [
        (r"2 \times 3", 0),
        (r"2 \times - 3", 0),
        (r"x ^ { 2 } \times \frac { 1 } { 2 }", 0),
        (r"\forall \times \in R", 1),
        (r"\times + 1", 1),
        (r"= \times", 1),
        (r"\sin \times", 1),
        (r"( \times , y )", 1),
        (r"2 \times ^ { 2 }", 1),
        (r"x ^ { 2 } \times", 1),
        (r"\frac { a ^ { 2 } \times } { b }", 1),
        (r"\times \times \times", 3),
        (r"R ^ { \times }", 0),
        (r"\times", 0),
    ],
)
def test_a_cross_without_a_factor_on_a_side_counts_against_an_answer(tokens: str, count: int) -> None:
    judge = Judge(CROHME)
    numbers = CROHME.encode(tokens.split())
    assert judge.bare_times(numbers) == count
    assert judge.against(numbers, SearchSettings(both_cases=0, bare_times=2.0)) == 2.0 * count
