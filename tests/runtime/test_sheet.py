from __future__ import annotations

import numpy as np
import pytest

from inkscan import Ink, Recognizer
from inkscan.errors import Cancelled, InkTooLarge
from inkscan.ink import Stroke
from inkscan.runtime import recognizer as recognizer_module
from inkscan.runtime.sheet import Sheet, SheetLine


def below_one_another(inks: list[Ink]) -> Ink:
    strokes: list[Stroke] = []
    y = 0.0
    for ink in inks:
        box = ink.box()
        strokes += [Stroke(stroke.xy + np.array([-box.left, y - box.top])) for stroke in ink.strokes]
        y += box.height + 3 * max(box.height, box.width)
    return Ink(tuple(strokes))


def test_a_sheet_is_read_line_by_line(recognizer: Recognizer, inks: list[Ink]) -> None:
    sheet = recognizer.sheet(below_one_another(inks[:3]))
    assert len(sheet) == 3
    assert [stroke for line in sheet for stroke in line.strokes] == list(range(sum(map(len, inks[:3]))))
    for line, ink in zip(sheet, inks, strict=False):
        assert str(line) == recognizer(line.recognition.ink).latex
        assert len(line.recognition.ink) == len(ink)
    assert sheet.latex == str(sheet) == "\n".join(str(line) for line in sheet)
    found = sheet.to_json()
    assert [line["strokes"] for line in found["lines"]] == [list(line.strokes) for line in sheet]
    assert found["lines"][0]["latex"] == sheet.lines[0].recognition.latex
    assert set(found) == {"lines", "latex", "aligned"}


def test_a_sheet_takes_the_search_of_a_call(recognizer: Recognizer, inks: list[Ink]) -> None:
    ink = below_one_another(inks[:2])
    assert {
        t for line in recognizer.sheet(ink, allow="x", max_tokens=9) for t in line.recognition.tokens
    } <= {*"x{}^_"}
    with pytest.raises(Cancelled):
        recognizer.sheet(ink, cancelled=lambda: True)


def test_what_is_no_sheet_is_refused(recognizer: Recognizer) -> None:
    with pytest.raises(TypeError, match=r"not a str: Ink\.read"):
        recognizer.sheet("a.inkml")  # type: ignore[arg-type]
    count = recognizer_module.MAX_SHEET_STROKES + 1
    with pytest.raises(InkTooLarge, match="split"):
        recognizer.sheet(Ink.from_points([[(0, i), (1, i)] for i in range(count)]))


def test_aligned_lines_meet_at_their_first_relation(recognizer: Recognizer, inks: list[Ink]) -> None:
    from dataclasses import replace

    answer = recognizer(inks[0])
    texts = [
        "y = x ^ { 2 }",
        "a _ { i = 1 } + b \\leq c = d",
        "x + 1",
        "= 3",
        "\\sqrt [ n = 2 ] { x } = 1",
        "[ a = \\limits ^ { ? } b ]",
    ]
    lines = (SheetLine((0,), replace(answer, tokens=tuple(text.split()))) for text in texts)
    assert Sheet(tuple(lines)).aligned.splitlines() == [
        "\\begin{aligned}",
        "y &=x^{2} \\\\",
        "a_{i=1}+b &\\leq c=d \\\\",
        "&x+1 \\\\",
        "&=3 \\\\",
        "\\sqrt[n=2]{x} &=1 \\\\",
        "[a &\\mathop{=}\\limits^{?}b]",
        "\\end{aligned}",
    ]
