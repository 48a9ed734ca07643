"""report.html: a run's curves and a gallery of its validation mistakes, with the attention on the ink."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import torch

from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.features import FeatureSettings
from inkscan.files import whole_file
from inkscan.ink.svg import PALETTE, to_svg
from inkscan.latex.parser import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.latex.vocabulary import Vocabulary
from inkscan.models.scan import Scan
from inkscan.training.batches import feature_batch
from inkscan.training.greedy import decode_greedily

GALLERY = 24
_STYLE = """
:root{color-scheme:light dark;--line:#8884;--soft:#888;--card:#8881}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}.soft{color:var(--soft)}
.curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:1rem}
.card{border:1px solid var(--line);border-radius:8px;padding:.8rem;background:var(--card)}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(350px,1fr));gap:1rem}
.ink{background:#fff;border-radius:4px;padding:.4rem;text-align:center}.ink svg{max-width:100%;height:auto}
math{font-size:1.15rem;math-style:normal}.row span{overflow:auto hidden;padding:.35rem 0}
.t{border-radius:3px;padding:0 2px;color:#fff}
.row{display:grid;grid-template-columns:5.5rem 1fr;gap:.2rem;align-items:baseline;margin:.35rem 0}
.tokens{overflow-wrap:anywhere;font:13px ui-monospace,monospace;max-height:7.5rem;overflow-y:auto}
svg text{fill:currentColor;font:11px system-ui,sans-serif}
"""


@dataclass(frozen=True)
class Mistake:
    """A validation ink that was misread; `looks` gives for each predicted token its most attended stroke, or -1."""

    sample: Sample
    predicted: tuple[str, ...]
    looks: tuple[int, ...]


def find_mistakes(
    model: Scan,
    samples: Sequence[Sample],
    settings: FeatureSettings,
    vocabulary: Vocabulary,
    most: int = GALLERY,
) -> list[Mistake]:
    """The first `most` misread inks of a sequence, read again with the attention kept."""
    mistakes: list[Mistake] = []
    model.eval()
    for start in range(0, len(samples), 16):
        chosen = samples[start : start + 16]
        batch = feature_batch([sample.ink for sample in chosen], model.system, settings)
        greedy = decode_greedily(model, batch, vocabulary)
        for i, (sample, tokens) in enumerate(zip(chosen, greedy.tokens, strict=True)):
            if tokens != sample.tokens:
                mistakes.append(Mistake(sample, tokens, _looks(greedy.alphas[i], len(tokens), model)))
        if len(mistakes) >= most:
            break
    return mistakes[:most]


def _looks(alphas: torch.Tensor, tokens: int, model: Scan) -> tuple[int, ...]:
    if not model.system.views[0].strokes:
        return (-1,) * tokens
    weight, stroke = alphas[:tokens].max(dim=1)
    return tuple(j if w > 0.4 else -1 for w, j in zip(weight.tolist(), stroke.tolist(), strict=True))


def write_report(out: Path, metrics: Path, mistakes: Sequence[Mistake], title: str) -> None:
    """One self-contained page, written whole or not at all."""
    rows = [json.loads(line) for line in metrics.read_text().splitlines()] if metrics.exists() else []
    valid = [row for row in rows if "exp_rate" in row]
    steps = [row for row in rows if "cross_entropy" in row]
    best = max(valid, key=lambda row: row["exp_rate"], default=None)
    lead = (
        f"Best validation ExpRate {best['exp_rate']:.2f} % at epoch {best['epochs']:.0f}; "
        f"{rows[-1]['samples']:,} samples, {_cpu_time(rows[-1]['cpu_hours'])}."
        if best
        else "Not validated yet."
    )
    curves = "".join(
        [
            _curve("validation ExpRate (greedy, token metric), %", valid, "exp_rate", PALETTE[0]),
            _curve("training cross entropy per token", steps, "cross_entropy", PALETTE[1]),
            _curve("attention guider per token", steps, "guider", PALETTE[2]),
            _curve("learning rate", steps, "learning_rate", PALETTE[3]),
            _curve("samples per second", steps, "samples_per_second", PALETTE[4]),
        ]
    )
    cards = (
        "".join(_card(mistake) for mistake in mistakes) or "<p>None among the inks that were looked at.</p>"
    )
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f'<h1>{escape(title)}</h1><p class="soft">{lead}</p><div class="curves">{curves}</div>'
        f"<h2>Validation mistakes</h2><p class='soft'>A predicted token has the colour of the stroke that the "
        f"attention looked at; grey tokens looked at none in particular.</p>"
        f'<div class="gallery">{cards}</div></html>\n'
    )
    with whole_file(out) as partial:
        partial.write_text(page, encoding="utf-8")


def _cpu_time(hours: float) -> str:
    return f"{hours:.2f} CPU hours" if hours >= 1 else f"{60 * hours:.1f} CPU minutes"


def _curve(title: str, rows: Sequence[dict[str, Any]], key: str, color: str) -> str:
    width, height, left, bottom = 340, 170, 46, 24
    head = f'<div class="card"><div>{escape(title)}</div>'
    if len(rows) < 2:
        return head + '<p class="soft">not enough points yet</p></div>'
    xs, ys = [row["epochs"] for row in rows], [row[key] for row in rows]
    x0, x1, y0, y1 = min(xs), max(xs), min(0.0, *ys), max(ys) or 1.0
    points = " ".join(
        f"{left + (x - x0) / ((x1 - x0) or 1) * (width - left - 8):.1f},"
        f"{8 + (y1 - y) / ((y1 - y0) or 1) * (height - bottom - 8):.1f}"
        for x, y in zip(xs, ys, strict=True)
    )
    ticks = "".join(
        f'<text x="{left - 4}" y="{8 + (1 - share) * (height - bottom - 8) + 4:.0f}" text-anchor="end">'
        f"{y0 + share * (y1 - y0):.3g}</text>"
        f'<line x1="{left}" x2="{width - 8}" y1="{8 + (1 - share) * (height - bottom - 8):.0f}" '
        f'y2="{8 + (1 - share) * (height - bottom - 8):.0f}" stroke="currentColor" stroke-opacity=".15"/>'
        for share in (0.0, 0.5, 1.0)
    )
    return (
        f'{head}<svg viewBox="0 0 {width} {height}" width="100%">{ticks}'
        f'<text x="{left}" y="{height - 6}">{x0:.1f}</text>'
        f'<text x="{width - 8}" y="{height - 6}" text-anchor="end">epoch {x1:.1f}</text>'
        f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/></svg></div>'
    )


def _card(mistake: Mistake) -> str:
    colors = {j: PALETTE[j % len(PALETTE)] for j in range(len(mistake.sample.ink))}
    tokens = " ".join(
        f'<span class="t" style="background:{colors.get(look, "#888")}">{escape(token)}</span>'
        for token, look in zip(mistake.predicted, mistake.looks, strict=True)
    )
    return (
        f'<div class="card"><div class="soft">{escape(mistake.sample.id)}</div>'
        f'<div class="ink">{to_svg(mistake.sample.ink, colors, height=110, max_width=330)}</div>'
        f'<div class="row"><span class="soft">truth</span><span>{_math(mistake.sample.tokens)}</span></div>'
        f'<div class="row"><span class="soft">prediction</span><span>{_math(mistake.predicted)}</span></div>'
        f'<div class="tokens">{tokens}</div></div>'
    )


def _math(tokens: Sequence[str]) -> str:
    """Typeset where the tokens parse, as they are where they do not."""
    try:
        return to_mathml(parse_tokens(tokens), display=False)
    except LatexError:
        return f"<code>{escape(' '.join(tokens))}</code>"
