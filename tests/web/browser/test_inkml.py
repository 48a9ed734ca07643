"""The page reads InkML as Python does: the same strokes, and it refuses the same documents."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from tests.ink import test_inkml, test_inkml_views
from tests.web.browser.hands import BROWSER
from tests.web.browser.inkml_documents import documents

from inkscan import Ink
from inkscan.errors import InkError
from inkscan.ink.json import ink_from_json

pytestmark = BROWSER

GENERATED = 600
KINDS = (
    "canvasTransformRef",
    "affine",
    "resolution",
    ">[^<>]*'",
    '>[^<>]*"[^<>]*<',
    "#1F",
    "<definitions><traceG",
    " to=",
    "priorRef",
)
VIEW_TESTS: list[Any] = [
    test_inkml_views.test_from_and_to_select_a_part,
    test_inkml_views.test_what_cannot_be_selected_is_refused,
]
VIEWS = [case[0] for test in VIEW_TESTS for case in test.pytestmark[0].args[1]]
READ = """async (texts) => {
    const { readInk } = await import('/static/inkfile.js');
    return texts.map((text) => { try { return readInk(text); } catch (error) { return error.message; } });
}"""


def read_by_page(page: Any, texts: list[str]) -> list[Ink | str]:
    return [
        found if isinstance(found, str) else ink_from_json({"strokes": [{**s, "id": ""} for s in found]})
        for found in page.evaluate(READ, texts)
    ]


def read_by_python(text: str) -> Ink | str:
    try:
        return Ink.read(text.encode())
    except InkError as error:
        return str(error)


def differences(page: Any, texts: list[str]) -> list[tuple[str, Ink | str, Ink | str]]:
    pairs = zip(texts, read_by_page(page, texts), map(read_by_python, texts), strict=True)
    return [(text, ours, theirs) for text, ours, theirs in pairs if not is_same(ours, theirs)]


def is_same(ours: Ink | str, theirs: Ink | str) -> bool:
    if isinstance(ours, str) or isinstance(theirs, str):
        return isinstance(ours, str) and isinstance(theirs, str)
    strokes = [(stroke.xy, stroke.time, stroke.pressure) for stroke in ours]
    others = [(stroke.xy, stroke.time, stroke.pressure) for stroke in theirs]
    return len(strokes) == len(others) and all(
        (one is None) is (other is None)
        and (
            one is None or other is None or (one.shape == other.shape and np.allclose(one, other, 1e-9, 1e-9))
        )
        for stroke, beside in zip(strokes, others, strict=True)
        for one, other in zip(stroke, beside, strict=True)
    )


def test_generated_documents(page: Any) -> None:
    texts = documents(GENERATED, seed=7)
    read = [text for text in texts if isinstance(read_by_python(text), Ink)]
    assert GENERATED / 3 < len(read) < GENERATED  # some are refused
    for kind in KINDS:
        assert sum(bool(re.search(kind, text)) for text in read) > 10, kind
    assert differences(page, texts) == []


POINTS = [
    "1 2, 3 4, 5 6",
    "1,2 3,4",
    "1, 2 3, 4",
    "1 2 3, 4 5",
    "1 2 3 4",
    "1-2,3-4",
    "1-2+3,4-5",
    "1 2, x y",
    "1",
    "1 2, 3",
    "? 1, 1 2",
    "1 2, ! 3",
    "1 2, * 4",
    "1 2,,3 4",
    ",1 2",
    "1 2,",
    "1e3 .5",
    "1. +2",
    "0x10 2",
    "1 2, '1 \"1, * *, !5 '5",
    "#1F #a, 'T F",
    "1 2 3, 4 5 6, 7 8",
    "1 2, 3, 4 5 6",
    "nan 2",
    "inf 2",
    "1 2, 1e10 3",
    "1125 18432,'23'43,\"7\"-8,3-5,7 -3,6 2,6 8,3 6,3 2,1 2",
    "1 2<!-- 9 -->, 3 4",
    "<![CDATA[1 2]]>",
    "1 2<b/>3",
    "&#49; 2",
]
TIMED = '<traceFormat><channel name="X"/><channel name="Y"/><channel name="T"/></traceFormat>'
CHAIN = "".join(f'<context xml:id="c{i}" contextRef="#c{i + 1}"/>' for i in range(200))
SPECIAL = [
    test_inkml.CROHME.decode(),
    test_inkml.GENERAL.decode(),
    test_inkml.CONTEXTS,
    *(f"<ink><trace>{points}</trace></ink>" for points in POINTS),
    *(f"<ink>{TIMED}<trace>{points}</trace></ink>" for points in (*POINTS, "1 2 ?, 3 4 5")),
    *(f"<ink>{test_inkml_views.DEFINED}{test_inkml_views.DRAWN}{view}</ink>" for view in VIEWS),
    f'<ink>{CHAIN}<context xml:id="c200"/><trace>1 2</trace></ink>',
    f'<ink><trace contextRef="#c0">1 2</trace>{CHAIN}<context xml:id="c200"/></ink>',
    f'<ink><trace contextRef="#c150">1 2</trace>{CHAIN}<context xml:id="c200"/></ink>',
    '<ink><context xml:id="a" contextRef="#b"/><context xml:id="b" contextRef="#a"/><trace>1 2</trace></ink>',
    "<ink><context><trace>1 2</trace></context></ink>",
    "<ink><canvasTransform><mapping type='lookup'/></canvasTransform><trace>1 2</trace></ink>",
    "<ink><canvasTransform><mapping type='affine'>1 0, 0 1</mapping></canvasTransform><trace>1 2</trace></ink>",
    '<ink><traceFormat><channel name="T"/></traceFormat><trace type="penUp">1</trace><trace>1</trace></ink>',
    '<ink><traceFormat><channel name="X"/><channel name="S"/></traceFormat><trace type="penUp">1 2</trace></ink>',
    "<!DOCTYPE ink><ink><trace>1 2</trace></ink>",
    '<!DOCTYPE ink [<!ENTITY a "1 2">]><ink><trace>&a;</trace></ink>',
    f"<ink>{test_inkml_views.DEFINED}</ink>",
    "<ink><trace>1 2</trace>",
    "<svg/>",
]


def test_special_documents(page: Any) -> None:
    assert differences(page, SPECIAL) == []
