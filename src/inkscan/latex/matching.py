"""Matching: which tokens of an answer its truth has, too."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def matched_tokens(tokens: Sequence[str], truth: Sequence[str]) -> set[int]:
    """The places of the tokens that the closest alignment with the truth finds in it."""
    blocks = SequenceMatcher(None, tokens, truth, autojunk=False).get_matching_blocks()
    return {i for block in blocks for i in range(block.a, block.a + block.size)}
