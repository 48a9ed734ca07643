"""The card of a model: what a person should know before using its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inkscan.runtime.models import ExportedModel
from inkscan.training.extra import recorded


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
        *_init_lines(info.provenance),
        *_bank_lines(info.provenance),
        f"* Command: `{info.provenance.get('command', 'unknown')}`.",
        f"* Checkpoint chosen on a test set: {'yes' if info.provenance.get('selected_on_test') else 'no'}.",
        f"* Confidence calibrated: {'yes' if info.calibration else 'no'}.",
        "",
        "It reads one expression at a time, written with a pen: no arrays, no text, no photographs.",
    ]
    return "\n".join(lines) + "\n"


def _init_lines(provenance: Mapping[str, Any]) -> list[str]:
    init = provenance.get("init")
    if not init:
        return []
    split = init.get("train", {}).get("split") or "ink that is not named"
    return [f"* Started from the weights {init['file']} (trained on {split}; licence {init['licence']})."]


def _bank_lines(provenance: Mapping[str, Any]) -> list[str]:
    titles = {"bank": "Extra symbols", "formulas": "Formulas"}
    titles |= {f"init_{key}": f"{title} of the weights it started from" for key, title in titles.items()}
    lines, named = [], set()
    for key, title in titles.items():
        for file in recorded(provenance, key):
            lines.append(f"* {title}: {file['file']} (licence {file['licence']}, SHA-256 {file['sha256']}).")
            if file["sha256"] not in named:
                lines += _collection_lines(file)
            named.add(file["sha256"])
    return lines


def _collection_lines(file: Mapping[str, Any]) -> list[str]:
    """The collections within a file, where it tells them apart; records of older runs do not."""
    return [
        f"  * {one['name']}: {one['samples']:,} (licence {one['licence']})"
        for one in file.get("sources", ())
        if one["name"] != file["file"]
    ]
