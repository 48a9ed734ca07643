"""Stand-ins: isolated characters that take the place of a corpus's own symbols."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inkscan.latex.symbol_metrics import extent
from inkscan.synthesis.bank import SymbolBank, SymbolInk

FLAT = 0.5  # labels that are usually no higher than this are as large as they are wide
LOWEST = 0.25  # a character flatter than this is not stretched to its model's height


def with_stand_ins(own: SymbolBank, extra: SymbolBank) -> SymbolBank:
    """A corpus's bank whose symbols are stood in for by isolated characters of their label, where there are any.

    A character that was written alone tells neither its size nor its place on a row, and may have a form that the
    corpus's writers avoid, such as an i without its dot. So each one is modelled on one of the corpus's symbols: it
    has as many strokes, is as large and stands where that one does.
    """
    rng = np.random.default_rng(0)
    entries = dict(own.entries)
    for label, characters in extra.entries.items():
        models = own.entries.get(label)
        stand_ins = _stand_ins(label, characters, models, rng) if models else characters
        entries[label] = stand_ins or entries[label]
    return SymbolBank(entries)


def _stand_ins(
    label: str, characters: Sequence[SymbolInk], models: Sequence[SymbolInk], rng: np.random.Generator
) -> list[SymbolInk]:
    """Each character once at most, on models drawn at random; forms that the models lack are left out."""
    by_strokes: dict[int, list[SymbolInk]] = defaultdict(list)
    for character in characters:
        by_strokes[len(character.ends)].append(character)
    drawn = [models[i] for i in rng.integers(len(models), size=len(characters)).tolist()]
    return [
        _modelled(left.pop(), model, label) for model in drawn if (left := by_strokes.get(len(model.ends)))
    ]


def _modelled(character: SymbolInk, model: SymbolInk, label: str) -> SymbolInk:
    size = model.size
    if extent(label).height > FLAT:
        size *= model.height / max(character.height, LOWEST)
    return replace(character, size=size, rise=model.rise)
