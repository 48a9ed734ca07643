from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from inkscan.errors import InkError, MalformedInk, NoStrokes
from inkscan.ink import Ink
from inkscan.ink.inkml import InkmlDocument, SymbolGroup, read_inkml
from inkscan.ink.inkml_writer import write_inkml
from inkscan.ink.json import read_json, write_json

from .strategies import inks

CROHME = b"""<ink xmlns="http://www.w3.org/2003/InkML">
<traceFormat><channel name="X" type="decimal"/><channel name="Y" type="decimal"/></traceFormat>
<annotation type="writer">w1</annotation>
<annotation type="truth">$x^2$</annotation>
<annotationXML type="truth" encoding="Content-MathML">
  <math xmlns='http://www.w3.org/1998/Math/MathML'>
    <msup><mi xml:id="x_1">x</mi><mn xml:id="2_1">2</mn></msup>
  </math>
</annotationXML>
<trace id="0">
0 0, 10 10
</trace>
<trace id="1">10 0, 0 10</trace>
<trace id="2">12 -4, 14 -4, 12 0, 14 0</trace>
<traceGroup xml:id="3">
  <annotation type="truth">Segmentation</annotation>
  <traceGroup xml:id="4"><annotation type="truth">x</annotation>
    <traceView traceDataRef="0"/><traceView traceDataRef="1"/><annotationXML href="x_1"/></traceGroup>
  <traceGroup xml:id="5"><annotation type="truth">2</annotation>
    <traceView traceDataRef="2"/><annotationXML href="2_1"/></traceGroup>
</traceGroup>
</ink>"""


def test_crohme() -> None:
    document = read_inkml(CROHME)
    assert document.ink.ids == ("0", "1", "2")
    assert [len(stroke) for stroke in document.ink.strokes] == [2, 2, 4]
    assert document.annotations == {"writer": "w1", "truth": "$x^2$"}
    assert document.groups == (SymbolGroup("x", (0, 1), "4", "x_1"), SymbolGroup("2", (2,), "5", "2_1"))
    assert document.mathml is not None
    assert document.mathml.tag.endswith("math")


def test_mathml_without_a_namespace_is_found() -> None:
    assert read_inkml(CROHME.replace(b" xmlns='http://www.w3.org/1998/Math/MathML'", b"")).mathml is not None


def test_latin_1_without_declaration() -> None:
    document = read_inkml(CROHME.replace(b">w1<", ">é·<".encode("latin-1")))
    assert document.annotations["writer"] == "é·"


def test_utf_16_with_mark() -> None:
    assert len(read_inkml(CROHME.decode().encode("utf-16")).ink) == 3


def test_mathwriting() -> None:
    text = b"""<ink xmlns="http://www.w3.org/2003/InkML"><annotation type="label">a b</annotation>
      <annotation type="normalizedLabel">ab</annotation>
      <traceFormat><channel name="X" type="decimal"/><channel name="Y" type="decimal"/>
      <channel name="T" type="decimal" units="ms"/></traceFormat>
      <trace id="0">412.00 259.00 0.0,413.00 254.00 57.0</trace></ink>"""
    document = read_inkml(text)
    assert document.annotations["normalizedLabel"] == "ab"
    np.testing.assert_array_equal(document.ink.strokes[0].time, [0, 57])
    np.testing.assert_array_equal(document.ink.strokes[0].xy, [[412, 259], [413, 254]])


GENERAL = b"""<inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML">
  <inkml:definitions>
    <inkml:context xml:id="pen"><inkml:inkSource><inkml:traceFormat>
      <inkml:channel name="Y"/><inkml:channel name="X"/><inkml:channel name="T" units="s"/>
    </inkml:traceFormat></inkml:inkSource></inkml:context>
    <inkml:context xml:id="mouse"><inkml:traceFormat xml:id="f">
      <inkml:channel name="X"/><inkml:channel name="Y" orientation="-ve"/></inkml:traceFormat></inkml:context>
  </inkml:definitions>
  <inkml:traceGroup><inkml:annotation type="truth">a</inkml:annotation>
    <inkml:trace xml:id="t1" contextRef="#pen">1 2 0.5, 3 4 1</inkml:trace>
    <inkml:trace xml:id="t2" contextRef="#mouse">5,6 7,8</inkml:trace>
    <inkml:trace xml:id="up" type="penUp" contextRef="#mouse">0 0, 1 1</inkml:trace>
  </inkml:traceGroup>
  <inkml:trace xml:id="t3" contextRef="#mouse">1 1</inkml:trace>
  <inkml:trace xml:id="t4" contextRef="#mouse" continuation="end" priorRef="#t3">2 2</inkml:trace>
  <inkml:trace xml:id="t5" contextRef="#mouse"></inkml:trace>
  <inkml:traceGroup><inkml:annotation type="truth">b</inkml:annotation>
    <inkml:traceView traceDataRef="#t4"/></inkml:traceGroup>
</inkml:ink>"""


def test_general_inkml() -> None:
    document = read_inkml(GENERAL)
    points = [stroke.xy.tolist() for stroke in document.ink.strokes]
    assert points == [[[2, 1], [4, 3]], [[5, -6], [7, -8]], [[1, -1], [2, -2]]]
    np.testing.assert_array_equal(document.ink.strokes[0].time, [500, 1000])
    assert [(group.label, group.strokes) for group in document.groups] == [("a", (0, 1)), ("b", (2,))]


def test_traces_without_a_name_are_not_one_another() -> None:
    document = read_inkml(
        b"""<ink>
        <traceGroup><annotation type="truth">a</annotation><trace>0 0</trace><trace>1 1</trace></traceGroup>
        <traceGroup><annotation type="truth">b</annotation><trace>2 2</trace><traceView/></traceGroup>
        <trace continuation="end" priorRef="">3 3</trace></ink>"""
    )
    assert [(group.label, group.strokes) for group in document.groups] == [("a", (0, 1)), ("b", (2,))]
    assert len(document.ink) == 4


def test_formats_without_a_name_are_not_found_by_empty_references() -> None:
    named, nameless, upside_down = (
        f'<traceFormat{name}><channel name="X"/><channel name="Y"{sign}/></traceFormat>'
        for name, sign in ((' xml:id="f"', ""), ("", ""), ("", ' orientation="-ve"'))
    )
    for formats in (
        f"{upside_down}{named}",  # the last one holds, though it has a name
        f'{upside_down}{named}<context traceFormatRef=""/>',
        f'{named}<context contextRef="#f" xml:id="c"/>{upside_down}{nameless}<context contextRef=""/>',
    ):
        document = read_inkml(f"<ink>{formats}<trace>1 2</trace></ink>".encode())
        assert document.ink.strokes[0].xy.tolist() == [[1, 2]], formats


CONTEXTS = """<ink><definitions>
  <inkSource xml:id="pen"><traceFormat><channel name="Y"/><channel name="X"/></traceFormat></inkSource>
  <context xml:id="yx" inkSourceRef="#pen"/>
  <context xml:id="time"><traceFormat><channel name="T"/><channel name="X"/><channel name="Y"/></traceFormat></context>
</definitions>
<traceGroup contextRef="#yx">
  <trace>1 2</trace>
  <traceGroup><trace>1 2</trace></traceGroup>
  <traceGroup contextRef="#time"><trace>9 1 2</trace></traceGroup>
  <trace contextRef="#time">9 1 2</trace>
  <trace>1 2</trace>
</traceGroup>
<trace>1 2</trace></ink>"""


def test_groups_hand_their_context_down_and_definitions_hold_where_they_are_referred_to() -> None:
    points = [stroke.xy.tolist()[0] for stroke in read_inkml(CONTEXTS.encode()).ink]
    assert points == [[2, 1], [2, 1], [1, 2], [1, 2], [2, 1], [1, 2]]


def test_names_with_a_hash_keep_their_groups() -> None:
    ink = Ink([[[0, 0]], [[1, 1]], [[2, 2]]], ids=("a#1", "1", "#1"))
    document = InkmlDocument(ink, groups=tuple(SymbolGroup("x", (i,), f"g{i}") for i in range(3)))
    again = read_inkml(write_inkml(document))
    assert again.ink.ids == ink.ids
    assert again.groups == document.groups


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"<ink/>", NoStrokes),
        (b"<ink><trace>  </trace></ink>", NoStrokes),
        (b"<html/>", MalformedInk),
        (CROHME[:900], MalformedInk),
        (b"<ink><trace>1 2, a b</trace></ink>", MalformedInk),
        (b"<ink><trace>10 30 50 30 90 30</trace></ink>", MalformedInk),
        (b"<ink>" + b"<traceGroup>" * 300 + b"</traceGroup>" * 300 + b"</ink>", MalformedInk),
    ],
)
def test_what_is_no_ink_is_refused(text: bytes, error: type[InkError]) -> None:
    with pytest.raises(error):
        read_inkml(text)


def test_round_trip_of_a_crohme_file() -> None:
    document = read_inkml(CROHME)
    again = read_inkml(write_inkml(document))
    assert again.ink == document.ink
    assert again.ink.ids == document.ink.ids
    assert again.annotations == document.annotations
    assert again.groups == document.groups
    assert again.mathml is not None
    assert [e.tag for e in again.mathml.iter()] == [e.tag for e in document.mathml.iter()]  # type: ignore[union-attr]


@given(inks())
def test_round_trip(ink: Ink) -> None:
    assert read_inkml(write_inkml(InkmlDocument(ink))).ink == ink


@pytest.mark.slow
@pytest.mark.parametrize(
    "archive", ["crohme-train", "crohme-test2013", "crohme-test2014", "mathwriting-excerpt"]
)
def test_round_trip_of_published_ink(shared_data: Path, archive: str) -> None:
    seen = 0
    with tarfile.open(shared_data / f"{archive}.tar.xz") as files:
        for member in files:
            content = files.extractfile(member)
            if content is None or not member.size or not member.name.endswith(".inkml"):
                continue
            document = read_inkml(content.read())
            again = read_inkml(write_inkml(document))
            assert again.ink == document.ink, member.name
            assert again.groups == document.groups, member.name
            assert read_json(write_json(document.ink)) == document.ink, member.name
            seen += 1
    assert seen > 10
