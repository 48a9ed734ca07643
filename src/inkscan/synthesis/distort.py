"""Distortion: the same expression as another hand, another day or another device would have written it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from inkscan.data.sample import Sample
from inkscan.ink import Ink, Stroke
from inkscan.latex.tree import ACCENTS, STACKS
from inkscan.synthesis.bank import FloatArray
from inkscan.synthesis.order import with_order
from inkscan.synthesis.pen_habits import mean_stroke_size

_HOLDING = STACKS | ACCENTS | {r"\sqrt"}


@dataclass(frozen=True)
class Distortion:
    """How far a distorted ink may go; angles in degrees, lengths in average stroke sizes."""

    rotation: float = 6.0  # of the whole, and as much again of each stroke
    shear: float = 0.25
    aspect: float = 0.25
    wave: float = 0.12  # amplitude of smooth waves through the whole plane
    symbol_warp: float = 0.0  # how far each symbol is stretched, turned and slanted by itself
    stroke_shift: float = 0.04
    stroke_scale: float = 0.08
    tremor: float = 0.015
    reversed_strokes: float = 0.03  # share of strokes written the other way round
    delayed_symbols: float = 0.03  # share of inks with one stroke moved to a later place


def distort(sample: Sample, rng: np.random.Generator, limits: Distortion) -> Sample:
    """A distorted copy; tokens stay, the alignment follows strokes that change their place."""
    strokes = [stroke.xy for stroke in sample.ink.strokes]
    lengths = np.array([len(stroke) for stroke in strokes])
    points = np.concatenate(strokes)
    size = mean_stroke_size(sample.ink)
    points = points - points.mean(axis=0)
    points = _waves(points, size, limits.wave, rng)
    if limits.symbol_warp:
        points = _warp_symbols(points, lengths, sample, limits.symbol_warp, rng)
    points = _jitter_strokes(points, lengths, size, limits, rng)
    points = points @ _affine(limits, rng).T
    points += rng.normal(scale=limits.tremor * size * rng.random(), size=points.shape)
    parts = np.split(points, np.cumsum(lengths)[:-1])
    for j in np.flatnonzero(rng.random(len(parts)) < limits.reversed_strokes):
        parts[j] = parts[j][::-1]
    moved = replace(sample, ink=Ink(tuple(Stroke(part) for part in parts)))
    return _delay(moved, rng) if rng.random() < limits.delayed_symbols else moved


def _affine(limits: Distortion, rng: np.random.Generator) -> FloatArray:
    angle = np.deg2rad(limits.rotation) * rng.uniform(-1, 1)
    cos, sin = np.cos(angle), np.sin(angle)
    shear = limits.shear * rng.uniform(-1, 1)
    aspect = np.exp(limits.aspect * rng.uniform(-1, 1))
    turn = np.array([[cos, -sin], [sin, cos]])
    affine: FloatArray = turn @ np.array([[aspect, shear], [0.0, 1.0]])
    return affine


def _waves(points: FloatArray, size: float, amplitude: float, rng: np.random.Generator) -> FloatArray:
    """Two smooth waves a coordinate, a few symbols long."""
    moved = points.copy()
    for axis in (0, 1):
        for _ in range(2):
            direction = rng.normal(size=2)
            wavelength = size * rng.uniform(2.0, 8.0)
            phase = points @ direction * (2 * np.pi / (wavelength * np.linalg.norm(direction)))
            moved[:, axis] += (
                amplitude * size * rng.uniform(-1, 1) * np.sin(phase + rng.uniform(0, 2 * np.pi))
            )
    return moved


def _warp_symbols(
    points: FloatArray, lengths: np.ndarray, sample: Sample, limit: float, rng: np.random.Generator
) -> FloatArray:
    """Map each symbol linearly about its own centre; bars and roots, which others stand by, stay."""
    strokes = np.split(np.arange(len(points)), np.cumsum(lengths)[:-1])
    shared = sample.stroke_owners()
    warped = points.copy()
    for token, owned in zip(sample.tokens, sample.alignment, strict=True):
        if not owned or token in _HOLDING or any(shared[stroke] > 1 for stroke in owned):
            continue
        own = np.concatenate([strokes[stroke] for stroke in owned])
        low, high = points[own].min(axis=0), points[own].max(axis=0)
        centre = (low + high) / 2
        warped[own] = (points[own] - centre) @ (np.eye(2) + limit * rng.normal(size=(2, 2))) + centre
    return warped


def _jitter_strokes(
    points: FloatArray, lengths: np.ndarray, size: float, limits: Distortion, rng: np.random.Generator
) -> FloatArray:
    """Turn, scale and shift each stroke a little about its own centre."""
    count = len(lengths)
    starts = np.cumsum(lengths) - lengths
    centres = np.add.reduceat(points, starts, axis=0) / lengths[:, None]
    angles = np.deg2rad(limits.rotation) * rng.uniform(-1, 1, count)
    # A long bar is turned less, so that its ends stay near.
    angles *= np.minimum(1.0, size / np.maximum(_reaches(points, starts), 1e-9))
    scales = np.exp(limits.stroke_scale * rng.uniform(-1, 1, (count, 2)))
    shifts = limits.stroke_shift * size * rng.normal(size=(count, 2))
    stroke = np.repeat(np.arange(count), lengths)
    x, y = ((points - centres[stroke]) * scales[stroke]).T
    cos, sin = np.cos(angles)[stroke], np.sin(angles)[stroke]
    turned: FloatArray = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
    turned += (centres + shifts)[stroke]
    return turned


def _reaches(points: FloatArray, starts: np.ndarray) -> FloatArray:
    """How far each stroke reaches, along the longer side of its box."""
    sides = np.maximum.reduceat(points, starts, axis=0) - np.minimum.reduceat(points, starts, axis=0)
    longer: FloatArray = sides.max(axis=1)
    return longer


def _delay(sample: Sample, rng: np.random.Generator) -> Sample:
    """Write one stroke later than it was written."""
    count = len(sample.ink)
    if count < 3:
        return sample
    taken = int(rng.integers(count - 1))
    place = int(rng.integers(taken + 1, count))
    order = [j for j in range(count) if j != taken]
    order.insert(place, taken)
    return with_order(sample, order)
