"""A newly generated title passes all checks of titles unchanged.

It passes them both in this checkout and in a separate project.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ludarium_engine.testkit.commands import new_title
from tests.testkit.test_commands import command

ROOT = Path(__file__).parents[2]
COPIED = ("tests/support", "engine", "tests/engine", "docs/rules", "pyproject.toml", ".importlinter",
          "tests/__init__.py", "tests/ruff.toml")
LINKED = ("services", "eventstore", "pairing", "devtools")
NAMES = new_title.spellings("Harbour Lights 2")
ID, PACKAGE = NAMES["new-title"], NAMES["new_title"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout with the new title, its layout, recordings and counts."""
    root = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, root / name)
    for name in LINKED:
        (root / name).symlink_to(ROOT / name)
    assert [*new_title.write(root, NAMES)]
    for module, *arguments in (("layouts",), ("record",), ("perft_rows",), ("disclosures", ID)):
        assert errors(root, sys.executable, "-m", f"tests.engine.{module}", *arguments) == ""
    return root


def errors(root: Path, *command: str | Path) -> str:
    """Run a command, and return its output if it fails, or else ""."""
    environment = {**os.environ, "PYTHONPATH": f"{root}:{root / 'engine/src'}"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def tool(name: str) -> Path:
    return Path(sys.executable).parent / name


def test_its_tests_and_those_of_every_title_pass(tree: Path) -> None:
    named = f"{ID} or {PACKAGE} or test_there"
    assert errors(tree, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/engine", "-k", named) == ""


def test_its_code_passes_what_make_check_asks(tree: Path) -> None:
    assert errors(tree, tool("ruff"), "check", "--no-cache") == ""
    assert errors(tree, tool("mypy"), f"engine/src/ludarium_engine/titles/{PACKAGE}", f"tests/engine/{PACKAGE}") == ""
    assert errors(tree, tool("lint-imports"), "--no-cache") == ""


@pytest.mark.parametrize("module, line", [
    (f"titles/{PACKAGE}/bot.py", "from .state import at"),
    (f"titles/{PACKAGE}/rules.py", "import ludarium_engine.titles.valeria.cards"),
    (f"titles/{PACKAGE}/rules.py", "import ludarium_engine.testkit.fuzz"),
    ("kernel/chance.py", f"import ludarium_engine.titles.{PACKAGE}"),
])  # fmt: skip
def test_the_import_rules_hold_for_it(tree: Path, module: str, line: str) -> None:
    path = tree / "engine/src/ludarium_engine" / module
    before = path.read_text()
    path.write_text(f"{before}\n{line}\n")
    assert "BROKEN" in errors(tree, tool("lint-imports"), "--no-cache")
    path.write_text(before)


@pytest.mark.parametrize("name", ["chess", "", "Ch.ess", "../Chess", "Kemet"])
def test_a_wrong_name_writes_nothing(name: str, tmp_path: Path) -> None:
    assert command("new-title", name, "--in", str(tmp_path)).exit_code and not [*tmp_path.iterdir()]


def test_every_name_of_the_template_is_replaced(tree: Path) -> None:
    package = tree / "engine/src/ludarium_engine/titles" / PACKAGE
    texts = "".join(path.read_text() for path in package.rglob("*.*") if path.suffix != ".pyc")
    assert "class HarbourLights2(State" in texts and "ew_title" not in texts and "ewTitle" not in texts
