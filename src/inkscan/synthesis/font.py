"""The stroke font: each way of writing a symbol as a linear map from its control points to pen points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from inkscan.errors import BadCorpus, UnknownToken

FloatArray = npt.NDArray[np.float64]

DENSITIES = (7.0, 12.0, 19.0)  # pen points for a way of one x-height, slow to fast digitisers
_FINE = 24  # samples of a piece of curve when its speed is measured


@dataclass(frozen=True, eq=False)
class Sampling:
    """Pen points are `smooth @ controls` or, for an angular hand, partly `angular @ controls`."""

    smooth: FloatArray  # (points, controls)
    angular: FloatArray  # (points, controls)
    ends: tuple[int, ...]  # one past the last point of each stroke


@dataclass(frozen=True, eq=False)
class Glyph:
    """One way of writing a symbol, in x-heights with the baseline at 0 and y downwards."""

    label: str
    controls: FloatArray  # (controls, 2)
    slack: FloatArray  # (controls, 1), how far each control may wander without spoiling the shape
    corners: tuple[tuple[bool, ...], ...]  # for each stroke, at which controls the pen turns sharply
    weight: float

    def sampling(self, density: float) -> Sampling:
        """The pen points at a density of DENSITIES; computed once."""
        return _sample(self, density)


@dataclass(frozen=True)
class Font:
    """For each label the ways it is written."""

    glyphs: dict[str, tuple[Glyph, ...]]

    def __contains__(self, label: str) -> bool:
        return label in self.glyphs

    def variants(self, label: str) -> tuple[Glyph, ...]:
        try:
            return self.glyphs[label]
        except KeyError:
            raise UnknownToken(f"the stroke font has no '{label}'") from None


@cache
def read_font() -> Font:
    """The built-in font."""
    text = files("inkscan.synthesis").joinpath("glyphs.txt").read_text("utf-8")
    glyphs: dict[str, tuple[Glyph, ...]] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            glyph = parse_glyph(line)
            glyphs[glyph.label] = (*glyphs.get(glyph.label, ()), glyph)
    return Font(glyphs)


def parse_glyph(line: str) -> Glyph:
    """Read one line of glyphs.txt."""
    label, *fields = line.split()
    weight = 1.0
    if fields and fields[0].startswith("*"):
        weight = float(fields.pop(0)[1:])
    try:
        strokes = [_parse_stroke(stroke) for stroke in " ".join(fields).split(";")]
    except ValueError as error:
        raise BadCorpus(f"glyph '{label}' is malformed: {error}") from error
    controls = np.concatenate([points for points, _ in strokes]) * [0.01, -0.01]
    slack = np.concatenate([_slack(points) for points, _ in strokes])[:, None]
    return Glyph(label, controls, slack, tuple(tuple(corners) for _, corners in strokes), weight)


def _parse_stroke(text: str) -> tuple[FloatArray, list[bool]]:
    points, corners = [], []
    for field in text.split():
        x, y = field.rstrip("!").split(",")
        points.append((float(x), float(y)))
        corners.append(field.endswith("!"))
    if len(points) < 2:
        raise ValueError("a stroke needs two points")
    return np.array(points), corners


def _slack(points: FloatArray) -> FloatArray:
    steps = np.hypot(*np.diff(points, axis=0).T) / 100
    nearest = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf))
    slack: FloatArray = np.minimum(1.0, nearest * 3.5)
    directions = np.arctan2(*np.diff(points, axis=0).T)
    straight = np.abs(np.angle(np.exp(1j * np.diff(directions)))) < 0.15
    slack[1:-1][straight] *= 0.4  # straight strokes stay nearly straight
    return slack


@cache
def _sample(glyph: Glyph, density: float) -> Sampling:
    smooth, angular, start = [], [], 0
    for corners in glyph.corners:
        controls = glyph.controls[start : start + len(corners)]
        start += len(corners)
        rows = _stroke_basis(controls, corners, density)
        smooth.append(rows[0])
        angular.append(rows[1])
    ends = tuple(np.cumsum([len(rows) for rows in smooth]).tolist())
    return Sampling(_block_diagonal(smooth), _block_diagonal(angular), ends)


def _block_diagonal(blocks: list[FloatArray]) -> FloatArray:
    whole = np.zeros((sum(len(block) for block in blocks), sum(block.shape[1] for block in blocks)))
    row = column = 0
    for block in blocks:
        whole[row : row + len(block), column : column + block.shape[1]] = block
        row += len(block)
        column += block.shape[1]
    return whole


def _stroke_basis(
    points: FloatArray, corners: tuple[bool, ...], density: float
) -> tuple[FloatArray, FloatArray]:
    """Rows of pen points over the controls of one stroke, equally spaced in the pen's time."""
    count = len(points)
    cuts = [0, *(i for i in range(1, count - 1) if corners[i]), count - 1]
    smooth, angular = [], []
    for first, last in pairwise(cuts):
        curve = points[first : last + 1]
        knots = np.insert(np.cumsum(np.sqrt(np.hypot(*np.diff(curve, axis=0).T))), 0, 0.0)
        fine = np.linspace(0, knots[-1], _FINE * (last - first) + 1)
        chosen = _equal_times(_spline(knots, fine) @ curve, fine, density)
        if first > 0:
            chosen = chosen[1:]
        place = np.zeros((len(curve), count))
        place[np.arange(len(curve)), np.arange(first, last + 1)] = 1
        smooth.append(_spline(knots, chosen) @ place)
        angular.append(_polygon(knots, chosen) @ place)
    return np.concatenate(smooth), np.concatenate(angular)


def _equal_times(path: FloatArray, parameter: FloatArray, density: float) -> FloatArray:
    """Parameters at which a digitiser samples the path: the pen is slow in bends and near its ends."""
    steps = np.diff(path, axis=0)
    lengths = np.hypot(*steps.T) + 1e-12
    angles = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    bend = np.abs(np.gradient(angles)) / lengths if len(angles) > 1 else np.zeros(1)
    way = np.cumsum(lengths) - lengths / 2
    from_end = np.minimum(way, lengths.sum() - way)
    slowness = (0.4 + np.minimum(bend, 20.0)) ** (1 / 3) * (1 + 0.9 * np.exp(-((from_end / 0.15) ** 2)))
    time = np.insert(np.cumsum(lengths * slowness), 0, 0.0)
    count = max(2, round(time[-1] * density))
    return np.interp(np.linspace(0, time[-1], count), time, parameter)


def _spline(knots: FloatArray, at: FloatArray) -> FloatArray:
    """The natural cubic spline through values at the knots, as a matrix from those values."""
    n = len(knots)
    h = np.diff(knots)
    bend: FloatArray = np.zeros((n, n))  # second derivatives from values
    if n > 2:
        inner = np.arange(1, n - 1)
        system, right = np.eye(n), np.zeros((n, n))
        system[inner, inner - 1], system[inner, inner], system[inner, inner + 1] = (
            h[:-1],
            2 * (h[:-1] + h[1:]),
            h[1:],
        )
        right[inner, inner - 1], right[inner, inner + 1] = 6 / h[:-1], 6 / h[1:]
        right[inner, inner] = -6 / h[:-1] - 6 / h[1:]
        bend = np.linalg.solve(system, right).astype(np.float64)
    i = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, n - 2)
    b = (at - knots[i]) / h[i]
    a = 1 - b
    left, right_bend = (a**3 - a) * h[i] ** 2 / 6, (b**3 - b) * h[i] ** 2 / 6
    return _polygon(knots, at) + left[:, None] * bend[i] + right_bend[:, None] * bend[i + 1]


def _polygon(knots: FloatArray, at: FloatArray) -> FloatArray:
    """Straight lines between values at the knots, as a matrix from those values."""
    n = len(knots)
    i = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, n - 2)
    b = (at - knots[i]) / np.diff(knots)[i]
    rows = np.zeros((len(at), n))
    rows[np.arange(len(at)), i] = 1 - b
    rows[np.arange(len(at)), i + 1] += b
    return rows
