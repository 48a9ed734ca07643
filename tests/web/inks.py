"""Ink of the project's own that a test can write stroke by stroke; an `x = 2 ^ 5` also in every request shape."""

from __future__ import annotations

import math
from typing import Any

Points = list[tuple[float, float]]


def line(x0: float, y0: float, x1: float, y1: float, steps: int = 2) -> Points:
    return [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps + 1)]


def arc(x: float, y: float, radius: float, start: float, stop: float, steps: int = 5) -> Points:
    angles = [start + (stop - start) * i / steps for i in range(steps + 1)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


STROKES: list[Points] = [
    line(100, 80, 150, 150),  # x
    line(150, 80, 100, 150),
    line(190, 105, 240, 105),  # =
    line(190, 125, 240, 125),
    [*arc(300, 95, 20, -math.pi, 0.6), *line(314, 108, 280, 150), *line(282, 150, 325, 150)],  # 2
    [*line(360, 40, 340, 40), *line(340, 42, 340, 58), *arc(348, 66, 11, -1.8, 1.9)],  # 5
]
POLYNOMIAL: list[Points] = [  # x ^ 2 + 1
    line(206, 170, 250, 220, 9),  # a letter is lower than a figure; as high as one, it would be a capital
    line(250, 170, 204, 220, 9),
    [*arc(280, 125, 11, -math.pi, 0.6, 8), *line(288, 132, 268, 155, 5), *line(269, 155, 294, 155, 4)],
    line(320, 187, 370, 187, 8),
    line(345, 162, 345, 212, 8),
    [*line(405, 165, 420, 148, 4), *line(420, 150, 420, 220, 9)],
]
FRACTION: list[Points] = [line(100, 150, 200, 150, 6), line(150, 80, 150, 130), line(150, 170, 150, 220)]
SCRIBBLE: Points = [
    p for i in range(6) for p in line(275, 80 + 12 * i, 330, 86 + 12 * i)[:: 1 if i % 2 else -1]
]


def columns(count: int) -> dict[str, list[list[float]]]:
    """The first strokes as Mathpix writes them."""
    return {
        "x": [[x for x, _ in s] for s in STROKES[:count]],
        "y": [[y for _, y in s] for s in STROKES[:count]],
    }


def channels(count: int) -> list[dict[str, Any]]:
    """The first strokes as MyScript writes them."""
    return [
        {
            "id": f"s{i}",
            "pointerType": "PEN",
            "x": x,
            "y": y,
            "t": [8 * k for k in range(len(x))],
            "p": [0.5] * len(x),
        }
        for i, (x, y) in enumerate(zip(*columns(count).values(), strict=True))
    ]


def plain(count: int) -> list[list[list[float]]]:
    """The first strokes as lists of points."""
    return [[[x, y] for x, y in s] for s in STROKES[:count]]


def inkml(count: int) -> str:
    traces = "".join(f"<trace>{', '.join(f'{x} {y}' for x, y in s)}</trace>" for s in STROKES[:count])
    return f'<ink xmlns="http://www.w3.org/2003/InkML">{traces}</ink>'
