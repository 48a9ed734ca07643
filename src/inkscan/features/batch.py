"""Features of one ink, and many of them padded into one batch: what every encoder takes, in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inkscan.features.raster import Raster, raster
from inkscan.features.settings import OFFLINE_STRIDE, ONLINE_STRIDE, FeatureSettings
from inkscan.features.trace import Trace, pooled_stroke_mask, trace_features
from inkscan.ink import Ink

Float32 = npt.NDArray[np.float32]
Bool = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class InkFeatures:
    """What a system needs to know of one ink; a modality that it does not use is None."""

    stroke_count: int
    trace: Trace | None
    raster: Raster | None


@dataclass(frozen=True)
class FeatureBatch:
    """Padded features of B inks. Masks are True where something is real; a padded stroke has zero rows."""

    stroke_mask: Bool  # (B, M)
    points: Float32 | None = None  # (B, N, 8), N a multiple of the online stride
    point_mask: Bool | None = None  # (B, N)
    pmask_on: Float32 | None = None  # (B, M, L)
    image: Float32 | None = None  # (B, H_in, W_in), both multiples of the offline stride
    image_mask: Bool | None = None  # (B, H_in, W_in)
    pmask_off: Float32 | None = None  # (B, M, H, W)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The arrays that are there, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}


def ink_features(ink: Ink, settings: FeatureSettings, *, online: bool, offline: bool) -> InkFeatures:
    """Features of one ink in the modalities asked for."""
    return InkFeatures(
        stroke_count=len(ink),
        trace=trace_features(ink, settings) if online else None,
        raster=raster(ink, settings) if offline else None,
    )


def pad_batch(inks: Sequence[InkFeatures]) -> FeatureBatch:
    """One batch of inks that all have the same modalities."""
    strokes = max(ink.stroke_count for ink in inks)
    stroke_mask = np.arange(strokes) < np.array([[ink.stroke_count] for ink in inks])
    traces = [ink.trace for ink in inks if ink.trace is not None]
    rasters = [ink.raster for ink in inks if ink.raster is not None]
    batch = FeatureBatch(stroke_mask)
    if traces:
        batch = _with_traces(batch, traces)
    if rasters:
        batch = _with_rasters(batch, rasters)
    return batch


def _with_traces(batch: FeatureBatch, traces: list[Trace]) -> FeatureBatch:
    lengths = [len(trace.features) for trace in traces]
    cells = -(-max(lengths) // ONLINE_STRIDE)
    points = np.zeros((len(traces), cells * ONLINE_STRIDE, 8), dtype=np.float32)
    pmask = np.zeros((*batch.stroke_mask.shape, cells), dtype=np.float32)
    for i, trace in enumerate(traces):
        points[i, : lengths[i]] = trace.features
        mask = pooled_stroke_mask(trace.stroke_lengths)
        pmask[i, : mask.shape[0], : mask.shape[1]] = mask
    point_mask = np.arange(points.shape[1]) < np.array(lengths)[:, None]
    return replace(batch, points=points, point_mask=point_mask, pmask_on=pmask)


def _with_rasters(batch: FeatureBatch, rasters: list[Raster]) -> FeatureBatch:
    shapes = np.array([r.image.shape for r in rasters])
    rows, columns = -(-shapes.max(axis=0) // OFFLINE_STRIDE)
    image = np.zeros((len(rasters), rows * OFFLINE_STRIDE, columns * OFFLINE_STRIDE), dtype=np.float32)
    image_mask = np.zeros(image.shape, dtype=np.bool_)
    pmask = np.zeros((*batch.stroke_mask.shape, rows, columns), dtype=np.float32)
    for i, r in enumerate(rasters):
        height, width = r.image.shape
        image[i, :height, :width] = r.image
        image_mask[i, :height, :width] = True
        m, h, w = r.pooled_masks.shape
        pmask[i, :m, :h, :w] = r.pooled_masks
    return replace(batch, image=image, image_mask=image_mask, pmask_off=pmask)
