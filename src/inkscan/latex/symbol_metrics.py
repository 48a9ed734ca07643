"""Where each symbol stands on its row: heights above the baseline, in x-heights."""

from __future__ import annotations

from dataclasses import dataclass

from inkscan.latex.alphabet import ALPHABET

AXIS = 0.62  # fraction bars, plus and minus signs are centred here
LINE = 1.6  # height of digits and capitals


@dataclass(frozen=True, slots=True)
class Extent:
    """Top and bottom of a symbol above its baseline; `rigid` ones tell the size of the writing."""

    top: float
    bottom: float
    rigid: bool = True

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def centre(self) -> float:
        return (self.top + self.bottom) / 2


# By the names that the alphabet's column `stands` uses.
CLASSES = {
    "small": Extent(1.0, 0.0),
    "tall": Extent(1.7, 0.0),
    "dotted": Extent(1.5, 0.0),
    "hooked": Extent(1.7, -0.1),
    "tailed": Extent(1.0, -0.75),
    "crossing": Extent(1.5, -0.75),
    "long": Extent(1.7, -0.7),
    "line": Extent(LINE, 0.0),
    "sign": Extent(1.2, 0.04),
    "divided": Extent(1.05, 0.2),
    "level": Extent(0.85, 0.4),
    "middle": Extent(0.95, 0.3),
    "bar": Extent(AXIS, AXIS, False),
    "centred": Extent(AXIS + 0.06, AXIS - 0.06, False),
    "ring": Extent(AXIS + 0.3, AXIS - 0.3, False),
    "column": Extent(1.2, 0.04, False),
    "lowdots": Extent(0.12, 0.0, False),
    "colon": Extent(0.9, 0.0, False),
    "semicolon": Extent(0.9, -0.35, False),
    "comma": Extent(0.2, -0.45, False),
    "raised": Extent(1.75, 1.1, False),
    "fence": Extent(1.85, -0.4, False),
    "big": Extent(1.75, -0.5, False),
    "integral": Extent(2.1, -0.85, False),
    "radical": Extent(1.9, -0.15, False),
}
RAISED = CLASSES["raised"]
_UNKNOWN = Extent(LINE, 0.0, False)


def extent(label: str) -> Extent:
    """Where the symbol usually stands; labels outside the alphabet are taken for capitals."""
    entry = ALPHABET.get(label)
    return CLASSES[entry.stands] if entry and entry.stands else _UNKNOWN
