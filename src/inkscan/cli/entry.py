"""Where `inkscan` starts. Files to recognise without any option are read without loading the other commands.

Exit codes: 0 all done; 1 inputs failed, each named, and the others are done; 2 the command could not do its
work (the arguments or the source are wrong); 3 a fault of inkscan itself. Codes 2 and 3 print one line
`error [code]: message` on stderr; INKSCAN_DEBUG=1 adds the traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from inkscan.errors import InkscanError

EXIT_SOME_FAILED = 1
EXIT_ERROR = 2
EXIT_FAULT = 3


def main() -> None:
    """The command `inkscan`."""
    command, *files = sys.argv[1:] or [""]
    if command == "recognize" and files and all(file == "-" or not file.startswith("-") for file in files):
        run(lambda: _recognize(files))
    else:
        from inkscan.cli import main as commands

        run(commands.app)


def _recognize(files: list[str]) -> None:
    from inkscan.cli.printing import Printed, print_answers
    from inkscan.runtime.recognizer import load

    if print_answers(files, load().with_search(n_best=1), Printed()):
        sys.exit(EXIT_SOME_FAILED)


def run(command: Callable[[], object]) -> None:
    """Run a command line; errors become one line on stderr and an exit code."""
    try:
        command()
    except InkscanError as error:
        _fail(error.code, str(error), EXIT_ERROR)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_SOME_FAILED)
    except OSError as error:
        _fail("io", str(error), EXIT_ERROR)
    except Exception as error:
        _fail(
            "internal",
            f"{type(error).__name__}: {error}. Please report this; INKSCAN_DEBUG=1 shows more",
            EXIT_FAULT,
        )


def _fail(code: str, message: str, exit_code: int) -> None:
    if os.environ.get("INKSCAN_DEBUG"):
        import traceback

        traceback.print_exc()
    print(f"error [{code}]: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(exit_code)
