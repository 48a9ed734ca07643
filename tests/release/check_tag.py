"""Says whether CHANGELOG.md releases what a tag names: `python tests/release/check_tag.py v1.2.3`.

The newest part must be of that version and have its date, and nothing may be left as unreleased.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"
UNRELEASED = "Unreleased"
PART = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.M)
RELEASED = re.compile(r"(\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)")


def objection(tag: str, changelog: str) -> str | None:
    """Why the tag is refused; None if all is well."""
    parts = PART.findall(changelog)
    if any(heading == UNRELEASED and lines.strip() for heading, lines in parts):
        return f"CHANGELOG.md has lines under {UNRELEASED}: head them with the version and the date"
    headings = [heading for heading, _ in parts if heading != UNRELEASED]
    newest = RELEASED.fullmatch(headings[0]) if headings else None
    if newest is None:
        return "the newest part of CHANGELOG.md has no heading like `## 1.2.3 (2026-01-31)`"
    if tag != f"v{newest[1]}":
        return f"the tag is {tag}, but the newest part of CHANGELOG.md is of {newest[1]}"
    return None


if __name__ == "__main__":
    sys.exit(objection(sys.argv[1], CHANGELOG.read_text("utf-8")))
