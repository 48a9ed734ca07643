"""symLG against the verdicts of the official tool."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from time import process_time

import pytest

from inkscan.errors import LatexSyntax
from inkscan.latex.pandoc import parse_as_pandoc
from inkscan.latex.parser import parse_tokens
from inkscan.latex.symlg import SymLgVerdict, compare, to_symlg


def _compare(truth: str, prediction: str) -> SymLgVerdict:
    return compare(truth.split(), prediction.split())


def test_every_official_verdict(shared_data: Path) -> None:
    lines = (shared_data / "reference" / "symlg-verdicts.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 170
    for line in lines[1:]:
        truth, prediction, errors, same_structure, nodes = line.split("\t")
        assert _compare(truth, prediction) == SymLgVerdict(int(errors), same_structure == "1", int(nodes)), (
            line
        )


def test_names_and_relations() -> None:
    graph = to_symlg(
        parse_tokens(
            ["x", "_", "{", "i", "}", "^", "{", "2", "}", "+", "\\frac", "{", "a", "}", "{", "b", "}"]
        )
    )
    assert graph.objects == {
        "O": "x",
        "OSub": "i",
        "OSup": "2",
        "OR": "+",
        "ORR": "-",
        "ORRAbove": "a",
        "ORRBelow": "b",
    }
    assert graph.relations == {
        ("O", "OSub"): "Sub",
        ("O", "OSup"): "Sup",
        ("O", "OR"): "Right",
        ("OR", "ORR"): "Right",
        ("ORR", "ORRAbove"): "Above",
        ("ORR", "ORRBelow"): "Below",
    }


def test_a_root_without_index_holds_its_second_symbol_too() -> None:
    assert ("O", "OInsideR") in to_symlg(parse_tokens(["\\sqrt", "{", "a", "b", "}"])).relations
    assert ("O", "OInsideR") not in to_symlg(
        parse_tokens(["\\sqrt", "[", "3", "]", "{", "a", "b", "}"])
    ).relations


# What Pandoc 2.17 and the official converter's rules make of LaTeX that a decoder without grammar may write.
@pytest.mark.parametrize(
    ("tokens", "paths"),
    [
        ("a ^ { b } ^ { c }", "O OSup OSupSup"),
        ("a ^ { b } _ { c } ^ { d }", "O OSub OSup OR ORSup"),
        ("( ^ { x } - 3 )", "O OR ORSup ORR ORRR ORRRR"),
        ("( ^ { x } - 3", "O OSup OR ORR"),
        ("{ ( ^ { x } } )", "O OSup OR"),
        ("( ^ { ) } - )", "O OR ORSup ORR ORRR"),
        ("( ^ { x } ( - )", "O OSup OR ORR ORRR"),
        ("( ^ { x } [ - ]", "O OSup OR ORR ORRR"),
        (") ( ^ { x } ) )", "O OR ORR ORRSup ORRR ORRRR"),
        ("| a | ^ { 2 } | b |", "O OR ORR ORRSup ORRR ORRRR ORRRRR"),
        ("^ { 2 } x", "O OSup OR"),
        ("\\frac { } { 2 }", "O OBelow"),
        ("\\sqrt { }", "O"),
        ("x \\sqrt", "O OR"),
        ("u \\limits v", "O OR"),
        ("x ^ { }", "O"),
        ("f ' ( x )", "O OR ORR ORRR ORRRR"),
        ("f ^ { ' }", "O OSup"),
        ("x _ { a } \\limits ^ { b }", "O OSub OSubAbove"),
        ("{ x y } ^ { 2 }", "O OR ORSup"),
        ("\\sum _ { x } y", "O OSub OR"),
        ("\\sum \\limits _ { x } y", "O OBelow OR"),
    ],
)
def test_malformed_predictions_are_read_as_by_pandoc(tokens: str, paths: str) -> None:
    assert set(to_symlg(parse_as_pandoc(tokens.split())).objects) == set(paths.split())


@pytest.mark.parametrize("prediction", ["", "{ x", "x ^", "\\limits x", "x }", " x" * 3_000, "{" * 100])
def test_an_unreadable_prediction_misses_all(prediction: str) -> None:
    verdict = _compare("x ^ { 2 } + 1", prediction)
    assert verdict == SymLgVerdict(errors=7, same_structure=False, nodes=4)


def test_labels_that_the_tool_does_not_tell_apart() -> None:
    assert _compare("\\Gamma", "\\gamma").errors == 0
    assert _compare("x ^ { \\prime }", "x ^ { ' }").errors == 0
    assert _compare("\\frac { a } { b }", "-").errors == 4
    assert _compare("\\leq", "\\le").errors == 0


def test_an_unreadable_truth_raises() -> None:
    with pytest.raises(LatexSyntax):
        _compare("{ x", "x")


def test_a_long_truth_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        assert compare(["x"] * 8_000, ["x"]).errors == 2 * 7_999
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_many_fences_that_never_close_take_little_time() -> None:
    began = process_time()
    assert len(parse_as_pandoc(["(", "^", "a"] * 8_000)) == 8_000
    assert process_time() - began < 1.0
