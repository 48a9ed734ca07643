from __future__ import annotations

from pathlib import Path

import pytest

from inkscan.files import whole_file


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with whole_file(path) as partial:
        partial.write_text("one")
        assert not path.exists()
    assert path.read_text() == "one"
    assert list(path.parent.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ValueError, match="broken"), whole_file(path) as partial:  # noqa: PT012
        partial.write_text("half")
        raise ValueError("broken")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
