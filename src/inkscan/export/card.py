"""The card of a model: what a person should know before using its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inkscan.data.ancestry import corpora_of, lineage
from inkscan.runtime.models import ExportedModel
from inkscan.training.extra import recorded
from inkscan.training.provenance import NOT_STATED

_ORIGINS = (
    ("init", "Started from the weights"),
    ("more_inits", "Started from the weights"),
    ("mean_of", "A mean, of the weights"),
    ("teachers", "Taught by the weights"),
)


def model_card(exported: ExportedModel) -> str:
    """The card as Markdown."""
    info = exported.info
    train = info.provenance.get("train", {})
    size = (len(exported.encoder) + len(exported.step)) / 1e6
    lines = [
        f"# {info.name}",
        "",
        f"Handwritten mathematics (pen strokes) to LaTeX: system {info.system}, "
        f"{len(info.vocabulary.symbols)} tokens, {size:.1f} MB.",
        "",
        f"* Licence of the training data, and so of the weights: {info.licence}.",
        f"* Trained on: {train.get('split', 'unknown')} ({train.get('samples', '?')} inks, fingerprint "
        f"{str(train.get('fingerprint', 'unknown'))[:16]}).",
        *_origin_lines(info.provenance),
        *_earlier_lines(info.provenance),
        *bank_lines(info.provenance),
        f"* Command: `{info.provenance.get('command', 'unknown')}`.",
        f"* Checkpoint chosen on a test set: {'yes' if info.provenance.get('selected_on_test') else 'no'}.",
        f"* Confidence calibrated: {'yes' if info.calibration else 'no'}.",
        "",
        "It reads one expression at a time, written with a pen: no arrays, no text, no photographs.",
    ]
    return "\n".join(lines) + "\n"


def _origin_lines(provenance: Mapping[str, Any]) -> list[str]:
    """The weights that these come from, nearest first; how those were made stands in the provenance."""
    return [
        f"* {title} {source['file']} (trained on {_split(source, provenance)}; licence {source['licence']})."
        for key, title in _ORIGINS
        for source in recorded(provenance, key)
    ]


def _split(source: Mapping[str, Any], provenance: Mapping[str, Any]) -> str:
    """What a source was trained on; one that stands there twice says it in one place only."""
    told = ("file", "licence", "command")
    same = (
        one for one in lineage(provenance) if one is source or all(one.get(k) == source.get(k) for k in told)
    )
    splits = (one.get("train", {}).get("split") for one in same)
    return next(filter(None, splits), "ink that is not named")


def _earlier_lines(provenance: Mapping[str, Any]) -> list[str]:
    """The corpora that its own run did not have, but one that it comes from, or that of a teacher."""
    own = corpora_of({"train": provenance.get("train")})
    return [
        f"* What it comes from has learnt from {one.get('split') or 'ink that is not named'}, too "
        f"({one.get('samples', 0):,} inks, licence {one.get('licence') or NOT_STATED}, fingerprint "
        f"{str(one.get('fingerprint', 'unknown'))[:16]})."
        for one in corpora_of(provenance)
        if one not in own
    ]


def bank_lines(provenance: Mapping[str, Any]) -> list[str]:
    """The files of symbols and formulas that weights have learnt from, each collection with its licence."""
    titles = {"bank": "Extra symbols", "formulas": "Formulas"}
    titles |= {f"init_{key}": f"{title} of the weights it started from" for key, title in titles.items()}
    lines: list[str] = []
    named: set[str] = set()
    for key, title in titles.items():
        for file in recorded(provenance, key):
            lines.append(f"* {title}: {file['file']} (licence {file['licence']}, SHA-256 {file['sha256']}).")
            collections = [] if file["sha256"] in named else _collection_lines(file)
            lines += collections
            named |= {file["sha256"]} if collections else set()
    return lines


def _collection_lines(file: Mapping[str, Any]) -> list[str]:
    """The collections within a file, where it tells them apart; records of older runs do not."""
    return [
        f"  * {one['name']}: {one['samples']:,} (licence {one['licence']})"
        for one in file.get("sources", ())
        if one["name"] != file["file"]
    ]
