"""Explanation: a self-contained page that shows the attention at each decoding step on the ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from inkscan.features import InkFeatures, ink_features
from inkscan.features.settings import OFFLINE_STRIDE, ONLINE_STRIDE
from inkscan.ink import Ink
from inkscan.ink.svg import size_of_pen, symbol_colors, to_svg
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer

PICTURE_WIDTH = 210
PICTURE_HEIGHT = 120
_TITLES = {
    "points": "attention over points",
    "on-strokes": "attention over strokes (online)",
    "pixels": "attention over pixels",
    "off-strokes": "attention over strokes (offline)",
}
_STYLE = """
:root { color-scheme: light }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a2e; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
h1 { font-size: 1.25rem } h1 small { font-weight: 400; color: #5a5f73 }
h2 { font-size: 1rem; margin: 1.6rem 0 .5rem }
math { font-size: 1.7rem }
svg { display: block; margin: 0 auto; max-width: 100%; height: auto }
code { background: #f0f1f6; padding: .1rem .3rem; border-radius: 4px }
td { padding: .15rem .7rem .15rem 0 }
.answer { display: flex; gap: 2rem; align-items: center; flex-wrap: wrap }
.steps { display: flex; flex-wrap: wrap; gap: .6rem }
figure { margin: 0; border: 1px solid #d9dbe3; border-radius: 6px; padding: .4rem; min-width: 5rem }
figcaption { font: 600 14px ui-monospace, monospace; text-align: center; margin-top: .25rem }
figcaption small { font-weight: 400; color: #5a5f73 }
.structure { background: #f4f5f9 }
.view { font-size: 12px; color: #5a5f73; margin-top: .3rem }
"""


@dataclass(frozen=True)
class _Frame:
    """From an ink's coordinates to a picture's."""

    left: float
    top: float
    scale: float
    width: float
    height: float

    @classmethod
    def around(cls, low: npt.NDArray[np.floating], size: npt.NDArray[np.floating], margin: float) -> _Frame:
        wide, tall = float(size[0]) + 2 * margin, float(size[1]) + 2 * margin
        scale = min(PICTURE_WIDTH / wide, PICTURE_HEIGHT / tall)
        return cls(float(low[0]) - margin, float(low[1]) - margin, scale, wide * scale, tall * scale)

    def path(self, xy: npt.NDArray[np.floating]) -> str:
        points = ((xy - [self.left, self.top]) * self.scale).tolist()
        points = points * 2 if len(points) == 1 else points
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)

    def svg(self, content: str) -> str:
        return (
            f'<svg width="{self.width:.0f}" height="{self.height:.0f}" '
            f'viewBox="0 0 {self.width:.1f} {self.height:.1f}" fill="none" stroke-linecap="round" '
            f'stroke-linejoin="round">{content}</svg>'
        )


def explanation(recognizer: Recognizer, answer: Recognition, title: str) -> str:
    """The page; for an ensemble it shows the first model."""
    info = recognizer.members[0].info
    features = ink_features(answer.ink, info.features, online=info.online, offline=info.offline)
    views = list(zip(info.views, answer.attentions, strict=True))
    steps = []
    written = {symbol.index: symbol for symbol in answer.symbols}
    for i, token in enumerate(answer.tokens):
        pictures = "".join(
            f'<div class="view">{_TITLES[view]}</div>{_picture(view, alphas[i], answer.ink, features)}'
            if len(views) > 1
            else _picture(view, alphas[i], answer.ink, features)
            for view, alphas in views
        )
        note = f"<small>{written[i].confidence:.0%}</small>" if i in written else "<small>structure</small>"
        kind = "" if i in written else ' class="structure"'
        steps.append(
            f"<figure{kind}>{pictures}<figcaption>{i + 1}. {escape(token)} {note}</figcaption></figure>"
        )
    return _page(answer, title, _TITLES[views[0][0]] if len(views) == 1 else "attentions", steps)


def _page(answer: Recognition, title: str, heading: str, steps: Sequence[str]) -> str:
    colors = symbol_colors([symbol.strokes for symbol in answer.symbols])
    names = {stroke: symbol.token for symbol in answer.symbols for stroke in symbol.strokes}
    alternatives = "".join(
        f"<tr><td>{alternative.probability:.1%}</td><td><code>{escape(alternative.latex)}</code></td></tr>"
        for alternative in answer.alternatives
    )
    ink = to_svg(answer.ink, colors, names, height=150, max_width=640)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)} - inkscan</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)} <small>read by {escape(answer.model)}</small></h1>
<div class="answer"><div>{ink}</div><div>{answer.mathml}</div></div>
<p><code>{escape(answer.latex)}</code>, confidence {answer.confidence:.1%};
strokes of one symbol share a colour</p>
<h2>Alternatives</h2><table>{alternatives}</table>
<h2>Step by step: {heading}</h2><div class="steps">{"".join(steps)}</div>
</body></html>
"""


def _picture(view: str, alpha: npt.NDArray[np.float32], ink: Ink, features: InkFeatures) -> str:
    if view == "points":
        return _point_picture(alpha.reshape(-1), features)
    if view == "pixels":
        return _pixel_picture(alpha, ink, features)
    return _stroke_picture(alpha.reshape(-1), ink)


def _stroke_picture(shares: npt.NDArray[np.float32], ink: Ink) -> str:
    box, pen = ink.box(), size_of_pen(ink)
    frame = _Frame.around(np.array([box.left, box.top]), np.array([box.width, box.height]), 2 * pen)
    pen_width = max(pen * frame.scale, 1.2)
    paths = []
    for share, stroke in zip(shares[: len(ink)].tolist(), ink.strokes, strict=True):
        paths.append(
            f'<path d="{frame.path(stroke.xy)}" stroke="{heat(share)}" '
            f'stroke-width="{pen_width * (1 + share):.2f}">'
            f"<title>{share:.1%}</title></path>"
        )
    return frame.svg("".join(paths))


def _point_picture(shares: npt.NDArray[np.float32], features: InkFeatures) -> str:
    """Every cell of points is a piece of its stroke, drawn in the network's own coordinates."""
    assert features.trace is not None
    xy, ends = features.trace.features[:, :2], np.cumsum(features.trace.stroke_lengths)
    size = np.ptp(xy, axis=0)
    frame = _Frame.around(xy.min(axis=0), size, 0.03 * float(size.max()) + 1e-6)
    strokes = np.searchsorted(ends, np.arange(len(xy)), side="right")
    top = max(float(shares.max()), 1e-9)
    pieces = []
    for stroke in range(len(ends)):
        inside = np.flatnonzero(strokes == stroke)
        for cell in range(inside[0] // ONLINE_STRIDE, inside[-1] // ONLINE_STRIDE + 1):
            first, last = max(cell * ONLINE_STRIDE, inside[0]), min((cell + 1) * ONLINE_STRIDE, inside[-1])
            share = float(shares[cell]) if cell < len(shares) else 0.0
            pieces.append(
                f'<path d="{frame.path(xy[first : last + 1])}" stroke="{heat(share / top)}" '
                f'stroke-width="2">'
                f"<title>{share:.1%}</title></path>"
            )
    return frame.svg("".join(pieces))


def _pixel_picture(shares: npt.NDArray[np.float32], ink: Ink, features: InkFeatures) -> str:
    assert features.raster is not None
    height, width = features.raster.image.shape
    frame = _Frame.around(np.zeros(2), np.array([width, height]), 0.0)
    box = ink.box()
    cell = OFFLINE_STRIDE * frame.scale
    top = max(float(shares.max()), 1e-9)
    content = [
        f'<rect x="{x * cell:.1f}" y="{y * cell:.1f}" width="{cell:.1f}" height="{cell:.1f}" fill="#d62728" '
        f'opacity="{0.85 * float(shares[y, x]) / top:.3f}"><title>{float(shares[y, x]):.1%}</title></rect>'
        for y, x in zip(*np.nonzero(shares > 0.01 * top), strict=True)
    ]
    for stroke in ink.strokes:
        path = frame.path((stroke.xy - [box.left, box.top]) * features.raster.scale + features.raster.margin)
        content.append(f'<path d="{path}" stroke="#1a1a2e" stroke-width="1.3"/>')
    return frame.svg("".join(content))


def heat(share: float) -> str:
    """From pale grey, not looked at, to red."""
    share = min(max(share, 0.0), 1.0) ** 0.6
    low, high = (201, 205, 216), (214, 39, 40)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))
