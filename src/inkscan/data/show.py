"""Show: a page of inks with their truth, strokes and tokens coloured by symbol."""

from __future__ import annotations

import random
from collections.abc import Iterable
from html import escape

from inkscan.data.corpus import Corpus, CorpusMetadata
from inkscan.data.sample import Sample
from inkscan.errors import LatexError
from inkscan.ink.svg import INK_COLOR, symbol_colors, to_svg
from inkscan.latex.parser import parse_tokens
from inkscan.latex.typeset import to_mathml

_STYLE = """
body { font: 15px system-ui, sans-serif; margin: 2rem; background: #f5f5f2; color: #222 }
h1 { font-size: 1.3rem; margin: 0 } p.note { color: #666; margin: .3rem 0 1.5rem }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(26rem, 1fr)); gap: 1rem }
figure { margin: 0; background: #fff; border: 1px solid #ddd; padding: .8rem; overflow: hidden }
figure svg { max-width: 100%; height: auto; max-height: 9rem; display: block; margin: .3rem auto .6rem }
.truth { font-size: 1.35rem; padding: .5rem 0; overflow: auto hidden } .truth math { margin: 0 }
code { font-size: .8rem; overflow-wrap: anywhere; color: #999 } code b { font-weight: 600 }
small { color: #888 }
"""


def choose(corpus: Corpus, count: int, seed: int, token: str = "") -> list[Sample]:
    """Some samples at random, in corpus order; with `token`, only those that have it."""
    bounds = corpus.token_offsets
    having = [i for i in range(len(corpus)) if not token or token in corpus.tokens[bounds[i] : bounds[i + 1]]]
    chosen = having if len(having) <= count else sorted(random.Random(seed).sample(having, count))
    return [corpus[i] for i in chosen]


def corpus_page(samples: Iterable[Sample], metadata: CorpusMetadata, total: int) -> str:
    """One self-contained HTML page."""
    samples = list(samples)
    cards = [_card(sample) for sample in samples]
    title = f"{metadata.split or 'corpus'}: {len(cards)} of {total} expressions"
    colours = (
        "Each symbol has one colour, in the ink and in the tokens. Strokes in black belong to no symbol, "
        "grey tokens have no strokes."
    )
    note = (
        f"{colours if any(map(_is_aligned, samples)) else 'The strokes of the symbols are not known.'} "
        f"Licence of the inks: {metadata.licence or 'not stated'}."
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1><p class='note'>{escape(note)}</p>"
        f"<main>{''.join(cards)}</main></html>\n"
    )


def _is_aligned(sample: Sample) -> bool:
    return any(sample.alignment)


def _card(sample: Sample) -> str:
    symbols = [
        (token, strokes) for token, strokes in zip(sample.tokens, sample.alignment, strict=True) if strokes
    ]
    colors = symbol_colors([strokes for _, strokes in symbols])
    titles = {stroke: token for token, strokes in symbols for stroke in strokes}
    unknown = "" if _is_aligned(sample) else " · no alignment known"
    return (
        f"<figure><small>{escape(sample.id)} · {escape(sample.source)}{unknown}</small>"
        f"{to_svg(sample.ink, colors=colors, titles=titles)}"
        f"{_math(sample)}<code>{_tokens(sample, colors)}</code></figure>"
    )


def _math(sample: Sample) -> str:
    try:
        return f'<div class="truth">{to_mathml(parse_tokens(sample.tokens))}</div>'
    except LatexError as error:
        return f"<p class='note'>recognition cannot write this: {escape(str(error))}</p>"


def _tokens(sample: Sample, colors: dict[int, str]) -> str:
    spans = []
    for token, strokes in zip(sample.tokens, sample.alignment, strict=True):
        if strokes:
            spans.append(f'<b style="color:{colors.get(strokes[0], INK_COLOR)}">{escape(token)}</b>')
        else:
            spans.append(escape(token))
    return " ".join(spans)
