"""What the project says of itself in more than one place says the same."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
EXAMPLE = "ludarium play game-of-kingdoms"
DISTRIBUTIONS = {
    each: tomllib.loads((ROOT / each / "pyproject.toml").read_text())["project"]
    for each in ("engine", "eventstore", "pairing", "services", "clients/python")
}
VERSION = DISTRIBUTIONS["services"]["version"]
OURS = {project["name"] for project in DISTRIBUTIONS.values()}
NEEDED = [
    needed for each in ("engine", "eventstore", "pairing", "services") for needed in DISTRIBUTIONS[each]["dependencies"]
    if Requirement(needed).name not in OURS
]  # fmt: skip
EXTRAS = DISTRIBUTIONS["services"]["optional-dependencies"]
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]


def listed(name: str) -> list[str]:
    """The requirements of a .in file."""
    return [line for line in (ROOT / f"locks/{name}.in").read_text().splitlines() if not line.startswith("#")]


BUILD = listed("build")

LOCKS = {
    "core": NEEDED + BUILD,
    "serve": NEEDED + BUILD + EXTRAS["embedded"],
    "dev": NEEDED + BUILD + EXTRAS["embedded"] + TOOLS,
    "node": listed("node"),
}


def locked(lock: str) -> dict[str, str]:
    text = (ROOT / f"locks/{lock}.txt").read_text()
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[\S+\])?==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_dependency_is_locked_at_a_version_that_it_allows(lock: str) -> None:
    versions = locked(lock)
    for requirement in map(Requirement, LOCKS[lock]):
        assert versions[requirement.name.lower()] in requirement.specifier


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_index_and_trusts_nothing_without_a_hash(lock: str) -> None:
    text = (ROOT / f"locks/{lock}.txt").read_text()
    assert "://" not in text
    packages = re.split(r"^(?=[a-z0-9-]+(?:\[\S+\])?==)", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in package for package in packages)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_nothing_of_ours(lock: str) -> None:
    assert not OURS & locked(lock).keys()


def test_all_distributions_have_one_version_and_pin_each_other() -> None:
    assert {project["version"] for project in DISTRIBUTIONS.values()} == {VERSION}
    needed = [Requirement(each) for project in DISTRIBUTIONS.values() for each in project["dependencies"]]
    assert {str(each.specifier) for each in needed if each.name in OURS} == {f"=={VERSION}"}


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
@pytest.mark.parametrize("folder", ["clients/verify-js", "clients/web"])
def test_npm_packages_have_the_version_of_the_release(folder: str, name: str) -> None:
    assert json.loads((ROOT / folder / name).read_text())["version"] == Version(VERSION).base_version


def test_the_locks_agree() -> None:
    dev = locked("dev")
    assert locked("serve").items() <= dev.items()
    assert locked("core").items() <= locked("serve").items()


def test_nothing_beside_its_folders_names_a_title() -> None:
    """A new title is found by being there."""
    rules = (ROOT / ".importlinter").read_text()
    for data in (ROOT / "engine/src/ludarium_engine/titles").glob("*/data.json"):
        assert f"ludarium_engine.titles.{data.parent.name}" not in rules
        assert data.parent.name.replace("_", "-") not in (ROOT / "docs/players.md").read_text().replace(EXAMPLE, "")


def test_the_image_is_the_version_of_the_project() -> None:
    for overlay in ("base", "single", "prod"):
        assert f"newTag: {VERSION}\n" in (ROOT / "k8s" / overlay / "kustomization.yaml").read_text()


def test_every_command_of_make_is_explained() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    pages = (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    assert targets - {"help"} <= set(re.findall(r"make ([a-z-]+)", pages))
