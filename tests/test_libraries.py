"""The example in the README of each library runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def ran(library: str, *arguments: str) -> str:
    """Run the example in a process of its own; return what it prints."""
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / library / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_random_game() -> None:
    assert re.fullmatch(r"\[[1-3], [1-3], [1-3]\]\n", ran("engine"))


def test_an_event_is_appended_and_read(empty_database_url: str) -> None:
    assert ran("eventstore", empty_database_url).endswith("[b'hello']\n")


def test_a_round_is_paired() -> None:
    pairing, standings = ran("pairing").splitlines()
    assert sorted(re.findall("[a-f]", pairing)) == sorted(re.findall("[a-f]", standings)) == list("abcdef")


@pytest.mark.parametrize("library, package", [
    ("engine", "ludarium_engine"), ("eventstore", "ludarium_eventstore"), ("pairing", "ludarium_pairing"),
])  # fmt: skip
def test_a_library_needs_nothing_else_of_ours(library: str, package: str) -> None:
    """With only its own sources in the path, every module can be imported."""
    code = f"""
import importlib, pkgutil, sys
sys.path[:] = [path for path in sys.path if not path.endswith("/src")] + [{str(ROOT / library / "src")!r}]
import {package}
for module in pkgutil.walk_packages({package}.__path__, "{package}."):
    importlib.import_module(module.name)
ours = {{name.partition(".")[0] for name in sys.modules if name.startswith("ludarium")}}
assert ours == {{{package!r}}}, ours
"""
    subprocess.run([sys.executable, "-P", "-c", code], check=True, cwd="/")
