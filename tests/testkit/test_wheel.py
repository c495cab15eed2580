"""The wheel of ludarium-engine works in an empty environment with its extra.

The extra is `testkit`.
"""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.environments import Environment, built

ROOT = Path(__file__).parents[2]
TITLE = "Harbour Lights"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT / "engine", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel and its extra."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    made.install_with_requirements(wheel)
    return made


def test_fuzz_plays_a_title(environment: Environment) -> None:
    done = environment.run("ludarium-engine", "fuzz", "game-of-kingdoms", "--games", "2", "--seats", "3", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("2 games at 3 seats") == 3
    alone = environment.run("python", "-c", "import ludarium")
    assert "No module named 'ludarium'" in alone.stderr


def test_a_new_title_is_a_project_of_its_own(environment: Environment, tmp_path: Path) -> None:
    done = environment.run("ludarium-engine", "new-title", TITLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    environment.install(built(tmp_path / "harbour-lights", tmp_path))
    for command in (("fuzz", "--games", "2"), ("prove", "--games", "1", "--seats", "2"), ("simulate", "--bots", "simple")):
        name, *options = command
        done = environment.run("ludarium-engine", name, "harbour-lights", "--seed", "1", *options, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    environment.link(Requirement("pytest"))
    done = environment.run("python", "-m", "pytest", "-p", "no:cacheprovider", "harbour-lights", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_without_its_extra_the_command_says_what_to_install(wheel: Path, tmp_path: Path) -> None:
    bare = Environment(tmp_path / "bare")
    bare.install(wheel)
    bare.link(Requirement("msgspec"))
    done = bare.run("ludarium-engine", "fuzz")
    assert done.returncode == 1 and "install ludarium-engine with its extra" in done.stderr


def test_two_packages_cannot_be_the_same_title(tmp_path: Path) -> None:
    metadata = tmp_path / "other-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[ludarium_engine.titles]\nkemet = other\n")
    code = "from ludarium_engine.registry import titles; titles()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert "Two packages are the title kemet: ludarium_engine.titles.kemet and other." in done.stderr
