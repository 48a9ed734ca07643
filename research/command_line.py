"""The command of research that is running, as it is kept with what it measured."""

from __future__ import annotations

import shlex
import sys
from pathlib import PurePath

PROGRAM = ("python", "-m", "research")


def command_line() -> str:
    """The command as a reader would type it, without the folders of this machine."""
    return shlex.join([*PROGRAM, *(PurePath(word).name or word for word in sys.argv[1:])])
