"""Segmentation: which strokes write each symbol, read off the attention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inkscan.features import FeatureBatch
from inkscan.latex.tree import STRUCTURE
from inkscan.runtime.network import Float32

_TINY = 1e-12


def owners_of(view: str, batch: FeatureBatch, ink: int, strokes: int) -> Float32 | None:
    """The strokes' shares of each point or pixel cell, (M, cells); None where cells are strokes themselves."""
    if view in ("on-strokes", "off-strokes"):
        return None
    pmask = batch.pmask_on if view == "points" else batch.pmask_off
    assert pmask is not None
    cells = pmask[ink, :strokes].reshape(strokes, -1)
    owners: Float32 = cells / np.maximum(cells.sum(axis=0, keepdims=True), _TINY)
    return owners


def stroke_attention(alpha: Float32, owners: Float32 | None, strokes: int) -> Float32:
    """A view's attention (C, H, W) as shares of the ink's strokes, (C, M); rows sum to one."""
    flat = alpha.reshape(len(alpha), -1)
    shares = flat[:, :strokes] if owners is None else flat @ owners.T
    total = shares.sum(axis=1, keepdims=True)
    # Attention that lies wholly on empty paper says nothing about strokes.
    return np.where(total > _TINY, shares / np.maximum(total, _TINY), 1.0 / strokes).astype(np.float32)


def is_written(tokens: Sequence[str]) -> tuple[bool, ...]:
    """Whether strokes write each token: not for braces, scripts and the brackets of a root's index."""
    written = [token not in STRUCTURE for token in tokens]
    open_index: list[bool] = []  # for each open row: whether it is the index of a root
    for i, token in enumerate(tokens):
        if token == "[" and i and tokens[i - 1] == "\\sqrt":
            written[i] = False
            open_index.append(True)
        elif token == "{":
            open_index.append(False)
        elif token == "]" and open_index and open_index[-1]:
            written[i] = False
            open_index.pop()
        elif token == "}" and open_index:
            open_index.pop()
    return tuple(written)


def segment(attention: npt.NDArray[np.floating], written: Sequence[bool]) -> tuple[tuple[int, ...], ...]:
    """Strokes of each token: every stroke belongs to exactly one written token.

    A stroke goes to the symbol that looked at it most. A symbol left without any takes one from a symbol that
    has several: the one it looked at most, compared with its owner. With fewer strokes than symbols some stay
    without.
    """
    symbols = np.flatnonzero(written)
    groups: list[tuple[int, ...]] = [()] * len(written)
    if not len(symbols):
        return tuple(groups)
    gain = np.log(attention[symbols] + _TINY)  # (symbols, strokes)
    owner = gain.argmax(axis=0)
    _give_each_symbol_a_stroke(owner, gain)
    for number, symbol in enumerate(symbols.tolist()):
        groups[symbol] = tuple(np.flatnonzero(owner == number).tolist())
    return tuple(groups)


def _give_each_symbol_a_stroke(owner: npt.NDArray[np.intp], gain: npt.NDArray[np.floating]) -> None:
    counts = np.bincount(owner, minlength=len(gain))
    strokes = np.arange(len(owner))
    while (counts == 0).any() and (counts > 1).any():
        empty = np.flatnonzero(counts == 0)
        loss = gain[empty] - gain[owner, strokes]  # (empty symbols, strokes)
        loss[:, counts[owner] < 2] = -np.inf
        taker, stroke = np.unravel_index(int(loss.argmax()), loss.shape)
        counts[owner[stroke]] -= 1
        owner[stroke] = empty[taker]
        counts[empty[taker]] += 1
