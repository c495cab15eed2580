"""Statements that the project makes in more than one place agree."""

import ast
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
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
    """Return the requirements in a .in file."""
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
    """A new title is found because its folder exists."""
    rules = (ROOT / ".importlinter").read_text()
    for data in (ROOT / "engine/src/ludarium_engine/titles").glob("*/data.json"):
        assert f"ludarium_engine.titles.{data.parent.name}" not in rules
        assert data.parent.name.replace("_", "-") not in (ROOT / "docs/players.md").read_text().replace(EXAMPLE, "")


def test_the_image_is_the_version_of_the_project() -> None:
    for overlay in ("base", "single", "prod"):
        assert f"newTag: {VERSION}\n" in (ROOT / "k8s" / overlay / "kustomization.yaml").read_text()


COMMANDS = dict(re.findall(r"^([a-z-]+):.*## (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE))
TIME = re.compile(r"at once|seconds|minute|hour")


def test_every_command_of_make_is_explained() -> None:
    page = (ROOT / "docs/commands.md").read_text()
    assert {*COMMANDS} - {"help"} == set(re.findall(r"^\| `make ([a-z-]+)", page, re.MULTILINE))


@pytest.mark.parametrize("name", COMMANDS)
def test_make_help_says_what_a_command_gives_and_how_long_it_takes(name: str) -> None:
    """Parameters are in docs/commands.md.

    A variable in capitals in the list names one of two uses of a command.
    """
    explanation = COMMANDS[name]
    assert TIME.search(explanation) and len(explanation) <= 100
    assert explanation[0].islower() and len(re.findall(r"\b[A-Z]+=", explanation)) <= 1


HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())


def test_hooks_need_no_network() -> None:
    (repository,) = HOOKS["repos"]
    assert repository["repo"] == "local" and {hook["language"] for hook in repository["hooks"]} == {"system"}


def test_the_hook_before_a_commit_is_a_part_of_the_check() -> None:
    hooks = {hook["id"]: hook for hook in HOOKS["repos"][0]["hooks"]}
    assert hooks["check-fast"]["entry"].split()[-1] == "check-fast" and hooks["check-fast"]["stages"] == ["pre-commit"]
    assert re.search(r"^check:.*\n.* check-fast\b", (ROOT / "Makefile").read_text(), re.MULTILINE)


FOLDERS = "", "docs/", "docs/operations/", ".github/"
PAGES = [path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in sorted(ROOT.glob(f"{folder}*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    for path, anchor in LINK.findall(text):
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), path
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target.read_text()), f"{path}#{anchor}"


def anchors(text: str) -> set[str]:
    """Return the anchors of headings, as hosting sites make them, and explicit ones."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


def test_pages_for_contributors_are_found_from_their_start() -> None:
    """The pages that a newcomer needs are linked from CONTRIBUTING.md."""
    linked = {path for path, _ in LINK.findall((ROOT / "CONTRIBUTING.md").read_text())}
    needed = {"architecture", "glossary", "testing", "commands", "first-change", "proofs", "migrations", "release"}
    assert {f"docs/{name}.md" for name in needed} | {"CODE_OF_CONDUCT.md", "SECURITY.md"} <= linked


DISTRIBUTED = "engine/src", "eventstore/src", "pairing/src", "services/src", "clients/python"
SOURCES = [path for each in (*DISTRIBUTED, "devtools", "tests", "benchmarks") for path in (ROOT / each).rglob("*.py")]


def test_no_module_or_class_assigns_a_name_twice() -> None:
    """A constant that a later section of a long module replaces has its new value everywhere."""
    assert len(SOURCES) > 1000
    assert {path.name: twice for path in SOURCES if (twice := assigned_twice(path.read_text()))} == {}


def assigned_twice(source: str) -> set[str]:
    """Return the names that a module, or one of its classes, assigns more than once."""
    tree = ast.parse(source)
    scopes: list[ast.Module | ast.ClassDef] = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    return {name for scope in scopes for name, times in Counter(names_assigned_in(scope)).items() if times > 1}


def names_assigned_in(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    for node in scope.body:
        if isinstance(node, ast.Assign):
            yield from (name.id for target in node.targets for name in ast.walk(target)
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and name.id != "_")
        elif isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            yield node.target.id
