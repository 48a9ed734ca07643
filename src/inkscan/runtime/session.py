"""Session: ink that is still being written. The newest answer wins."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from numbers import Integral
from threading import Lock
from typing import Unpack

from inkscan.errors import BadRequest
from inkscan.ink import Ink, Stroke
from inkscan.ink.ink import MAX_POINTS
from inkscan.runtime.recognition import Recognition
from inkscan.runtime.recognizer import Recognizer
from inkscan.runtime.search import SearchChanges

MAX_UNDO = 1_000
MAX_UNDO_POINTS = MAX_POINTS  # of all versions together; strokes that they share count once
_STROKE_POINTS = 16  # a stroke takes as much memory as this many points, beside its own


@dataclass(frozen=True)
class LiveAnswer:
    """The answer to one version of the ink; None where there are no strokes."""

    version: int
    recognition: Recognition | None


@dataclass(frozen=True)
class _Version:
    strokes: tuple[Stroke, ...]
    added: int  # points that it has and the version before it has not


class Session:
    """Strokes that come and go.

    Every change makes a new version; an answer to an older version than the newest answered one is dropped.
    """

    def __init__(self, recognizer: Recognizer, **changes: Unpack[SearchChanges]) -> None:
        self._recognizer = recognizer
        self._changes = changes
        self._lock = Lock()
        self._versions = [_Version((), 0)]  # for undo
        self._undone: list[_Version] = []
        self._version = 0
        self._answer = LiveAnswer(0, None)

    @property
    def version(self) -> int:
        """The number of changes so far."""
        return self._version

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        return self._versions[-1].strokes

    @property
    def answer(self) -> LiveAnswer:
        """The newest answer so far, which may be older than the ink."""
        return self._answer

    def add(self, *strokes: Stroke) -> int:
        """Append strokes; returns the new version."""
        return self.change(add=strokes)

    def remove(self, indices: Collection[int]) -> int:
        """Remove strokes by their numbers."""
        return self.change(remove=indices)

    def clear(self) -> int:
        """Remove all strokes."""
        with self._lock:
            return self._change((), ())

    def change(self, *, remove: Collection[int] = (), add: Sequence[Stroke] = ()) -> int:
        """Remove strokes by their numbers and append others as one change, which one undo takes back."""
        for stroke in add:
            if not isinstance(stroke, Stroke):
                raise TypeError(f"a Stroke is added, not a {type(stroke).__name__}: Stroke(points) makes one")
        with self._lock:
            count, gone = len(self.strokes), set(remove)
            if any(not isinstance(i, Integral) or not 0 <= i < count for i in gone):
                raise BadRequest(
                    f"there are {count} strokes, numbered from 0; cannot remove {sorted(gone, key=str)}"
                )
            kept = tuple(stroke for i, stroke in enumerate(self.strokes) if i not in gone)
            return self._change(kept, add)

    def undo(self) -> int:
        """Take back the last change; without one nothing happens."""
        with self._lock:
            if len(self._versions) > 1:
                self._undone.append(self._versions.pop())
                self._version += 1
            return self._version

    def redo(self) -> int:
        """Make the last undone change again; without one nothing happens."""
        with self._lock:
            if self._undone:
                self._versions.append(self._undone.pop())
                self._version += 1
            return self._version

    def recognize(self) -> LiveAnswer:
        """Recognise the ink as it is now; returns the newest answer, which may be another thread's."""
        with self._lock:
            version, strokes = self._version, self.strokes
            if self._answer.version == version:
                return self._answer
        recognition = self._recognizer(Ink(strokes), **self._changes) if strokes else None
        with self._lock:
            if version > self._answer.version:
                self._answer = LiveAnswer(version, recognition)
            return self._answer

    def _change(self, kept: tuple[Stroke, ...], add: Sequence[Stroke]) -> int:
        if not add and len(kept) == len(self.strokes):
            return self._version  # nothing to take back
        self._versions.append(_Version((*kept, *add), _weight(add)))
        del self._versions[: -MAX_UNDO - 1]
        while len(self._versions) > 1 and self._held > MAX_UNDO_POINTS:
            del self._versions[0]
        self._undone.clear()
        self._version += 1
        return self._version

    @property
    def _held(self) -> int:
        """At most this many points are in memory: the oldest version's and what the others have added to it."""
        oldest, *others = self._versions
        return _weight(oldest.strokes) + sum(version.added for version in others)


def _weight(strokes: Sequence[Stroke]) -> int:
    return sum(len(stroke) + _STROKE_POINTS for stroke in strokes)
