from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inkscan.files import AlreadyLocked, LineTooLong, locked, read_lines, remove_partials, whole_file


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


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    with whole_file(link) as partial:
        partial.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    with whole_file(pipe) as place:
        place.write_text("through")
    assert reader.communicate()[0] == b"through"
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_an_open_file_is_written_on_where_it_stands(tmp_path: Path, name: str) -> None:
    if not Path(name).exists():
        pytest.skip(f"there is no {name}")
    log = tmp_path / "log.txt"
    log.write_text("precious\n")
    code = "import sys; from inkscan.files import whole_file\n"
    code += "with whole_file(sys.argv[1]) as place: place.write_text('through\\n')"
    with log.open("a") as stdout:
        kept = log.stat().st_ino
        subprocess.run([sys.executable, "-c", code, name], stdout=stdout, check=True)
    assert log.read_text() == "precious\nthrough\n"
    assert log.stat().st_ino == kept
    assert list(tmp_path.iterdir()) == [log]


def test_a_lock_is_held_by_one_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with locked(path):
        with pytest.raises(AlreadyLocked), locked(path):
            pass
        assert path.exists()
    assert not path.exists()
    with locked(path):
        pass


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    code = (
        "import os, sys; from pathlib import Path; from inkscan.files import locked\n"
        "with locked(Path(sys.argv[1])): os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.exists()
    with locked(path):
        pass


def test_only_partials_of_processes_are_removed(tmp_path: Path) -> None:
    for name in ("a.7.partial", "a.mine.partial", "b.7.partial"):
        (tmp_path / name).touch()
    remove_partials(tmp_path / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mine.partial", "b.7.partial"]


def test_lines_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\ntwo\u2028three\n".encode())
    assert list(read_lines(path, 10)) == ["one\r\n", "two\u2028three\n"]
    with pytest.raises(LineTooLong, match="line 2"):
        list(read_lines(path, 9))
