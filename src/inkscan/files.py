"""Files that appear whole or not at all, and locks that one process at a time can hold."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # what systems say of a lock that another process has
_PARTING = re.compile("[\t\n\r]")  # of the cells and lines of tables
_NO_FOLDER_FSYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)  # from file systems that need none


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Where to write a file that gets its name only when it is written out to the disk; its folder is made.

    A link stays one, and what it leads to is written. A pipe or a device is written to as it is. A file that is open
    already, as `/dev/stdout` may be, is written on where it stands.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    if (descriptor := _descriptor(path)) is not None:
        with _written_on(descriptor) as partial:
            yield partial
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_path(path)
    try:
        yield partial
        _flush_file(partial)
        os.replace(partial, path)
        flush_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def _descriptor(path: Path) -> int | None:
    """The number of the open file that a name such as `/dev/stdout` or `/dev/fd/3` stands for."""
    while path.is_file():
        own = os.path.realpath(path.parent) in ("/dev/fd", os.path.realpath("/proc/self/fd"))
        if own and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / os.readlink(path)
    return None


@contextmanager
def _written_on(descriptor: int) -> Iterator[Path]:
    """Where to write what is copied to an open file; to open that one by its name would empty it."""
    with TemporaryDirectory() as folder:
        partial = Path(folder) / "written"
        yield partial
        with partial.open("rb") as source, os.fdopen(os.dup(descriptor), "wb") as target:
            shutil.copyfileobj(source, target)


@contextmanager
def whole_files(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """As `whole_file` for files of one folder that belong together: if any fails, the old ones stay, all of them."""
    folder = paths[0].parent
    folder.mkdir(parents=True, exist_ok=True)
    partials = tuple(map(partial_path, paths))
    placed: list[Path] = []
    try:
        yield partials
        for partial in partials:
            _flush_file(partial)
        for path, partial in zip(paths, partials, strict=True):
            placed.append(path)
            if path.exists():
                os.replace(path, _old_path(path))
            os.replace(partial, path)
        flush_folder(folder)
    except BaseException:
        for path in placed:
            if _old_path(path).exists():
                os.replace(_old_path(path), path)
            elif not partial_path(path).exists():  # the new file is in its place, and there was no old one
                path.unlink(missing_ok=True)
        raise
    else:
        for path in paths:
            _old_path(path).unlink(missing_ok=True)
    finally:
        for partial in partials:
            partial.unlink(missing_ok=True)


def _flush_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _old_path(path: Path) -> Path:
    return partial_path(path).with_suffix(".old")


def flush_folder(folder: Path) -> None:
    """Write a folder's names out to the disk: until then a power cut may take back a new name."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_FSYNC:
            raise
    finally:
        os.close(descriptor)


def partial_path(path: Path) -> Path:
    """The name of the file while it is written; another process writes to another."""
    return path.with_name(f"{path.name}.{os.getpid()}.partial")


def remove_partials(path: Path) -> None:
    """Remove what killed processes have left of a file that no other process may be writing."""
    for left in path.parent.glob(f"{escape(path.name)}.*.partial"):
        if left.name.removeprefix(f"{path.name}.").removesuffix(".partial").isdecimal():
            left.unlink(missing_ok=True)


def one_line(text: str) -> str:
    """The text without tabs and ends of lines, which part the columns and rows of tables."""
    return " ".join(text.split())


def table_cell(id: str) -> str:
    """An id as it stands; the tabs and ends of lines that a table cannot hold are written as `%09` and the like."""
    return _PARTING.sub(lambda sign: f"%{ord(sign[0]):02X}", id)


class LineTooLong(Exception):
    """A line beyond the bound; the message says which."""


def read_lines(path: Path, most: int) -> Iterator[str]:
    """The lines of a UTF-8 file, of at most so many characters each; only a newline ends a line."""
    with path.open(encoding="utf-8-sig", newline="\n") as stream:
        number = 0
        while line := stream.readline(most + 1):
            number += 1
            if len(line) > most:
                raise LineTooLong(f"line {number}: longer than {most} characters")
            yield line


class AlreadyLocked(BlockingIOError):
    """Another process holds the lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file, which is removed at the end; AlreadyLocked while another process holds it.

    The system lets go of it when its holder ends, however that comes about, so no lock is ever left behind.
    """
    descriptor = _held(path)
    try:
        yield
    finally:
        with suppress(PermissionError):  # Windows removes no open file; the empty file does no harm
            path.unlink(missing_ok=True)  # while it is held, so that nobody else's is removed
        os.close(descriptor)


def _held(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(descriptor)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    return descriptor
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD:
                raise AlreadyLocked(error.errno, "another process holds this lock", str(path)) from error
            raise
        os.close(descriptor)  # its holder removed it between our opening and locking it
