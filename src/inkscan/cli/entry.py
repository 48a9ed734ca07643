"""Where `inkscan` starts. Files to recognise without any option are read without loading the other commands.

Exit codes: 0 all done; 1 inputs failed, each named, and the others are done; 2 the command could not do its
work (the arguments or the source are wrong); 3 a fault of inkscan itself; 130 interrupted. Codes 2 and 3 print one
line `error [code]: message` on stderr; INKSCAN_DEBUG=1 adds the traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper

from inkscan.errors import InkscanError

EXIT_SOME_FAILED = 1
EXIT_ERROR = 2
EXIT_FAULT = 3
EXIT_INTERRUPTED = 130  # as shells say it of a command that Ctrl-C ended


def main() -> None:
    """The command `inkscan`."""
    command, *files = sys.argv[1:] or [""]
    if command == "recognize" and files and all(file == "-" or not file.startswith("-") for file in files):
        run(lambda: _recognize(files))
    else:
        run(_any_command)


def _any_command() -> None:
    from inkscan.cli import main as commands

    commands.app()


def _recognize(files: list[str]) -> None:
    from inkscan.cli.printing import Printed, print_answers
    from inkscan.runtime.recognizer import load

    if print_answers(files, load().with_search(n_best=1), Printed()):
        sys.exit(EXIT_SOME_FAILED)


def run(command: Callable[[], object]) -> None:
    """Run a command line; errors become one line on stderr and an exit code."""
    _make_writable(sys.stdout)
    try:
        command()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
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


def _make_writable(stdout: object) -> None:
    """A terminal shows what it can; anything else gets UTF-8, and the names of files byte by byte as they are."""
    if isinstance(stdout, TextIOWrapper):
        if stdout.isatty():
            stdout.reconfigure(errors="backslashreplace")
        else:
            stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


def _fail(code: str, message: str, exit_code: int) -> None:
    if os.environ.get("INKSCAN_DEBUG"):
        import traceback

        traceback.print_exc()
    print(f"error [{code}]: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(exit_code)
