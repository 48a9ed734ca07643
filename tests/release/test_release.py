"""What a release needs: one version, a source archive that can test itself, a wheel without strangers."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import REPOSITORY
from tests.release.check_tag import CHANGELOG, PART, RELEASED, UNRELEASED, objection

import inkscan

WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling, which builds the package, is not installed")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def tracked() -> set[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout, so what is tracked is not known")
    return {name for name in listed.stdout.splitlines() if (REPOSITORY / name).exists()}


def test_the_version_stands_in_one_place_and_citations_agree() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project and "version" in project["dynamic"]
    citation = read_yaml(REPOSITORY / "CITATION.cff")
    assert citation["version"] == inkscan.__version__
    assert citation["license"] == project["license"]
    for package in REPOSITORY.glob("js/package.json"):
        assert f'"version": "{inkscan.__version__}"' in package.read_text("utf-8")


def test_the_source_archive_holds_all_that_its_tests_read(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    missing = {name for name in tracked() - held if not re.fullmatch(r"checkpoints/.+\.safetensors", name)}
    assert not missing


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    wheel = next(built.glob("*.whl"))
    assert wheel.name == f"inkscan-{inkscan.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(f"inkscan-{inkscan.__version__}.dist-info/METADATA").decode()
    assert {name.partition("/")[0] for name in names} == {
        "inkscan",
        f"inkscan-{inkscan.__version__}.dist-info",
    }
    assert "inkscan/py.typed" in names
    assert {f"inkscan/{part}" for part in ("cli/main.py", "web/static/index.html")} <= set(names)
    for label in ("Source", "Issues", "Changelog", "Paper"):
        assert f"Project-URL: {label}, https://" in metadata


def test_the_lock_pins_everything_and_names_no_registry() -> None:
    lines = (REPOSITORY / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.lstrip().startswith("#")]
    assert pins and all(re.match(r"[\w.-]+==[\w.]+( ; .+)?$", pin) for pin in pins)
    assert not any("://" in line or line.startswith("-") for line in lines)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = {pin.partition("==")[0].lower() for pin in pins}
    extras = project["optional-dependencies"]
    for requirement in (
        *project["dependencies"],
        *(r for name in extras if name != "ray" for r in extras[name]),
    ):
        name = re.split(r"[\[<>=~ ]", requirement)[0].lower().replace("_", "-")
        assert name in {*pinned, "inkscan"}, f"{name} is not pinned: make lock"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_targets_that_exist(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text("utf-8"), re.M))
    for job in read_yaml(path)["jobs"].values():
        for step in job.get("steps", ()):
            for target in re.findall(r"^make ([\w-]+)", step.get("run", ""), re.M):
                assert target in targets, f"{path.name}: make {target}"


def test_the_workflow_tries_every_python_that_the_metadata_names() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    named = {c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)}
    matrix = read_yaml(REPOSITORY / ".github" / "workflows" / "ci.yml")["jobs"]["wheel"]["strategy"]["matrix"]
    assert set(matrix["python"]) == named
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


RELEASED_PART = "## 1.2.0 (2026-01-31)\n\n* Older.\n"
NEWEST = "## 1.3.0 (2026-02-28)\n\n* New.\n\n" + RELEASED_PART


@pytest.mark.parametrize(
    ("tag", "changelog", "words"),
    [
        ("v1.2.0", NEWEST, "newest part of CHANGELOG.md is of 1.3.0"),
        ("1.3.0", NEWEST, "the tag is 1.3.0"),
        ("v1.3.0", f"## {UNRELEASED}\n\n### Added\n* A line.\n\n{NEWEST}", f"lines under {UNRELEASED}"),
        (
            "v1.2.0",
            f"# Changelog\n\n## {UNRELEASED}\n* A line.\n{RELEASED_PART}",
            f"lines under {UNRELEASED}",
        ),
        ("v1.3.0", NEWEST.replace(" (2026-02-28)", ""), "no heading like"),
        ("v1.3.0", "# Changelog\n", "no heading like"),
    ],
)
def test_a_tag_that_the_changelog_does_not_release_is_refused(tag: str, changelog: str, words: str) -> None:
    assert words in (objection(tag, changelog) or "")


@pytest.mark.parametrize("before", ["", f"## {UNRELEASED}\n\n"])
def test_the_newest_dated_part_is_released(before: str) -> None:
    assert objection("v1.3.0", f"# Changelog\n\n{before}{NEWEST}") is None


def test_the_workflow_asks_about_the_tag_and_the_changelog_can_be_asked() -> None:
    publish = read_yaml(REPOSITORY / ".github" / "workflows" / "release.yml")["jobs"]["publish"]
    assert any(
        'tests/release/check_tag.py "$GITHUB_REF_NAME"' in step.get("run", "") for step in publish["steps"]
    )
    headings = [heading for heading, _ in PART.findall(CHANGELOG.read_text("utf-8")) if heading != UNRELEASED]
    assert headings and all(RELEASED.fullmatch(heading) for heading in headings)


@pytest.mark.parametrize("python", ["2.7", "gone"])
def test_make_replaces_an_environment_of_another_python(python: str, tmp_path: Path) -> None:
    """The recipe, not run: it begins by removing what is there."""
    fake = tmp_path / ".venv-light" / "bin" / "python"
    fake.parent.mkdir(parents=True)
    (tmp_path / "Makefile").write_text((REPOSITORY / "Makefile").read_text("utf-8"))
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).touch()
    if python != "gone":
        fake.write_text(f"#!/bin/sh\necho {python}\n")
        fake.chmod(0o755)
    (fake.parent.parent / ".installed").touch()
    assert "rm -rf .venv-light" in dry_run("demo", tmp_path)
    fake.unlink(missing_ok=True)
    fake.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    fake.chmod(0o755)
    assert "venv" not in dry_run("demo", tmp_path).replace(".venv-light/bin/inkscan", "")


def dry_run(target: str, folder: Path) -> str:
    command = ["make", "-n", target, f"PYTHON={sys.executable}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
