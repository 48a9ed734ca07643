from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inkscan.cli import main as cli
from inkscan.errors import BadCorpus, MissingExtra


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from inkscan.cli.main import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name, command in cli.COMMANDS.items():
        assert name in done.stdout
        assert command.help.split(".")[0][:30] in done.stdout
    assert "page to write on (needs inkscan[web])." in " ".join(done.stdout.split())


@pytest.mark.parametrize("command", [[], ["recognize"], ["data"], ["data", "prepare", "folder"]])
def test_h_is_help(command: list[str]) -> None:
    short = run(*command, "-h")
    assert short.returncode == 0
    assert short.stdout == run(*command, "--help").stdout
    assert "-h, --help" in short.stdout


def complete(line: str) -> set[str]:
    """What bash would offer after this line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    environment = {**os.environ, "_INKSCAN_COMPLETE": "complete_bash", **words}
    code = "import sys; sys.argv = ['inkscan']; from inkscan.cli.main import main; main()"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_a_shell_can_complete_commands_and_options() -> None:
    assert complete("inkscan re") == {"recognize"}
    assert complete("inkscan ") == set(cli.COMMANDS)
    assert {"--model", "--json", "--beam"} <= complete("inkscan recognize --")
    assert complete("inkscan data pre") == {"prepare"}
    assert complete("inkscan data prepare ") == {"crohme", "mathwriting", "folder"}
    assert "--help" in complete("inkscan recognise --") & complete("inkscan data iam --")


def test_the_script_for_a_shell_is_printed() -> None:
    code = "import sys; sys.argv[0] = 'inkscan'; from inkscan.cli.main import main; main()"
    command = [sys.executable, "-c", code, "--show-completion"]
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run([*command, "bash"], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "_INKSCAN_COMPLETE=complete_bash" in done.stdout) == (0, True)


@pytest.mark.parametrize("command", [["recognize"], ["average"], ["eval"], ["data", "prepare", "folder"]])
def test_help_shows_no_types_of_python(command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.returncode == 0
    arguments = done.stdout.partition("Arguments:")[2].partition("Options:")[0]
    assert arguments and "<" not in arguments and "..." not in arguments


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_names_the_files_that_an_option_takes(command: str) -> None:
    shown = run(command, "--help").stdout
    assert "--help" in shown
    assert "list[" not in shown
    assert "<path>" not in shown


def test_export_of_a_run_names_its_checkpoint(tmp_path: Path) -> None:
    done = run("export", str(tmp_path), "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr.endswith(f"give {tmp_path / 'best.safetensors'}\n")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['inkscan', '--help']\n"
        "from inkscan.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print(*sorted({'numpy', 'pyarrow', 'torch', 'onnxruntime', 'inkscan.cli.data'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_cold_start_is_fast() -> None:
    """In CPU seconds, which a busy machine does not stretch as it does the clock."""
    before = os.times()
    run("--version")
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 1.0


def test_errors_are_one_line_and_exit_code_2() -> None:
    done = run("data", "check", "no-such-file.parquet")
    assert done.returncode == 2
    assert done.stderr == "error [data.not_found]: there is no corpus no-such-file.parquet\n"
    assert "Traceback" not in done.stderr


def test_unknown_commands_exit_with_2() -> None:
    assert run("nonsense").returncode == 2
    near = run("recognise", "x.inkml")
    assert near.returncode == 2
    assert "No such command 'recognise'. Did you mean 'recognize'?" in near.stderr


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (BadCorpus("two\nlines"), 2, "error [data.corpus]: two lines\n"),
        (FileNotFoundError(2, "No such file", "x"), 2, "error [io]: [Errno 2] No such file: 'x'\n"),
        (KeyError("x"), 3, "error [internal]: KeyError: 'x'"),
    ],
)
def test_every_exception_becomes_a_line(
    error: Exception,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == code
    assert capsys.readouterr().err.startswith(line)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError("no pyarrow", name="pyarrow")

    monkeypatch.setattr(cli, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'inkscan\[data\]'"):
        cli._load("data")


def test_an_extra_that_is_missed_while_a_command_runs_is_named() -> None:
    code = "import sys; sys.modules['pyarrow'] = None; from inkscan.cli.main import main; main()"
    command = [sys.executable, "-c", code, "eval", "onscan", "--data", "nothing.parquet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == cli.EXIT_ERROR
    assert done.stderr.startswith("error [install.extra]: `inkscan eval` needs pyarrow")


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_needs_no_extra(command: str) -> None:
    extras = ("fastapi", "h11", "onnx", "pyarrow", "ray", "torch", "uvicorn")
    code = f"import sys; sys.modules.update(dict.fromkeys({extras})); sys.argv[0] = 'inkscan'\n"
    code += "from inkscan.cli.main import main; main()"
    arguments = [sys.executable, "-c", code, command, "--help"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Usage: inkscan {command}" in done.stdout
    extra = cli.COMMANDS[command].extra
    assert (f"pip install 'inkscan[{extra}]'" in done.stdout) == bool(extra)


def test_every_target_exists_or_names_its_extra() -> None:
    for name in cli.COMMANDS:
        try:
            cli._load(name)
        except MissingExtra:
            continue
