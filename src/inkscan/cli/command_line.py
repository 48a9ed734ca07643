"""The command that is running, as it is kept with what it measured."""

from __future__ import annotations

import shlex
import sys
from pathlib import PurePath


def command_line(*program: str) -> str:
    """The command as a reader would type it, without the folders of this machine."""
    return shlex.join([*(program or ("inkscan",)), *(PurePath(word).name or word for word in sys.argv[1:])])
