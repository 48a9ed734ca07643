"""The answer of /v1: what a request may ask for, and the JSON it gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from inkscan.errors import BadRequest
from inkscan.latex.tree import parse_tokens
from inkscan.latex.typeset import to_mathml
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.search import SearchSettings
from inkscan.web.batching import Answer
from inkscan.web.bodies import refuse_unknown_keys
from inkscan.web.candidates import Candidates

FORMATS = ("mathml", "alternatives", "symbols", "alignment", "inkml", "lg")
DEFAULT_FORMATS = ("mathml", "alternatives", "symbols")
WISHES = ("formats", "n_best", "beam", "allow", "forbid")
MAX_ALTERNATIVES = 20
MAX_BEAM = 20
_MAX_NAMED = 200  # symbols in allow or forbid


@dataclass(frozen=True)
class Wishes:
    """What a client wants of an answer beside the LaTeX."""

    search: SearchSettings
    formats: tuple[str, ...] = DEFAULT_FORMATS

    @classmethod
    def read(cls, values: Mapping[str, Any], base: SearchSettings) -> Wishes:
        """From the keys of a JSON body or of a query; others are refused."""
        refuse_unknown_keys(values, WISHES)
        formats = _strings(values, "formats")
        unknown = sorted(set(formats or ()) - {*FORMATS, "latex"})
        if unknown:
            raise BadRequest(
                f"unknown formats {', '.join(unknown)[:80]}; there are latex, {', '.join(FORMATS)}"
            )
        allow, forbid = _strings(values, "allow"), _strings(values, "forbid")
        search = replace(
            base,
            beam=_count(values, "beam", base.beam, MAX_BEAM),
            n_best=_count(values, "n_best", base.n_best, MAX_ALTERNATIVES),
            allow=base.allow if allow is None else tuple(allow),
            forbid=base.forbid if forbid is None else tuple(forbid),
        )
        return cls(search, DEFAULT_FORMATS if formats is None else tuple(formats))


def answer_json(recognition: Recognition, wishes: Wishes, vocabulary: frozenset[str]) -> dict[str, Any]:
    """The recognition as JSON values, with what the client asked for."""
    reply = recognition.to_json()
    for name in ("mathml", "alternatives", "symbols"):
        if name not in wishes.formats:
            del reply[name]
    if "alternatives" in wishes.formats and "mathml" in wishes.formats:
        for entry in reply["alternatives"]:
            entry["mathml"] = to_mathml(parse_tokens(entry["tokens"]))
    if "symbols" in wishes.formats:
        _add_candidates(reply["symbols"], recognition, vocabulary)
    if "alignment" in wishes.formats:
        reply["alignment"] = [[round(share, 3) for share in row] for row in recognition.alignment.tolist()]
    if "inkml" in wishes.formats:
        reply["inkml"] = recognition.to_inkml().decode()
    if "lg" in wishes.formats:
        reply["lg"] = recognition.to_lg()
    return reply


def timing_json(answer: Answer) -> dict[str, Any]:
    """What the answer took."""
    return {
        "queue_ms": round(answer.queue_seconds * 1000, 2),
        "recognition_ms": round(answer.batch_seconds * 1000, 2),
        "batch": answer.batch_size,
    }


def _add_candidates(
    symbols: list[dict[str, Any]], recognition: Recognition, vocabulary: frozenset[str]
) -> None:
    candidates = Candidates(recognition, vocabulary)
    for symbol in symbols:
        symbol["candidates"] = [
            {"token": c.token, "probability": None if c.probability is None else round(c.probability, 6)}
            for c in candidates.of(symbol["index"])
        ]


def _count(values: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = values.get(name)
    if value is None:
        return default
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 9:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise BadRequest(f"{name} is a whole number from 1 to {most}")
    return value


def _strings(values: Mapping[str, Any], name: str) -> list[str] | None:
    """A list of strings; a query writes it with spaces or commas between."""
    value = values.get(name)
    if isinstance(value, str):
        value = value.replace(",", " ").split() if name == "formats" else value.split()
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value) or len(value) > _MAX_NAMED:
        raise BadRequest(f"{name} is a list of at most {_MAX_NAMED} strings")
    return value
