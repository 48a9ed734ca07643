"""The documentation is true: every block of code runs or at least parses, and every link leads somewhere.

A page's blocks run in order in one folder that has `examples` in it; its Python blocks share their names. A block that
cannot run in a test stands under a comment `<!-- not run: why -->`; then its commands must parse against the real
command line, its make targets and extras exist. `tests/web/test_docs.py` runs the examples of the HTTP API.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from glob import glob
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer
from research.__main__ import app as research_app
from tests.conftest import REPOSITORY
from tests.pages import FENCE, Block, blocks, prose
from tests.web.conftest import serving
from tests.web.fake import FakeRecognizer
from typer.testing import CliRunner

import inkscan
import inkscan.web
from inkscan.cli.main import COMMANDS, app
from inkscan.cli.serve import DEFAULT_PORT
from inkscan.web.server_settings import Limits

DOCS = sorted(path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "docs").glob("*.md"))
PAGES = ["README.md", "CONTRIBUTING.md", *DOCS]
LINKED = [*PAGES, "RESULTS.md", "CHANGELOG.md"]
HTTP_API = "docs/http-api.md"
STATIC = Path(inkscan.web.__file__).parent / "static"
RUNNABLE = {"inkscan", "head", "printf"}  # what a block that runs may call
HARMLESS = {".", "python3", "tar"}  # what a block that does not run may call without being looked at

INLINE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
REPOSITORY_PATH = re.compile(r"`((?:src|docs|tests|benchmarks|examples|deploy)/[\w./-]*)")


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        match block.language:
            case "python" | "sh" if page == HTTP_API:
                assert not block.why_not  # tests/web/test_docs.py runs it
            case "python":
                code = compile(block.code, block.place, "exec")
                if not block.why_not:
                    exec(code, names)
            case "sh":
                for line in shell_lines(block.code):
                    if block.why_not:
                        for words in split_commands(line):
                            check_command(words, block.place)
                    else:
                        run_line(line, block.place)
            case "json":
                json.loads(block.code)
            case "html" | "js":
                check_web(block)
            case "text":
                assert "inkscan " not in block.code, f"{block.place}: commands belong into a block of sh"
            case other:
                pytest.fail(f"{block.place}: nobody checks a block of {other!r}")


def shell_lines(code: str) -> list[str]:
    return [line for line in code.replace("\\\n", " ").splitlines() if line.strip()]


def tokens(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    return list(lexer)


def split_commands(line: str) -> Iterator[list[str]]:
    """The simple commands of a line, without comments."""
    words: list[str] = []
    for word in (*tokens(line), ";"):
        if word not in ("&&", "||", "|", ";"):
            words.append(word)
        elif words:
            yield words
            words = []


def run_line(line: str, place: str) -> None:
    """In this process where the shell has nothing to do: a new one costs more than most commands."""
    strangers = {words[0] for words in split_commands(line)} - RUNNABLE
    assert not strangers, f"{place}: runs {strangers}; say why not: <!-- not run: ... -->"
    program, *words = tokens(line)
    if program == "inkscan" and not {"<", ">", "|", "&&"} & set(words):
        words = [name for word in words for name in (sorted(glob(word)) if "*" in word else [word])]
        ran = CliRunner().invoke(app, words)
        assert ran.exit_code == 0, f"{place}: {line}\n{ran.output[-500:]}\n{ran.exception!r}"
        return
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        ["sh", "-ec", line], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{place}: {line}\n{done.stdout[-500:]}{done.stderr[-1000:]}"


def check_command(words: Sequence[str], place: str) -> None:
    program, *rest = words
    match program:
        case "inkscan":
            parse_command(rest, place, app)
        case "python" if rest[:2] == ["-m", "research"]:
            parse_command(rest[2:], place, research_app)
        case "make":
            assert set(rest) <= make_targets(), f"{place}: make has no target {rest}"
        case "pip":
            asked = {
                extra for word in rest for part in re.findall(r"\[(.+)\]", word) for extra in part.split(",")
            }
            assert asked <= extras(), f"{place}: there is no extra {asked - extras()}"
        case "curl":
            ask_server(words, place)
        case _:
            assert program in HARMLESS, f"{place}: nobody checks {program}"


def parse_command(words: Sequence[str], place: str, root: typer.Typer) -> None:
    """Parse as the command line does, up to the point where the command would start."""
    command: Any = typer.main.get_command(root)
    context, name, rest = None, "inkscan", list(words)
    try:
        while True:
            context = command.make_context(name, rest, parent=context)
            if not hasattr(command, "resolve_command"):
                return
            name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
    except Exception as error:
        pytest.fail(f"{place}: inkscan {shlex.join(words)}: {getattr(error, 'message', '') or repr(error)}")


def ask_server(words: Sequence[str], place: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with serving(FakeRecognizer(), Limits()) as (_, port):
        words = [word.replace(f":{DEFAULT_PORT}", f":{port}") for word in words]
        done = subprocess.run([*words, "--fail"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{place}: {shlex.join(words)}: {done.stderr}"
    assert "latex" in json.loads(done.stdout)


def make_targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.M))


def extras() -> set[str]:
    return set(tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"])


def check_web(block: Block) -> None:
    """The files named are served, what is imported from them they export, HTML closes what it opens."""
    files = re.findall(r"/static/([\w.-]+)", block.code)
    assert files, block.place
    texts = {name: (STATIC / name).read_text("utf-8") for name in files}
    for wanted, name in re.findall(r"import \{([^}]+)\} from '[^']*/static/([\w.-]+)'", block.code):
        for item in wanted.split(","):
            exported = rf"export (?:async )?(?:class|function|const) {item.strip()}\b"
            assert re.search(exported, texts[name]), f"{block.place}: {name} does not export {item.strip()}"
    if block.language == "html":
        balance = Balance()
        balance.feed(block.code)
        assert balance.open == [], block.place


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("page", [*PAGES, "RESULTS.md"])
def test_commands_in_the_text_exist_with_their_options(page: str) -> None:
    for code in INLINE.findall(prose(page)):
        words = code.replace("...", "").split()
        if len(words) > 1 and words[0] == "inkscan":
            check_options(words[1:], f"{page}: {' '.join(words)}", app)
        elif words[:3] == ["python", "-m", "research"]:
            check_options(words[3:], f"{page}: {' '.join(words)}", research_app)
        elif len(words) > 1 and words[0] == "make":
            assert words[1] in make_targets(), f"{page}: {' '.join(words)}"


def check_options(words: Sequence[str], place: str, program: typer.Typer) -> None:
    """As in a fence, but arguments may be left out and placeholders stand for commands."""
    root: Any = typer.main.get_command(program)
    command, rest = root, list(words)
    context = root.context_class(root, info_name="inkscan")
    while rest and hasattr(command, "resolve_command") and not rest[0].startswith("-"):
        if rest[0].isupper():
            return
        known = COMMANDS if command is root and program is app else command.commands
        assert rest[0] in known, f"{place}: there is no command {rest[0]}"
        _, command, rest = command.resolve_command(context, rest)
    options = {option for parameter in command.get_params(context) for option in parameter.opts}
    for word in rest:
        if word.startswith("-") and word != "-":
            assert word.split("=")[0] in options, f"{place}: there is no option {word}"


@pytest.mark.parametrize("page", LINKED)
def test_links_lead_somewhere(page: str) -> None:
    home = (REPOSITORY / page).parent
    for link in LINK.findall(prose(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (home / path).resolve() if path else REPOSITORY / page
        assert target.exists(), f"{page}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page}: {link} names no heading of {target.name}"


@pytest.mark.parametrize("page", PAGES)
def test_files_named_in_the_text_exist(page: str) -> None:
    for path in REPOSITORY_PATH.findall(prose(page)):
        assert (REPOSITORY / path).exists(), f"{page}: {path}"


def anchors(page: Path) -> set[str]:
    headings = HEADING.findall(FENCE.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\s-]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_site_is_built_without_a_warning_and_without_other_hosts(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-d", str(tmp_path)],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = sorted(tmp_path.glob("*.html"))
    assert {Path(page).stem for page in DOCS} <= {page.stem for page in pages}
    for page in pages:
        loaded = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*(?:https?:)?//[^>]*>", page.read_text("utf-8")
        )
        assert loaded == [], page.name


def test_the_readme_tells_how_the_demo_fares() -> None:
    told = re.search(
        r"of the twelve inks \((\w+) (?:is|are) misread, at (\d+) %(?: or less)?\)",
        " ".join((REPOSITORY / "README.md").read_text("utf-8").split()),
    )
    assert told
    folder = REPOSITORY / "examples"
    truths = dict(line.split("\t") for line in (folder / "labels.tsv").read_text().splitlines())
    recognizer = inkscan.load()
    answers = {name: recognizer(inkscan.Ink.read(folder / "ink" / name)) for name in truths}
    wrong = [a.confidence for name, a in answers.items() if " ".join(a.tokens) != truths[name]]
    assert (len(truths), len(wrong)) == (12, ("none", "one", "two", "three", "four").index(told[1]))
    assert round(100 * max(wrong)) == int(told[2])
