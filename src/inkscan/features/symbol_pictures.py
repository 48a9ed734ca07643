"""Pictures of symbols: what some strokes look like, and what stands around them.

A symbol is drawn twice. Near, so that it fills its picture: that shows its shape. And in a window as large as a few
letters: that shows how large it is beside its neighbours, and where it stands. In both, the symbol and all other ink
have a channel each. Neither tells in which order or direction the strokes were written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inkscan.features.trace import average_stroke_height, space_evenly
from inkscan.ink import Ink
from inkscan.ink.boxes import stroke_corners

SIDE = 32  # pixels of a picture
FILLED = 22  # of them that the longer side of a symbol takes, near
SMALLEST = 0.35  # average stroke heights: what is smaller than that is not magnified further
WINDOW = 4.0  # average stroke heights that are seen around the middle of a symbol
PEN_STEP = 0.4  # pixels between two places where the pen touches
CHANNELS = 4  # near: the symbol, what is around it; in the window: likewise
MEASURES = 3
LEAST_MEASURE = 0.02  # average stroke heights
MOST_STROKES = 8  # that are counted

Floats = npt.NDArray[np.float64]
StrokeGroup = tuple[int, ...]  # strokes by their numbers


@dataclass(frozen=True)
class SymbolPictures:
    """What a classifier sees of G groups of strokes."""

    images: npt.NDArray[np.float32]  # (G, CHANNELS, SIDE, SIDE), from 0 to 1
    measures: npt.NDArray[
        np.float32
    ]  # (G, MEASURES): log width and height in average stroke heights, strokes


def symbol_pictures(ink: Ink, groups: Sequence[StrokeGroup]) -> SymbolPictures:
    """The pictures of some groups of an ink's strokes."""
    painter = _Painter(ink)
    images = np.empty((len(groups), CHANNELS, SIDE, SIDE), dtype=np.float32)
    measures = np.empty((len(groups), MEASURES), dtype=np.float32)
    for at, group in enumerate(groups):
        images[at], measures[at] = painter.paint(group)
    return SymbolPictures(images, measures)


class _Painter:
    """One ink, whose pen places are found once for all windows."""

    def __init__(self, ink: Ink) -> None:
        self.strokes = [stroke.xy for stroke in ink.strokes]
        self.size = average_stroke_height(self.strokes)
        self.lows, self.highs = stroke_corners(self.strokes)
        self.scale = SIDE / (WINDOW * self.size)
        self.points, self.owner = _touched(self.strokes, range(len(self.strokes)), self.scale)

    def paint(self, group: StrokeGroup) -> tuple[Floats, Floats]:
        strokes = list(group)
        low, high = self.lows[strokes].min(axis=0), self.highs[strokes].max(axis=0)
        middle, extent = (low + high) / 2, high - low
        scale = FILLED / max(float(extent.max()), SMALLEST * self.size)
        reach = SIDE / 2 / scale
        seen = ((self.lows <= middle + reach) & (self.highs >= middle - reach)).all(axis=1).nonzero()[0]
        others = [stroke for stroke in seen.tolist() if stroke not in group]
        own = np.isin(self.owner, strokes)
        image = np.stack([
            _drawn(_touched(self.strokes, strokes, scale)[0], middle, scale),
            _drawn(_touched(self.strokes, others, scale)[0], middle, scale),
            _drawn(self.points[own], middle, self.scale),
            _drawn(self.points[~own], middle, self.scale),
        ])  # fmt: skip
        width, height = np.log(np.maximum(extent / self.size, LEAST_MEASURE))
        return image, np.array([width, height, min(len(strokes), MOST_STROKES)])


def _touched(
    strokes: Sequence[Floats], numbers: Sequence[int], scale: float
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Where the pen touches the paper along some strokes, close enough for this scale, and which stroke it draws."""
    if not numbers:
        return np.empty((0, 2)), np.empty(0, dtype=np.int64)
    points, counts = space_evenly([strokes[number] for number in numbers], PEN_STEP / scale)
    return points, np.repeat(np.asarray(numbers), counts)


def _drawn(points: Floats, middle: Floats, scale: float) -> Floats:
    """Points as ink in a picture around the middle: each is shared by the four pixels nearest to it."""
    places = (points - middle) * scale + SIDE / 2 + 0.5  # with a border of one pixel
    places = places[((places >= 0) & (places < SIDE + 1)).all(axis=1)]
    corner = np.floor(places).astype(np.int64)
    x, y = (places - corner).T
    at = corner[:, 1] * (SIDE + 2) + corner[:, 0]
    picture: Floats = np.zeros((SIDE + 2) ** 2)
    for offset, share in (
        (0, (1 - x) * (1 - y)),
        (1, x * (1 - y)),
        (SIDE + 2, (1 - x) * y),
        (SIDE + 3, x * y),
    ):
        picture += np.bincount(at + offset, share, minlength=len(picture))
    whole: Floats = np.minimum(picture.reshape(SIDE + 2, SIDE + 2)[1:-1, 1:-1], 1.0)
    return whole
