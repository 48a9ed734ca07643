"""Handwritten mathematics in as pen strokes, LaTeX out, by the Stroke Constrained Attention Network."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inkscan.errors import InkError, InkscanError, ModelError, RecognitionError
    from inkscan.ink import Box, Ink, Stroke
    from inkscan.runtime.recognition import Alternative, Recognition, RecognizedSymbol
    from inkscan.runtime.recognizer import Recognizer, load
    from inkscan.runtime.search import SearchSettings
    from inkscan.runtime.session import Session
    from inkscan.runtime.sheet import Sheet, SheetLine

__version__ = "0.1.0"

__all__ = [
    "Alternative",
    "Box",
    "Ink",
    "InkError",
    "InkscanError",
    "ModelError",
    "Recognition",
    "RecognitionError",
    "RecognizedSymbol",
    "Recognizer",
    "SearchSettings",
    "Session",
    "Sheet",
    "SheetLine",
    "Stroke",
    "load",
]

_HOMES = {
    "inkscan.errors": ("InkError", "InkscanError", "ModelError", "RecognitionError"),
    "inkscan.ink": ("Box", "Ink", "Stroke"),
    "inkscan.runtime.recognition": ("Alternative", "Recognition", "RecognizedSymbol"),
    "inkscan.runtime.recognizer": ("Recognizer", "load"),
    "inkscan.runtime.search": ("SearchSettings",),
    "inkscan.runtime.session": ("Session",),
    "inkscan.runtime.sheet": ("Sheet", "SheetLine"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import inkscan` alone loads nothing."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'inkscan' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
