"""What is defined is ink only where a traceView refers to it, and views select parts as the W3C's InkML says."""

from __future__ import annotations

import time

import numpy as np
import pytest

from inkscan.errors import InkTooLarge, MalformedInk, NoStrokes
from inkscan.ink.inkml import InkmlDocument, read_inkml

DEFINED = """<definitions>
  <traceGroup xml:id="g"><annotation type="truth">x</annotation>
    <trace xml:id="a">0 0, 1 1, 2 2, 3 3</trace>
    <traceGroup><trace xml:id="b">4 4, 5 5</trace><trace xml:id="c">6 6, 7 7, 8 8</trace></traceGroup>
  </traceGroup>
  <traceView xml:id="v"><traceView traceDataRef="#c"/><traceView traceDataRef="#a"/></traceView>
</definitions>"""
DRAWN = '<trace xml:id="d">9 9, 10 10, 11 11</trace>'


def read(inside: str) -> InkmlDocument:
    return read_inkml(f"<ink>{inside}</ink>".encode())


def firsts(inside: str) -> list[list[int]]:
    """The x of each stroke's points."""
    return [stroke.xy[:, 0].astype(int).tolist() for stroke in read(inside).ink.strokes]


def view(reference: str, start: str = "", end: str = "", inside: str = "") -> str:
    places = f' from="{start}"' * bool(start) + f' to="{end}"' * bool(end)
    return f'<traceView traceDataRef="#{reference}"{places}>{inside}</traceView>'


def test_what_is_defined_alone_is_no_ink() -> None:
    assert firsts(DEFINED + DRAWN) == [[9, 10, 11]]
    with pytest.raises(NoStrokes, match="no traceView refers"):
        read(DEFINED)


def test_a_view_draws_what_is_defined_where_it_stands_and_once() -> None:
    inside = view("b") + DRAWN + view("a") + view("b") + DEFINED
    assert firsts(inside) == [[4, 5], [9, 10, 11], [0, 1, 2, 3]]
    assert read(inside).ink.ids == ("b", "d", "a")


def test_a_view_of_what_is_drawn_draws_nothing_more() -> None:
    assert firsts(DRAWN + view("d") + view("d", "2")) == [[9, 10, 11]]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (view("g"), [[0, 1, 2, 3], [4, 5], [6, 7, 8]]),
        (view("v"), [[6, 7, 8], [0, 1, 2, 3]]),
        (view("a", "2", "3"), [[1, 2]]),
        (view("a", "3"), [[2, 3]]),
        (view("a", "1", "4"), [[0, 1, 2, 3]]),
        (view("g", "2"), [[4, 5], [6, 7, 8]]),
        (view("g", "1", "1"), [[0, 1, 2, 3]]),
        (view("g", "2:1", "2:1"), [[4, 5]]),
        (view("g", "1:3", "2:2:2"), [[2, 3], [4, 5], [6, 7]]),
        (view("v", "2:4"), [[3]]),
        (f"<traceView>{view('b')}<traceView>{view('c')}</traceView></traceView>", [[4, 5], [6, 7, 8]]),
    ],
)
def test_from_and_to_select_a_part(selection: str, expected: list[list[int]]) -> None:
    assert firsts(DEFINED + selection) == expected


def test_a_part_keeps_time_and_pressure() -> None:
    channels = "".join(f'<channel name="{name}"/>' for name in "XYTF")
    trace = '<trace xml:id="t">0 0 5 .1, 1 1 6 .2, 2 2 7 .3</trace>'
    inside = f"<definitions><traceFormat>{channels}</traceFormat>{trace}</definitions>"
    traced = inside.replace("<trace ", '<trace contextRef="#k" ').replace(
        "<traceFormat>", '<context xml:id="k"><traceFormat>'
    )
    (stroke,) = read(
        traced.replace("</traceFormat>", "</traceFormat></context>") + view("t", "2")
    ).ink.strokes
    np.testing.assert_array_equal(stroke.time, [6, 7])
    np.testing.assert_array_equal(stroke.pressure, [0.2, 0.3])


@pytest.mark.parametrize(
    ("selection", "reason"),
    [
        (view("a", "0"), "from point 0 to 4 where there are 4"),
        (view("a", "2", "5"), "from point 2 to 5"),
        (view("a", "3", "2"), "from point 3 to 2"),
        (view("g", "3"), "from element 3 to 2"),
        (view("a", "1:1"), "not one trace"),
        (view("a", "two"), "whole numbers from 1"),
        (view("nothing"), "'#nothing', which the file does not hold"),
        (view("nothing", "1"), "does not hold"),
        ('<traceView from="1"/>', "no traceDataRef"),
        (view("a", inside=view("b")), "both a traceDataRef and elements"),
        (f'<traceView xml:id="p" traceDataRef="#a" from="2"/>{view("p", "1")}', "part of what another"),
        (f"<traceGroup>{view('d', '2')}</traceGroup>", "part of a trace that is drawn whole"),
        (f"<traceGroup>{view('nothing', '2')}</traceGroup>", "does not hold"),
        (f'<traceView xml:id="r">{view("r")}</traceView>', "more than 100 deep"),
    ],
)
def test_what_cannot_be_selected_is_refused(selection: str, reason: str) -> None:
    with pytest.raises(MalformedInk, match=reason):
        read(DEFINED + DRAWN + selection)


def test_views_that_say_their_symbol_are_groups() -> None:
    truth = '<annotation type="truth">{}</annotation>'
    views = f"<traceView>{truth.format('+')}{view('a')}{view('d')}</traceView>" + view(
        "c", inside=truth.format("1")
    )
    document = read(DEFINED + DRAWN + views)
    assert document.ink.ids == ("d", "a", "c")
    assert {(group.label, group.strokes) for group in document.groups if group.label} == {
        ("+", (0, 1)),
        ("1", (2,)),
        ("x", (1,)),
    }


def test_a_group_may_name_members_of_a_group_by_their_number() -> None:
    drawn = DEFINED.replace("definitions", "traceGroup")
    (group,) = read(f"{drawn}<traceGroup>{view('g', '2:2')}</traceGroup>").groups[-1:]
    assert group.strokes == (2,)


def test_a_label_of_traces_that_are_not_there_says_nothing_of_the_ink() -> None:
    """As in the test set of CROHME 2016, UN_463_em_912."""
    document = read(
        f"{DRAWN}<traceGroup>{view('d')}{view('25')}</traceGroup><traceGroup>{view('25')}</traceGroup>"
    )
    assert [group.strokes for group in document.groups] == [(0,)]


def test_what_is_continued_outside_the_definitions_is_ink() -> None:
    end = '<trace continuation="end" priorRef="#c">9 9</trace>'
    assert firsts(DEFINED + end) == [[6, 7, 8, 9]]


@pytest.mark.parametrize("ranges", [False, True])
def test_views_that_multiply_are_refused_in_time(ranges: bool) -> None:
    levels = "".join(
        f'<traceView xml:id="v{n + 1}">{view(f"v{n}")}{view(f"v{n}")}</traceView>' for n in range(40)
    )
    many = f'<traceView xml:id="v0">{view("a")}</traceView>{levels}'
    if ranges:
        points = ", ".join(["1 1"] * 20_000)
        long = f'<definitions><trace xml:id="l">{points}</trace></definitions>'
        many = long + "".join(view("l", str(start)) for start in range(1, 9_000))
    start = time.process_time()
    with pytest.raises(InkTooLarge):
        read(DEFINED + many)
    assert time.process_time() - start < 5
