"""The pages of the documentation, taken apart into text and blocks of code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.conftest import REPOSITORY

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]+?) -->\n)?^```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$", re.M | re.S
)


@dataclass(frozen=True)
class Block:
    place: str  # page and line
    language: str
    code: str
    why_not: str  # empty: it runs


def blocks(page: str) -> list[Block]:
    text = (REPOSITORY / page).read_text("utf-8")
    return [
        Block(
            f"{page}:{text.count(chr(10), 0, found.start('code'))}",
            found["language"], found["code"], found["why"] or "",
        )
        for found in FENCE.finditer(text)
    ]  # fmt: skip


def prose(page: str) -> str:
    return FENCE.sub("", (REPOSITORY / page).read_text("utf-8"))
