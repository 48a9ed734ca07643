from __future__ import annotations

from inkscan.data.ancestry import learnt_from


def test_corpora_of_a_run_and_of_all_that_it_comes_from_are_found() -> None:
    earlier = {
        "file": "a.safetensors",
        "train": {"fingerprint": "a"},
        "teachers": [{"train": {"fingerprint": "b"}}],
    }
    several = {"fingerprint": "c+d", "corpora": [{"fingerprint": "c"}, {"fingerprint": "d"}]}
    provenance = {
        "train": several,
        "valid": {"fingerprint": "v"},
        "init": earlier,
        "mean_of": [{"train": {}}],
    }
    assert learnt_from(provenance) == {"a", "b", "c+d", "c", "d"}


def test_weights_without_a_history_tell_nothing() -> None:
    assert learnt_from({}) == frozenset()
