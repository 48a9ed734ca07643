"""Make js/src/tables.js, the constants of the Python package for the JavaScript one: python js/make_tables.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

from inkscan import errors
from inkscan.features import raster, symbol_pictures, trace
from inkscan.features import settings as feature_settings
from inkscan.ink import boxes, forward, ink, mended_order, upright
from inkscan.latex import grammar, symbols, tokens, tree, typeset, vocabulary
from inkscan.latex.alphabet import ALPHABET, CASES_ALIKE
from inkscan.latex.symbol_metrics import extent
from inkscan.runtime import (
    beam,
    calibration,
    classifier,
    contract,
    interpretation,
    judge,
    language,
    lines,
    models,
    reader,
    readings,
    recognizer,
    search,
    segmentation,
    standing,
    symbol_shapes,
    unread,
    voting,
)

TARGET = Path(__file__).parent / "src" / "tables.js"
HEADER = (
    "// Made by js/make_tables.py from the tables of the Python package. Edit those and make it again.\n\n"
)
WIDTH = 118


class Names(dict[str, Any]):
    """Constants that code names; any other dict is looked up with text from outside and becomes a Map."""


def tables() -> dict[str, Any]:
    """The constants by their name in JavaScript."""
    return {
        **_limits(),
        **_symbols(),
        **_grammar(),
        **_typesetting(),
        "GRAPHS": Names(_graphs()),
        "ERROR_CODES": Names(_error_codes()),
        "LOOK_ALIKES": {entry.label: entry.looks_like for entry in ALPHABET.values() if entry.looks_like},
    }


def text() -> str:
    """The module: one constant a statement, long ones wrapped."""
    return HEADER + "".join(
        f"export const {name} = {_literal(value)};\n" for name, value in sorted(tables().items())
    )


def _limits() -> dict[str, Any]:
    return {
        "MODEL_FORMAT": models.FORMAT,
        "MODEL_JSON": models.MODEL_JSON,
        "ENCODER": models.ENCODER,
        "STEP": models.STEP,
        "DEFAULT_MODEL": models.DEFAULT,
        "SECOND_MODEL": models.SECOND,
        "CLASSIFIER": models.CLASSIFIER,
        "CLASSIFIER_FORMAT": classifier.CLASSIFIER_FORMAT,
        "CLASSIFIER_JSON": classifier.CLASSIFIER_JSON,
        "CLASSIFIER_GRAPH": classifier.CLASSIFIER_GRAPH,
        "LANGUAGE_GRAPH": language.LANGUAGE_GRAPH,
        "MAX_INK_STROKES": ink.MAX_STROKES,
        "MAX_INK_POINTS": ink.MAX_POINTS,
        "MAX_COORDINATE": ink.MAX_COORDINATE,
        "MAX_STROKES": recognizer.MAX_STROKES,
        "SECOND_STROKES": recognizer.SECOND_STROKES,
        "NEAR": readings.NEAR,
        "SURE": readings.SURE,
        "LETTERS": voting.LETTERS,
        "TRUST": voting.TRUST,
        "CLOSE": voting.CLOSE,
        "GROUPS_AT_ONCE": classifier.AT_ONCE,
        "A_TOKEN": language.A_TOKEN,
        "TOKENS_AT_ONCE": language.TOKENS_AT_ONCE,
        "SHAPE_FLOOR": symbol_shapes.FLOOR,
        "WITHOUT_STROKES": symbol_shapes.WITHOUT_STROKES,
        "PICTURES": Names(
            (name, value) for name, value in vars(symbol_pictures).items() if isinstance(value, int | float)
        ),
        "MENDED_STROKES": readings.MENDED_STROKES,
        "TWICE_STROKES": readings.TWICE_STROKES,
        "MENDED_RUN": mended_order.RUN,
        "MENDED_WORTH": mended_order.WORTH,
        "MENDED_EACH": mended_order.EACH,
        "MENDED_SLACK": mended_order.SLACK,
        "FORWARD_STRAIGHT": forward.STRAIGHT,
        "FORWARD_UPRIGHT": forward.UPRIGHT,
        "UPRIGHT_INK": Names(
            (name, value) for name, value in vars(upright).items() if isinstance(value, int | float)
        ),
        "MAX_SHEET_STROKES": recognizer.MAX_SHEET_STROKES,
        "MAX_TRACE_POINTS": reader.MAX_TRACE_POINTS,
        "MAX_PIXELS": reader.MAX_PIXELS,
        "RIVALS": interpretation.RIVALS,
        "UNREAD": interpretation.UNREAD,
        "CUT": boxes.CUT,
        "DOT_OF_WRITING": unread._DOT,
        "REACH_OF_WHOLE": unread._WHOLE,
        "REACH_IN_PARTS": dict(sorted(unread._IN_PARTS.items())),
        "RANGES": Names(
            {
                name: Names(whole=kind is int, least=least, most=None if most == inf else most)
                for name, (kind, least, most) in search.RANGES.items()
            }
        ),
        "TOKENS_PER_STROKE": search._TOKENS_PER_STROKE,
        "FULL_BEAM_STROKES": search.FULL_BEAM_STROKES,
        "WINDOW": beam._WINDOW,
        "GROWTH": beam._GROWTH,
        "SEARCH_DEFAULTS": Names(asdict(search.SearchSettings())),
        "ONLINE_STRIDE": feature_settings.ONLINE_STRIDE,
        "OFFLINE_STRIDE": feature_settings.OFFLINE_STRIDE,
        "IMAGE_MARGINS": feature_settings.IMAGE_MARGINS,
        "RASTER_TOLERANCE": raster.TOLERANCE,
        "MAX_POINTS_PER_STROKE": trace.MAX_POINTS_PER_STROKE,
        "MOST_DASHES_AND_DOTS": trace.MOST_DASHES_AND_DOTS,
        "WIDEST": trace.WIDEST,
        "POSITION_UNIT": trace.POSITION_UNIT,
        "FAR": calibration._FAR,
        "AGREED": calibration.AGREED,
        "LEAST_SHARE": calibration._LEAST,
        "TINY": segmentation._TINY,
        "LINES": Names((name[1:], value) for name, value in vars(lines).items() if isinstance(value, float)),
    }


def _symbols() -> dict[str, Any]:
    characters = {label: shown for label, shown in symbols.CHARACTERS.items() if label != shown}
    return {
        "END": vocabulary.END,
        "CHARACTERS": characters,
        "FUNCTION_NAMES": {label: symbols.shown(label) for label in sorted(symbols.FUNCTIONS)},
        "LIMIT_FUNCTIONS": symbols.LIMIT_FUNCTIONS,
        "SPELLED_FUNCTIONS": list(symbols.SPELLED_FUNCTIONS),
        "LARGE": set(symbols.LARGE),
        "INTEGRALS": symbols.INTEGRALS,
        "LETTERLIKE": set(symbols.LETTERLIKE),
        "OPERATORS": set(symbols.OPERATORS),
        "RELATIONS": set(symbols.RELATIONS),
        "PUNCTUATION": symbols.PUNCTUATION,
        "MARKS": set(symbols.MARKS),
        "OPENING": set(symbols.OPENING),
        "CLOSING": set(symbols.CLOSING),
        "BARS": set(symbols.BARS),
        "STYLED": list(symbols.STYLED),
        "TOKENS_ARE": tokens.TOKENS_ARE,
        "CANONICAL": symbols._FROM_CHARACTER | symbols.ALIASES,
        "STACKS": tree.STACKS,
        "ACCENTS": tree.ACCENTS,
        "STRUCTURE": tree.STRUCTURE,
        "CASES_ALIKE": [list(pair) for pair in CASES_ALIKE],
        "BEFORE_FACTORS": judge.BEFORE_FACTORS,
        "AFTER_FACTORS": judge.AFTER_FACTORS,
        "ROOT": standing.ROOT,
        "OVERHANG": standing.OVERHANG,
        "SCRIPTS": standing.SCRIPTS,
        "LOW": {high: Names(point=point, height=height) for high, (point, height) in standing.LOW.items()},
        "EXTENTS": {
            label: [extent(label).top, extent(label).bottom] for label in ALPHABET if extent(label).rigid
        },
        "FOREIGN": list(tree.FOREIGN),
        "UNWRITABLE": tree.UNWRITABLE,
        "OVERSETS": tree._OVERSETS,
        "INFIX_STACKS": tree.INFIX_STACKS,
        "PRIME": tree.PRIME,
        "MAX_DEPTH": tree.MAX_DEPTH,
        "SPACING": tokens._SPACING,
        "DELIMITER_SIZES": tokens._DELIMITER_SIZES,
        "FONTS": tokens._FONTS,
        "LIMIT_TAKERS": tokens.LIMIT_TAKERS,
        "MAX_LATEX_LENGTH": tokens.MAX_LENGTH,
    }


def _grammar() -> dict[str, Any]:
    """The grammar as numbers: what each token does, what may follow in each class of state, and what it costs."""
    g = grammar
    return {
        "PLACE": Names({place.name: place.value for place in g.Place}),
        "FRAME": Names({frame.name: frame.value for frame in g.Frame}),
        "KIND": Names({kind.name: kind.value for kind in g.Kind}),
        "KIND_OF_TOKEN": {token: kind.value for token, kind in g._KINDS.items()},
        "PLACE_AFTER": [g._AFTER_CLOSE[frame].value for frame in g.Frame],
        "CLOSING_COST": [g._CLOSING_COST[frame] for frame in g.Frame],
        "PLACE_COST": [g._PLACE_COST.get(place, 0) for place in g.Place],
        "DEAREST": g.DEAREST,
        "OPENS": {str(kind.value): frame.value for kind, frame in g._OPENS.items()},
        "PERMITTED": {_class_name(key): _permitted_bits(key) for key in _state_classes()},
    }


def _state_classes() -> Iterator[grammar.StateClass]:
    closers = (grammar.Kind.END, grammar.Kind.CLOSE, grammar.Kind.BRACKET_CLOSE)
    slacks = range(-1, grammar.DEAREST + 1)
    for place, closer, may_nest, slack in product(grammar.Place, closers, (False, True), slacks):
        yield grammar.StateClass(place, closer, may_nest, slack, done=False)


def _class_name(key: grammar.StateClass) -> str:
    return f"{key.place.value} {key.closer.value} {int(key.may_nest)} {key.slack}"


def _permitted_bits(key: grammar.StateClass) -> int:
    return sum(1 << kind.value for kind in grammar.Kind if grammar._permits(key, kind))


def _typesetting() -> dict[str, Any]:
    letters = {label for label, shown in symbols.LETTERLIKE.items() if not shown.islower()}
    return {
        "STACKED": typeset._STACKED,
        "TALL": typeset._TALL,
        "UNDER": typeset._UNDER,
        "WIDE": typeset._WIDE,
        "ACCENT_MARKS": symbols.ACCENT_MARKS,
        "UPRIGHT": set(symbols.DOTS) | letters,
        "MAX_FENCES": typeset._MAX_FENCES,
    }


def _graphs() -> dict[str, Any]:
    """What enters and leaves the graphs of the models that JavaScript reads; they look once, at strokes."""
    view = look = 0
    agreed = contract.Contract(online=True, offline=False, tokens=1, looks=(contract.Look(view),))
    return {
        "STROKE_MASK": contract.STROKE_MASK.name,
        "POINTS": contract.POINTS.name,
        "POINT_MASK": contract.POINT_MASK.name,
        "PMASK_ON": contract.PMASK_ON.name,
        "IMAGE": contract.IMAGE.name,
        "IMAGE_MASK": contract.IMAGE_MASK.name,
        "PMASK_OFF": contract.PMASK_OFF.name,
        "TOKEN": contract.TOKEN.name,
        "INK": contract.INK.name,
        "MEMORIES": [value.name for value in agreed.memories],
        "STATE": [value.name for value in agreed.state],
        "NEXT_STATE": [value.after.name for value in agreed.state],
        "MASK": agreed.mask(view).name,
        "COVERAGE": agreed.coverage(look).name,
        "LOG_PROBS": agreed.log_probs.name,
        "PICTURES": contract.PICTURES.name,
        "MEASURES": contract.MEASURES.name,
        "SCORES": contract.classes(1).name,
        "ANSWERS": contract.ANSWERS.name,
        "NEXT_TOKENS": contract.next_tokens(1).name,
        "ALPHA": agreed.alpha(view).name,
    }


def _error_codes() -> Iterator[tuple[str, str]]:
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.InkscanError):
            yield name, value.code


def _literal(value: Any) -> str:
    """The value in JavaScript; sets in alphabetical order, so that the file is the same every time."""
    if isinstance(value, set | frozenset):
        return f"new Set({_listed(sorted(value))})"
    if isinstance(value, dict):
        entries = (f"{json.dumps(k, ensure_ascii=False)}: {_literal(v)}" for k, v in value.items())
        written = _wrapped("{", entries, "}")
        return written if isinstance(value, Names) else f"new Map(Object.entries({written}))"
    if isinstance(value, list | tuple):
        return _listed(value)
    return json.dumps(value, ensure_ascii=False)


def _listed(values: Any) -> str:
    return _wrapped("[", map(_literal, values), "]")


def _wrapped(opening: str, entries: Iterator[str], closing: str) -> str:
    lines, line = [], ""
    for entry in entries:
        if len(line) + len(entry) > WIDTH:
            lines.append(line.rstrip())
            line = ""
        line += f"{entry}, "
    if not lines:
        return opening + line.removesuffix(", ") + closing
    return f"{opening}\n  " + "\n  ".join([*lines, line.rstrip()]) + f"\n{closing}"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
