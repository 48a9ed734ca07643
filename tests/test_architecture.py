"""Packages import only what lies below them, and torch never reaches the runtime."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import inkscan

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCE = REPOSITORY / "src" / "inkscan"

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "files": set(),
    "ink": {"errors"},
    "latex": {"errors"},
    "features": {"errors", "ink"},
    "models": {"errors", "features"},
    "data": {"errors", "files", "ink", "latex"},
    "synthesis": {"errors", "ink", "latex", "data.sample"},
    "runtime": {"errors", "ink", "latex", "features"},
    "training": {"errors", "files", "ink", "latex", "features", "models", "data", "synthesis"},
    "export": {
        "errors",
        "files",
        "ink",
        "latex",
        "features",
        "models",
        "data",
        "runtime",
        "evaluation.reliability",
        "synthesis.order",
        "training.checkpoint",
        "training.extra",
        "training.provenance",
        "training.recipes",
    },
    "evaluation": {"errors", "files", "ink", "latex", "data", "synthesis.order", "synthesis.pen_habits"},
    "bulk": {"errors", "files", "ink", "data", "runtime"},
    "web": {"errors", "ink", "latex", "runtime"},
}
NO_TORCH = ("torch", "lightning_fabric", "lightning", "safetensors", "tensorboard")
TORCH_ALLOWED = {"models", "training", "export"}
HEAVY_ALLOWED = {
    "pyarrow": {"data", "bulk"},
    "fastapi": {"web"},
    "prometheus_client": {"web"},
    "pydantic": {"web"},
    "ray": {"bulk"},
    "onnxruntime": {"runtime", "export"},
    "onnx": {"export"},
}

FILES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE and path.parent.name != "cli")


def imported(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, at any depth of its code; types alone do not count."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module is not None
            if node.module == "inkscan":
                names = [alias.name for alias in node.names if alias.name != "__version__"]
                yield from (inkscan._HOME_OF.get(name, f"inkscan.{name}") for name in names)
            else:
                yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downwards(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0]
    assert package in ALLOWED, f"{package} has no row in the table of allowed imports"
    for name in imported(path):
        top, _, rest = name.partition(".")
        if top == "inkscan":
            other = rest.partition(".")[0]
            if other != package:
                assert other in ALLOWED[package] or rest in ALLOWED[package], f"{package} imports {name}"
        elif top in NO_TORCH:
            assert package in TORCH_ALLOWED, f"{package} imports {name}"
        elif top in HEAVY_ALLOWED:
            assert package in HEAVY_ALLOWED[top], f"{package} imports {name}"


def test_every_allowed_import_is_used() -> None:
    used: dict[str, set[str]] = {package: set() for package in ALLOWED}
    for path in FILES:
        for name in imported(path):
            inner = name.removeprefix("inkscan.")
            used[path.relative_to(SOURCE).parts[0]] |= {inner, inner.partition(".")[0]}
    assert not {package: below - used[package] for package, below in ALLOWED.items() if below - used[package]}
    assert not {
        name: homes for name, homes in HEAVY_ALLOWED.items() if any(name not in used[p] for p in homes)
    }


def table_under(heading: str) -> list[list[str]]:
    """The cells of the rows that name a package, in that part of the page about the architecture."""
    page = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [row.strip("|").split("|") for row in part.splitlines() if row.startswith("| `")]


def words(cell: str) -> list[str]:
    return re.findall(r"`([\w.]+)`", cell)


def test_the_documentation_has_the_same_table() -> None:
    rows = table_under("Packages and what they may import")
    documented = {package: set(words(below)) for packages, below, *_ in rows for package in words(packages)}
    beside = {"cli", "research"}  # may import everything
    assert documented.keys() == ALLOWED.keys() | beside
    assert {package: documented[package] for package in ALLOWED} == {
        package: below - {"errors"} for package, below in ALLOWED.items()
    }


def test_the_documentation_has_the_lines_and_imports_of_today() -> None:
    table = {tuple(words(packages)): cells for packages, *cells in table_under("Before the rebuild, and now")}
    del table["metrics",]  # a part of evaluation now
    assert {name for names in table for name in names} == {*ALLOWED, "cli", "research"}
    for names, (_, lines, then, now) in table.items():
        files = [path for name in names for path in files_of(name)]
        count = sum(path.read_text("utf-8").count("\n") for path in files)
        assert int(lines.replace(",", "")) == pytest.approx(count, rel=0.1), f"{names}: {count} lines"
        if names != ("research",):
            below = {name.split(".")[1] for path in files for name in imported(path) if "inkscan." in name}
            documented = words(then if now.strip() == "the same" else now)
            assert set(documented) == below - {*names, "errors"}, names


def files_of(package: str) -> list[Path]:
    home = REPOSITORY if package == "research" else SOURCE
    module = home / f"{package}.py"
    return [module] if module.exists() else sorted((home / package).glob("*.py"))


def test_the_table_has_no_cycle() -> None:
    done: set[str] = set()
    rows = {package: {name.partition(".")[0] for name in below} for package, below in ALLOWED.items()}
    while len(done) < len(rows):
        free = {package for package, below in rows.items() if package not in done and below <= done}
        assert free, f"a cycle among {sorted(set(rows) - done)}"
        done |= free


def test_packages_are_at_most_two_deep_and_nothing_is_called_utils() -> None:
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        assert len(parts) <= 2, path
        assert not {"utils", "helpers", "common", "manager"} & {part.removesuffix(".py") for part in parts}


def test_the_package_knows_nothing_of_research() -> None:
    """The paper's tables and records are no part of the wheel, so nothing in it may ask for them."""
    for path in SOURCE.rglob("*.py"):
        assert not [name for name in imported(path) if name.split(".")[0] in ("research", "benchmarks")], path


def test_recognition_loads_no_torch() -> None:
    code = (
        "import sys, onnxruntime;"
        "import inkscan.runtime.recognizer, inkscan.runtime.session, inkscan.runtime.explain;"
        f"found = sorted({ {*NO_TORCH, 'onnx'} } & set(sys.modules));"
        "sys.exit(f'loaded: {found}' if found else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


MAX_MODULE, MAX_FUNCTION = 300, 60  # lines
MEASURED = [
    path
    for folder in ("src", "research", "benchmarks")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
]


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_modules_and_functions_are_short_enough_to_read(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= MAX_MODULE, f"{path} has more than {MAX_MODULE} lines: part it"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= MAX_FUNCTION, f"{path}: {node.name} has {lines} lines, more than {MAX_FUNCTION}"


def test_no_two_public_classes_have_one_name() -> None:
    """Nor has an alias of a type the name of a class elsewhere."""
    classes: dict[str, list[str]] = {}
    aliases: list[tuple[str, str]] = []
    for path in (*SOURCE.rglob("*.py"), *(REPOSITORY / "research").glob("*.py")):
        place = str(path.relative_to(REPOSITORY))
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes.setdefault(node.name, []).append(place)
            elif isinstance(node, ast.Assign):
                aliases += [(target.id, place) for target in node.targets if isinstance(target, ast.Name)]
    assert not {name: found for name, found in classes.items() if len(found) > 1}
    assert not [(name, place, classes[name]) for name, place in aliases if name in classes]


def test_no_two_files_have_one_name_but_a_command_and_what_it_calls() -> None:
    """A command's file begins with the command: `inkscan train`."""
    places: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        is_command = re.match(rf'"""`inkscan (\w+ )?{path.stem}`', path.read_text("utf-8"))
        if path.name != "__init__.py" and not is_command:
            places.setdefault(path.name, []).append(str(path.relative_to(SOURCE)))
    assert not {name: found for name, found in places.items() if len(found) > 1}
