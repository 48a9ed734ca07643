"""CROHME's own tokens and files, and token sequences drawn at random from the grammar."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

import pytest
from hypothesis import settings

from inkscan.latex.grammar import Grammar
from inkscan.latex.truth import WrittenSymbol
from inkscan.latex.vocabulary import CROHME

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

_GRAMMAR = Grammar(CROHME)


@pytest.fixture(scope="session")
def reference_tokens(shared_data: Path) -> dict[str, tuple[str, ...]]:
    """The field's own tokens of CROHME's training files by the stem of the file name."""
    lines = (shared_data / "reference" / "crohme-train-tokens.tsv").read_text(encoding="utf-8").splitlines()
    return {stem: tuple(tokens.split()) for stem, tokens in (line.split("\t") for line in lines)}


class CrohmeFile:
    """The parts of an InkML file that say its truth, read without the product's InkML reader."""

    def __init__(self, name: str, content: bytes) -> None:
        self.stem = Path(name).stem
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
        root = fromstring(text.partition("?>")[2] if text.lstrip("\ufeff").startswith("<?xml") else text)
        traces = [element for element in root.iter() if _name(element) == "trace"]
        numbers = {trace.get("id"): number for number, trace in enumerate(traces)}
        self.stroke_count = len(traces)
        self.latex = next(
            (a.text for a in root if _name(a) == "annotation" and a.get("type") == "truth"), None
        )
        self.math = next((element for element in root.iter() if _name(element) == "math"), None)
        self.written = [
            symbol
            for group in root.iter()
            if _name(group) == "traceGroup"
            for symbol in _symbols(group, numbers)
        ]


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _symbols(group: Element, numbers: dict[str | None, int]) -> Iterator[WrittenSymbol]:
    views = [view.get("traceDataRef") for view in group if _name(view) == "traceView"]
    strokes = tuple(numbers[view] for view in views if view in numbers)
    if strokes:
        label = next((a.text or "" for a in group if _name(a) == "annotation"), "")
        href = next((a.get("href") or "" for a in group if _name(a) == "annotationXML"), "")
        yield WrittenSymbol(label.strip(), strokes, href)


def crohme_files(archive: Path) -> Iterator[CrohmeFile]:
    """Every readable InkML file of an archive."""
    with tarfile.open(archive) as members:
        for member in members:
            stream = members.extractfile(member) if member.name.endswith(".inkml") else None
            if stream is not None:
                try:
                    yield CrohmeFile(member.name, stream.read())
                except ParseError:  # one training file is empty
                    continue


def random_tokens(seed: int, longest: int = 60) -> tuple[str, ...]:
    """A canonical sequence made of random allowed moves, structure preferred."""
    chance = random.Random(seed)
    state, budget, numbers = _GRAMMAR.start, chance.randint(2, longest), []
    structure = {
        CROHME.index[token] for token in ("{", "}", "^", "_", "\\limits", "\\frac", "\\sqrt", "[", "]")
    }
    while not state.done:
        choices = [number for number, ok in enumerate(_GRAMMAR.allowed(state, budget)) if ok]
        preferred = [number for number in choices if number in structure]
        number = chance.choice(preferred if preferred and chance.random() < 0.5 else choices)
        state = _GRAMMAR.advance(state, number)
        budget -= 1
        numbers.append(number)
    return CROHME.decode(numbers)
