"""Explanation: a self-contained page that shows the attention of models at each decoding step on the ink."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from inkscan.features import InkFeatures, ink_features
from inkscan.features.settings import OFFLINE_STRIDE, ONLINE_STRIDE
from inkscan.ink import Ink
from inkscan.ink.svg import size_of_pen, symbol_colors, to_svg
from inkscan.latex.matching import matched_tokens
from inkscan.latex.tokens import latex_from_tokens
from inkscan.runtime.models import ModelInfo
from inkscan.runtime.recognition import Recognition

PICTURE_WIDTH = 210
PICTURE_HEIGHT = 120
_TITLES = {
    "points": "points",
    "on-strokes": "strokes (online)",
    "pixels": "pixels",
    "off-strokes": "strokes (offline)",
}
_STYLE = """
:root { color-scheme: light }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a2e; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
h1 { font-size: 1.25rem } h1 small { font-weight: 400; color: #5a5f73 }
h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem } h2 small { font-weight: 400; color: #5a5f73 }
h3 { font-size: 1rem; margin: 1.2rem 0 .5rem }
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
.wrong { border-color: #d62728 } .wrong figcaption { color: #b3191b; text-decoration: underline wavy }
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


@dataclass(frozen=True)
class ExplainedAnswer:
    """What one model made of the ink; of an ensemble the first member's attention is shown."""

    model: ModelInfo
    answer: Recognition


def explanation(readings: Sequence[ExplainedAnswer], title: str, truth: Sequence[str] | None = None) -> str:
    """A page with a row of pictures for each model and view; with a truth, tokens that are not in it are marked."""
    ink = readings[0].answer.ink
    sections = "".join(_section(reading, truth) for reading in readings)
    shown = "" if truth is None else f"<p>Truth: <code>{escape(latex_from_tokens(truth))}</code></p>"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)} - inkscan</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)} <small>{len(ink)} strokes</small></h1>
{shown}{sections}
</body></html>
"""


def _section(reading: ExplainedAnswer, truth: Sequence[str] | None) -> str:
    answer = reading.answer
    colors = symbol_colors([symbol.strokes for symbol in answer.symbols])
    names = {stroke: symbol.token for symbol in answer.symbols for stroke in symbol.strokes}
    ink = to_svg(answer.ink, colors, names, height=150, max_width=640)
    alternatives = "".join(
        f"<tr><td>{alternative.probability:.1%}</td><td><code>{escape(alternative.latex)}</code></td></tr>"
        for alternative in answer.alternatives
    )
    verdict = "" if truth is None else " (right)" if answer.tokens == tuple(truth) else " (wrong)"
    return f"""<section>
<h2>{escape(answer.model)} <small>{escape(reading.model.system)}</small></h2>
<div class="answer"><div>{ink}</div><div>{answer.mathml}</div></div>
<p><code>{escape(answer.latex)}</code>{verdict}, confidence {answer.confidence:.1%};
strokes of one symbol share a colour{_unread(answer)}</p>
<table>{alternatives}</table>
{"".join(_rows(reading, truth))}
</section>
"""


def _unread(answer: Recognition) -> str:
    if not answer.unread:
        return ""
    return f"; no symbol explains the strokes {', '.join(str(stroke + 1) for stroke in answer.unread)}"


def _rows(reading: ExplainedAnswer, truth: Sequence[str] | None) -> Iterator[str]:
    """A row of pictures for each view: every token with where the network looked when it wrote it."""
    info, answer = reading.model, reading.answer
    ink = answer.ink_as_read
    features = ink_features(ink, info.features, online=info.online, offline=info.offline)
    captions = _captions(answer, truth)
    for view, alphas in zip(info.views, answer.attentions, strict=True):
        figures = "".join(
            f"<figure{kind}>{_picture(view, alpha, ink, features)}<figcaption>{caption}</figcaption></figure>"
            for (kind, caption), alpha in zip(captions, alphas, strict=True)
        )
        yield f'<h3>Attention over {_title(view, info)}</h3><div class="steps">{figures}</div>\n'


def _title(view: str, info: ModelInfo) -> str:
    """Strokes of a system that fuses both views before it looks at them are neither online nor offline."""
    if len(info.views) == 1 and info.online and info.offline:
        return "strokes, whose traces and image are one"
    return _TITLES[view]


def _captions(answer: Recognition, truth: Sequence[str] | None) -> list[tuple[str, str]]:
    """The class and the caption of each token."""
    written = {symbol.index: symbol for symbol in answer.symbols}
    matched = set(range(len(answer.tokens))) if truth is None else matched_tokens(answer.tokens, truth)
    found = []
    for i, token in enumerate(answer.tokens):
        note = f"{written[i].confidence:.0%}" if i in written else "structure"
        kinds = ["structure"] * (i not in written) + ["wrong"] * (i not in matched)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        found.append((kind, f"{i + 1}. {escape(token)} <small>{note}</small>"))
    return found


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
